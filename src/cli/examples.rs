//! What to try, under each command's help.

pub(super) const LINECALL: &str = "\
Without a command it is the whole program: it opens its page, where the camera, the table and the players are
chosen and the match is played.

Examples:
  linecall                                               the page, on this machine
  linecall --listen :8080                                for phones and televisions of the network, too
  linecall --source film.mp4                             a recording in place of a camera
  linecall doctor                                        what is missing on this computer
  linecall boards                                        the boards that ship
  linecall boards draw carrom-court -o court.png         one of them, with its measures
  linecall score photo.jpg --board carrom-court          scores a photo
  linecall tally match.jsonl                             the score sheet of a match

Lengths are millimetres on the board: x to the right, y away from the first player, from the near
left corner. Exit status: 0 done, 1 failed, 2 wrong usage. Each command has examples: linecall
score --help";

pub(super) const SCORE: &str = "\
Examples:
  linecall score photo.jpg                                  finds out which board it is, and where
  linecall score photo.jpg --board carrom-court             finds where that board is
  linecall score *.jpg --board carrom-icf --json            one JSON object a line for programs
  linecall score photo.jpg --board my-table.toml --annotate pictures
                                                            draws what was measured on the photo
  linecall score photo.jpg --board carrom-court --end near  the other end was played to
  linecall score photo.jpg --board carrom-icf --why 812,430 why a piece was or was not found there
  linecall score photo.jpg --board carrom-icf --trace seen  what every stage saw, as pictures and JSON
  linecall score 1.jpg 2.jpg --board carrom-court --match evening.ledger --sides Ann,Bo
                                                            records each photo as a frame of a match";

pub(super) const TALLY: &str = "\
Examples:
  linecall tally match.jsonl               the score sheet
  linecall tally match.jsonl --json        the final state for programs
  linecall tally match.jsonl --csv         a row an event, for a spreadsheet";

pub(super) const REVIEW: &str = "\
Examples:
  linecall review photo.jpg --board carrom-court -o call.html
                                           a page about the photo's closest call
  linecall review photo.jpg --board carrom-court --piece 3 -o call.html
                                           about piece 3, by its number in linecall score
  linecall review photo.jpg
                                           what can be reviewed, the closest calls first

  linecall review match.ledger             a ledger's close and disputed calls, the weightiest first
  linecall review match.ledger 12.3 -o call.html
                                           a page about one of them
  linecall review match.ledger 12.3 --verdict overruled --by Cy --why 'paint under the rim'
  linecall review match.ledger --history   every score ever shown, and why
  linecall review match.ledger --verify    whether anything was changed since it was recorded
  linecall review match.ledger --rerun --board my-table.toml
                                           every view scored again with a corrected board file
  linecall review match.ledger --export sheet.html
                                           the score sheet; or match.jsonl, match.csv
  linecall review broken.ledger --salvage whole.ledger";

pub(super) const CAMERAS: &str = "\
Examples:
  linecall cameras                         cameras, sizes, rates, controls; what to do without one
  linecall cameras --json                  the same for programs";

pub(super) const SERVE: &str = "\
Examples:
  linecall serve --match tonight.ledger                 the page on this machine, port 8080
  linecall serve --match tonight.ledger --listen 0.0.0.0:8080
                                                        for every phone in the room; changes need the PIN
  linecall serve --match tonight.ledger --camera club-camera.toml
                                                        set-up writes this camera file

The scoreboard is at /, the referee at /referee, an overlay for streams at /overlay, the interface
for programs at /api/openapi.json.";

pub(super) const HALL: &str = "\
Examples:
  linecall hall --broker mqtt://localhost/club --data hall
                                           the page of a hall on this machine, port 8090
  linecall hall --broker mqtts://hall:secret@broker.local/club --data hall --listen 0.0.0.0:8090
                                           for every phone in the room; changes need the PIN
  linecall serve --match t1.ledger --hall mqtt://localhost/club --table-name table-1 --hall-key KEY
                                           a table of it, without a camera

Any MQTT 3.1.1 broker will do, for example Mosquitto. It prints its key, which tables take commands by.
Topics and payloads are described in docs/hall.md.";

pub(super) const GAMES: &str = "\
Examples:
  linecall games                           the games with their options
  linecall games show court                the rules of one, by id";

pub(super) const SIMULATE: &str = "\
Examples:
  linecall simulate scene.json -o photo.jpg
                                           the photo, with its truth in photo.json
  linecall simulate --random 20 --board carrom-court -o photos
                                           twenty photos of random scenes
  linecall simulate --evening court --rounds 2 --seed 7 -o evening
                                           two half rounds, filmed; evening/truth.jsonl is the match";

pub(super) const EVALUATE: &str = "\
Examples:
  linecall evaluate fixtures/photos        a table a category
  linecall evaluate photos --json          the same for programs
  linecall evaluate photos --against mine.toml
                                           the defaults and other options, and the pieces that differ";

pub(super) const FIT: &str = "\
Examples:
  linecall simulate --random 40 --board carrom-icf --unknown -o tables
  linecall fit tables -o evidence.toml --diagram existence.svg
                                           how likely things are pieces, fitted to these photos";

pub(super) const OPTIONS: &str = "\
Examples:
  linecall options > mine.toml             all of them; keep the lines that you change
  linecall options detect measure          two stages' alone
  linecall score photo.jpg --options mine.toml
                                           a photo scored with them
  linecall evaluate photos --against mine.toml
                                           what they change on photos with truth";

pub(super) const REPLAY: &str = "\
Examples:
  linecall replay evening.mp4 --camera club.toml --game court
                                           what was played, and the score
  linecall replay frames/ --fps 10 --camera club.toml --game court --json > match.jsonl
                                           the events as a match file
  linecall replay frames/ --camera club.toml --game court --match evening.ledger
                                           recorded with the views that each event rests on";

pub(super) const LIVE: &str = "\
Examples:
  linecall cameras                         the cameras of this computer, by number
  linecall live --device 0 --camera club.toml --game court --match tonight.ledger
                                           watches the table and records the match
  linecall live --camera club.toml --game court --match tonight.ledger --sides Ann,Bo --confirm never
                                           records the likeliest without asking
  linecall live --recording evening.mp4 --camera club.toml --game court --match again.ledger \\
      --listen 127.0.0.1:8080              shows a recorded evening on the web page, as it went";

pub(super) const DOCTOR: &str = "\
Examples:
  linecall doctor                          cameras, decoder, OpenCV, data folder, room on the disk
  linecall doctor --json                   the same for programs";
