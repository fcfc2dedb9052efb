// German, by the English. "{}" stands for what comes there, in the same order.
export const GERMAN = {
  // The bar and every page.
  "Score": "Spielstand", "Referee": "Schiedsrichter", "Calls": "Entscheidungen", "Photo": "Foto", "Evenings": "Abende", "Start": "Start", "Set-up": "Einrichten",
  "To the page": "Zur Seite", "Pages": "Seiten", "connecting": "verbindet", "live": "verbunden", "connection lost, trying again": "Verbindung verloren, neuer Versuch",
  "Cancel": "Abbrechen", "Close": "Schließen", "Done": "Fertig", "Back": "Zurück", "Noted": "Notiert", "Look again": "Noch einmal schauen", "Kept.": "Gemerkt.", "Recorded.": "Eingetragen.",
  "Somebody was faster": "Jemand war schneller",
  "Referee’s PIN": "PIN des Schiedsrichters", "Your name, for the record": "Dein Name, fürs Protokoll", "Only watch": "Nur zuschauen", "Go on": "Weiter", "this PIN is wrong": "diese PIN ist falsch", "This PIN is wrong.": "Diese PIN ist falsch.",
  // The scoreboard.
  "Scoreboard": "Anzeigetafel", "Connection lost: this score may be old": "Verbindung verloren: dieser Stand kann alt sein", "Speak calls": "Ansagen", "Speaking calls": "Ansagen an", "Light or dark": "Hell oder dunkel",
  "No match yet": "Noch kein Spiel", "The scoreboard shows the match as soon as a referee starts one.": "Der Stand erscheint, sobald ein Schiedsrichter ein Spiel beginnt.", "Start a match": "Spiel beginnen",
  "game {} of {}": "Satz {} von {}", "to {}": "bis {}", "games {}, best of {}": "Sätze {}, beste von {}", "shot {} of {}": "Stoß {} von {}", "Carrom court shuffleboard": "Carrom-Court-Shuffleboard", "tie-break": "Entscheidung", "to play": "ist dran", "{} to play": "{} ist dran", "wins the match": "gewinnt das Spiel", "{} wins the match": "{} gewinnt das Spiel",
  "wins game {}": "gewinnt Satz {}", "{} wins game {}": "{} gewinnt Satz {}", "Undecided": "Unentschieden", "{} to go": "noch {}", "owes {}": "schuldet {}",
  "The referee is asked: {}": "Der Schiedsrichter wird gefragt: {}", "Too close to call: {}": "Zu knapp: {}", "The camera does not see the board": "Die Kamera sieht das Brett nicht",
  "on the board now": "jetzt auf dem Brett", "as last measured": "wie zuletzt gemessen", "as seen, not yet counted": "gesehen, noch nicht gezählt", "as entered by the referee": "wie vom Schiedsrichter eingetragen",
  "Half round: {}": "Halbe Runde: {}", "Frame: {}": "Durchgang: {}", "Strike: {}": "Stoß: {}", "Shot: {}": "Stoß: {}",
  "queen on the board": "Dame auf dem Brett", "queen to be covered": "Dame zu decken", "queen to be returned": "Dame zurückzulegen",
  // Words of calls.
  "clear of the line": "frei von der Linie", "touching the line": "auf der Linie", "too close to call": "zu knapp", "dead": "tot", "hanging": "hängt über", "off the board": "vom Brett", "no area": "kein Feld", "on the line": "auf der Linie", "clear": "frei",
  "{} left": "{} links", "{} right": "{} rechts", "the {} on the left": "die {} links", "the {} on the right": "die {} rechts", "the line behind the {}": "die Linie hinter der {}", "the foul line": "die Foul-Linie", "the end of the board": "das Ende des Bretts",
  "red": "rot", "blue": "blau", "white": "weiß", "black": "schwarz", "yellow": "gelb", "green": "grün", "Red": "Rot", "Blue": "Blau", "White": "Weiß", "Black": "Schwarz", "Yellow": "Gelb",
  // The referee.
  "What to do": "Was zu tun ist", "Recorded": "Eingetragen", "Undo the last": "Das Letzte zurücknehmen", "You and the camera": "Du und die Kamera", "What the camera sees is put to you": "Was die Kamera sieht, wird dir vorgelegt",
  "always": "immer", "when it is in doubt": "im Zweifel", "never": "nie", "New match": "Neues Spiel", "Reviews a side may lose in a game": "Überprüfungen, die eine Seite je Satz verlieren darf", "any number": "beliebig viele",
  "Say who plays what, and the scoreboard follows.": "Sag, wer was spielt; die Anzeigetafel folgt.", "Confirm": "Bestätigen", "Did not happen": "War nicht so", "Nothing yet.": "Noch nichts.",
  "The camera saw: half round": "Die Kamera sah: halbe Runde", "The camera saw: frame": "Die Kamera sah: Durchgang", "The camera saw: strike": "Die Kamera sah: Stoß", "The camera saw: shot": "Die Kamera sah: Stoß",
  "Next: half round": "Als Nächstes: halbe Runde", "Next: frame": "Als Nächstes: Durchgang", "Next: strike": "Als Nächstes: Stoß", "{} leads.": "{} beginnt.", "{} is to play.": "{} ist dran.",
  "Enter a half round": "Halbe Runde eintragen", "Enter a frame": "Durchgang eintragen", "Enter a strike": "Stoß eintragen", "Enter a shot": "Stoß eintragen", "Score it from a photo": "Aus einem Foto werten", "Lag for colour": "Um die Farbe lagen",
  "Add a piece by name": "Einen Stein nach Namen hinzufügen", "All pieces are counted. To change one, tap it.": "Alle Steine sind gezählt. Zum Ändern antippen.", "Tap an area to add a piece of this colour:": "Ein Feld antippen, um einen Stein dieser Farbe hinzuzufügen:",
  "A hand went over the foul line": "Eine Hand ging über die Foul-Linie", "Played to the near end": "Zum nahen Ende gespielt", "Record": "Eintragen", "Clear: {}": "Frei: {}", "On the line: 0": "Auf der Linie: 0", "No score": "Kein Punkt",
  "Half round {}": "Halbe Runde {}", "Frame {}": "Durchgang {}", "Strike {}": "Stoß {}", "Correct it": "Berichtigen", "Undo it": "Zurücknehmen", "Leave it": "So lassen", "Its calls": "Entscheidungen dazu", "Play again": "Noch ein Spiel",
  "corrected by {}": "berichtigt von {}", "undone by {}": "zurückgenommen von {}", "Yes, it was disturbed": "Ja, sie wurde bewegt", "No": "Nein", "Into a pocket": "In eine Tasche", "Off the board": "Vom Brett", "before": "vorher", "after": "nachher",
  "Reason, if there is one to tell": "Grund, wenn es einen gibt", "Then ": "Dann ", "Name": "Name", "Start the match": "Spiel beginnen",
  // Calls.
  "All": "Alle", "too close": "zu knapp", "Ruled on": "Entschieden", "{} of {}": "{} von {}", "None of these.": "Keine davon.", "ruled by {}; measured {}": "entschieden von {}; gemessen {}", "upheld by {}; measured {}": "bestätigt von {}; gemessen {}",
  // Start.
  "Camera": "Kamera", "Table": "Tisch", "Players": "Spieler", "Steps": "Schritte", "Which camera?": "Welche Kamera?", "Cameras": "Kameras", "Looking for cameras…": "Kameras werden gesucht…", "in use now": "in Gebrauch", "a recording": "eine Aufnahme",
  "This phone or another": "Dieses oder ein anderes Telefon", "its camera, over the network": "seine Kamera, über das Netz", "Another camera or recording": "Andere Kamera oder Aufnahme", "Another camera": "Andere Kamera", "Use it": "Nehmen",
  "Address of a network camera": "Adresse einer Netzwerkkamera", "Address of a network camera, or path of a recording": "Adresse einer Netzwerkkamera oder Pfad einer Aufnahme", "no picture": "kein Bild",
  "Looking for the table…": "Der Tisch wird gesucht…", "Waiting for the camera’s first picture…": "Warten auf das erste Bild der Kamera…", "Is this your table?": "Ist das dein Tisch?", "Yes, go on": "Ja, weiter", "Set it up by hand": "Von Hand einrichten",
  "The table was not found": "Der Tisch wurde nicht gefunden", "Several tables look like this one": "Mehrere Tische sehen so aus", "Show it my table": "Meinen Tisch zeigen", ", found by itself. The camera sees it well:": ", von selbst gefunden. Die Kamera sieht ihn gut:",
  ", found by itself. Good enough for most calls:": ", von selbst gefunden. Gut genug für die meisten Entscheidungen:", "Who plays?": "Wer spielt?", "First, {}": "Zuerst, {}", "Second, {}": "Danach, {}", "Game": "Spiel", "Game at": "Satz bis", "Best of": "Beste von", "The match begins.": "Das Spiel beginnt.",
  "Phones and televisions": "Telefone und Fernseher", "For now only this computer can open the page.": "Bisher kann nur dieser Rechner die Seite öffnen.", "Open it to the network": "Fürs Netz öffnen", "Close it to the network": "Fürs Netz schließen",
  "Scan this, or open one of these on a phone or television in the same network:": "Scannen oder eine dieser Adressen öffnen, mit Telefon oder Fernseher im selben Netz:", "Watching needs nothing; changing the match needs the referee’s PIN.": "Zuschauen kann jeder; zum Ändern braucht es die PIN.",
  "Let a referee’s phone in": "Telefon eines Schiedsrichters einlassen", "Another PIN": "Andere PIN", "The referee’s PIN": "Die PIN des Schiedsrichters",
  // Photo.
  "Score a photo": "Ein Foto werten", "Take or choose a photo": "Foto aufnehmen oder auswählen", "Board": "Brett", "Played to the": "Gespielt zum", "far end": "fernen Ende", "near end": "nahen Ende", "Score it": "Werten", "Tally": "Punkte", "Record it in the match": "Ins Spiel eintragen",
  "Find out which board it is": "Selbst herausfinden", "This photo has no score": "Dieses Foto hat keine Wertung", "piece": "Stein", "in": "in", "gap": "Abstand", "call": "Entscheidung", "points": "Punkte", "review": "ansehen",
  // Evenings.
  "Reading the ledgers…": "Die Protokolle werden gelesen…", "No match was played yet.": "Noch kein Spiel.", "Nobody yet.": "Noch niemand.", "Score sheet": "Spielbericht", "Match file": "Spieldatei", "Matches": "Spiele", "Points a half round": "Punkte je halbe Runde", "Counted in": "Gezählt in", "Pocketed": "Versenkt",
  "Close calls": "Knappe Entscheidungen", "{} won, {} lost": "{} gewonnen, {} verloren", "{}, {} won": "{}, {} gewonnen", "{} won": "{} gewonnen", "{} match": "{} Spiel", "{} matches": "{} Spiele", "Name, in all evenings": "Name, an allen Abenden", "Rename": "Umbenennen",
};
