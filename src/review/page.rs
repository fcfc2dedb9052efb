//! A dossier as one HTML file that needs nothing else: no other file, no internet.
//!
//! No inline handlers and no style attributes: served live, the page runs under a policy that
//! forbids them. Everything but stepping through frames works without the script.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use sha2::{Digest, Sha256};

use super::{
    Against, Basis, Colours, Dossier, EitherWay, FrameShot, Gap, InMatch, Outcome, RuledShown, Tone,
    VerdictForm, VerdictShown, figure, markup::text, words,
};
use crate::calls::ContactCall;
use crate::ledger::Ruling;
use crate::score::tally_words;

/// The page's style sheet and script, for servers that give them addresses of their own.
pub const STYLE: &str = include_str!("page.css");
pub const SCRIPT: &str = include_str!("page.js");

/// Where the page's style and script come from.
#[derive(Debug, Clone, Copy)]
pub enum Assets<'a> {
    /// Within the page: a file of its own.
    Inline,
    /// From these addresses: a page that is served.
    Linked { style: &'a str, script: &'a str },
}

/// The whole page.
pub fn page(dossier: &Dossier, assets: Assets) -> String {
    let answer = dossier.ruled.as_ref().map_or_else(|| dossier.head.answer.clone(), ruled_words);
    let title = format!("{}: {answer}", dossier.head.subject);
    let (policy, head, tail) = match assets {
        Assets::Inline => {
            let hash = |part: &str| BASE64.encode(Sha256::digest(part));
            let policy = format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
                 style-src 'sha256-{}'; script-src 'sha256-{}'; form-action 'none'\">\n",
                hash(STYLE),
                hash(SCRIPT)
            );
            (policy, format!("<style>{STYLE}</style>"), format!("<script>{SCRIPT}</script>"))
        }
        Assets::Linked { style, script } => (
            String::new(),
            format!("<link rel=\"stylesheet\" href=\"{}\">", text(style)),
            format!("<script src=\"{}\" defer></script>", text(script)),
        ),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{policy}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n{head}\n</head>\n\
         <body>\n{}\n{tail}\n</body>\n</html>\n",
        text(&title),
        body(dossier)
    )
}

/// What the page's body holds.
fn body(dossier: &Dossier) -> String {
    let first = dossier.close_ups.first();
    let order = dossier.close_ups.len() > 2;
    let close_up = |index: usize| {
        dossier.close_ups.get(index).map_or_else(String::new, |view| {
            let inset = if order || index == 0 { None } else { first };
            let drawing = figure::close_up(view, index, inset);
            figure_of("close-up", &drawing, &close_up_caption(dossier, index))
        })
    };
    let rulers = dossier.gaps.first().map_or_else(String::new, ruler) + &also(&dossier.gaps);
    let wide = dossier.close_ups.len().saturating_sub(1).max(1);
    let tight: String = (0..wide).map(close_up).collect();
    let last = if wide < dossier.close_ups.len() { close_up(wide) } else { String::new() };
    let whole = figure_of(
        "whole-view",
        &figure::whole_view(&dossier.whole_view),
        &format!(
            "The whole photo, {} x {} pixels.",
            dossier.whole_view.photo_size_px[0], dossier.whole_view.photo_size_px[1]
        ),
    );
    let plan =
        figure_of("board-plan", &figure::plan(&dossier.plan), "Where the pieces were measured, to scale.");
    [
        "<main class=\"review\">".to_owned(),
        header(dossier),
        format!("<div class=\"columns{}\"><div class=\"column\">", if order { " long" } else { "" }),
        tight,
        dossier.colours.as_ref().map_or_else(String::new, colours),
        rulers,
        either_way(&dossier.either_way, dossier.ruled.as_ref().is_some_and(|ruled| ruled.below.is_some())),
        dossier.in_match.as_ref().map_or_else(String::new, in_match),
        rules(dossier),
        verdicts(&dossier.verdicts),
        dossier.verdict_form.as_ref().map_or_else(String::new, verdict_form),
        "</div><div class=\"column\">".to_owned(),
        last,
        format!("<div class=\"places\">{whole}{plan}</div>"),
        others(dossier),
        basis(&dossier.basis, dossier.gaps.first()),
        advice(&dossier.advice),
        "</div></div>".to_owned(),
        frames(&dossier.frames),
        "</main>".to_owned(),
    ]
    .concat()
}

fn figure_of(class: &str, drawing: &str, caption: &str) -> String {
    format!("<figure class=\"{class}\">{drawing}<figcaption>{caption}</figcaption></figure>\n")
}

fn header(dossier: &Dossier) -> String {
    let head = &dossier.head;
    let id = dossier.id.as_ref().map_or_else(String::new, |id| format!("call {}, ", text(id)));
    let said = dossier.verdicts.last().filter(|_| dossier.ruled.is_none());
    let stands = said.map_or_else(String::new, |verdict| {
        format!(
            "<p class=\"stands\">{} by {}</p>",
            text(&words::capital(ruling_words(verdict.ruling))),
            text(&verdict.by)
        )
    });
    let distrust = head
        .distrust
        .as_ref()
        .map_or_else(String::new, |reason| format!("<p class=\"distrust\">{}</p>", text(reason)));
    let measured = dossier.ruled.as_ref().and_then(|ruled| ruled.measured.as_deref());
    let measured = measured.map_or_else(String::new, |call| format!("measured {} ", text(call)));
    let gap = dossier.gaps.first().map_or_else(String::new, |gap| {
        format!(
            "<p class=\"gap-stated\">{measured}<strong>{}</strong> <span>{}</span></p>",
            gap.stated(),
            text(&gap.name)
        )
    });
    let (tone, answer) = match &dossier.ruled {
        Some(ruled) => (ruled_tone(dossier, ruled), ruled_words(ruled)),
        None => (head.tone, head.answer.clone()),
    };
    format!(
        "<header class=\"{}\"><div><p class=\"what\">{id}{}</p><p class=\"asked\">{}</p><h1>{}</h1></div>\
         <div>{gap}<p class=\"likelihood\">{}</p>{distrust}{stands}</div></header>\n",
        figure::tone(tone),
        text(&dossier.basis.game),
        text(&head.asked),
        text(&answer),
        text(&head.likelihood),
    )
}

/// "Touching, by Dee".
fn ruled_words(ruled: &RuledShown) -> String {
    format!("{}, by {}", words::capital(&ruled.answer), ruled.by)
}

/// What the ruling is to the piece.
fn ruled_tone(dossier: &Dossier, ruled: &RuledShown) -> Tone {
    match (dossier.gaps.first(), ruled.below) {
        (Some(gap), Some(below)) => gap.tones[usize::from(!below)],
        _ => Tone::Plain,
    }
}

fn close_up_caption(dossier: &Dossier, index: usize) -> String {
    let view = &dossier.close_ups[index];
    let enlargement = view.enlargement;
    let digits = |value: f64| format!("{value:.1}").trim_end_matches(".0").to_owned();
    let scale = if enlargement >= 1.0 {
        format!("{} : 1", digits(enlargement))
    } else {
        format!("1 : {}", digits(1.0 / enlargement))
    };
    let shown_before = |class: &str| {
        dossier.close_ups[..index].iter().any(|view| figure::kinds(view).iter().any(|(c, _)| *c == class))
    };
    let legend: String = figure::kinds(view)
        .into_iter()
        .filter(|(class, _)| !shown_before(class))
        .map(|(class, words)| format!("<li class=\"key {class}\">{words}</li>"))
        .collect();
    let at = if dossier.gaps.is_empty() { "piece" } else { "gap" };
    let is_as_taken = view.picture.media_type == "image/png";
    let explained = if index == 0 && is_as_taken {
        format!(
            " Pixels of the photo as they are, {:.2} mm each, as seen from straight above; the scale holds at the \
             {at}.",
            view.mm_per_px
        )
    } else if index == 0 {
        format!(" The photo as seen from straight above; the scale holds at the {at}.")
    } else {
        String::new()
    };
    let legend = if legend.is_empty() { legend } else { format!("<ul class=\"legend\">{legend}</ul>") };
    format!("<p><b>{}</b>, {scale} when printed.{explained}</p>{legend}", text(&view.title))
}

fn paint_words(against: Against) -> String {
    match against {
        Against::MeasuredPaint { nearer_mm } => format!(
            "The paint's edge was measured beside the piece; it lies {:.2} mm {} the piece than drawn.",
            nearer_mm.abs(),
            if nearer_mm < 0.0 { "farther from" } else { "nearer to" }
        ),
        Against::DrawnPaint => {
            "The paint was not measured: its edge is as the board file draws it.".to_owned()
        }
        Against::SurfaceEdge => "Measured to the end of the playing surface.".to_owned(),
        Against::Brink => {
            "A piece is in play while its middle is on the board and over no pocket; the edge is as \
                           the board file draws it."
                .to_owned()
        }
        Against::Piece => "By their centres, along the board.".to_owned(),
    }
}

fn colours(colours: &Colours) -> String {
    let caption = "The middle tones of the faces in this photo, side by side; a stop is twice the light. What the \
                   call weighs is each face against the board beside it, in brightness, hue and gloss.";
    figure_of("colours", &figure::colours(colours), caption)
}

fn ruler(gap: &Gap) -> String {
    let caption = format!(
        "<p><b>{}.</b> {} Thick bar ±1 σ, thin bar ±{:.2} mm: a gap is called when the thin bar does not reach \
         0.</p>",
        text(&words::capital(&gap.name)),
        paint_words(gap.against),
        gap.called_from_mm
    );
    figure_of("gap-ruler", &figure::ruler(gap), &caption)
}

/// The gaps beside the one that decides.
fn also(gaps: &[Gap]) -> String {
    let row = |gap: &Gap| {
        let call = match gap.call {
            ContactCall::Touching => &gap.below,
            ContactCall::Clear => &gap.above,
            ContactCall::TooClose => "too close",
        };
        let drawn = if gap.against == Against::DrawnPaint { " <small>as drawn</small>" } else { "" };
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}{drawn}</td><td>{}</td></tr>",
            text(&words::capital(&gap.name)),
            gap.stated(),
            text(call)
        )
    };
    match gaps {
        [] | [_] => String::new(),
        [_, others @ ..] => {
            let rows: String = others.iter().map(row).collect();
            format!(
                "<section class=\"also\"><h2>Also measured</h2><table><tbody>{rows}</tbody></table></section>\n"
            )
        }
    }
}

fn either_way(either_way: &EitherWay, is_ruled: bool) -> String {
    let as_called = if is_ruled { " <small>as ruled</small>" } else { " <small>as tallied</small>" };
    let row = |outcome: &Outcome| {
        format!(
            "<tr{}><th scope=\"row\">{}{}</th><td>{}</td><td>{}</td></tr>",
            if outcome.as_called { " class=\"as-called\"" } else { "" },
            text(&words::capital(&outcome.when)),
            if outcome.as_called { as_called } else { "" },
            outcome.points.map_or_else(|| "–".to_owned(), |points| points.to_string().replace('-', "−")),
            text(&tally_words(&outcome.tally).replace('-', "−")),
        )
    };
    let rows: String = [&either_way.below, &either_way.above].into_iter().flatten().map(row).collect();
    let table = if rows.is_empty() {
        String::new()
    } else {
        format!(
            "<table><thead><tr><th scope=\"col\">If it is</th><th scope=\"col\">piece</th>\
             <th scope=\"col\">tally of the photo</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    };
    format!(
        "<section class=\"either-way\"><h2>The score either way</h2>{table}<p>{}</p></section>\n",
        text(&either_way.meaning)
    )
}

fn in_match(in_match: &InMatch) -> String {
    let score = |score: &[(String, i32)]| -> String {
        let parts: Vec<String> = score.iter().map(|(side, points)| format!("{side} {points}")).collect();
        text(&parts.join(", ").replace('-', "−"))
    };
    let otherwise = in_match.otherwise.as_ref().map_or_else(String::new, |other| {
        format!("<tr><th scope=\"row\">The other way</th><td>{}</td></tr>", score(other))
    });
    format!(
        "<section class=\"in-match\"><h2>In the match</h2><table><tbody><tr class=\"as-called\">\
         <th scope=\"row\">As it stands</th><td>{}</td></tr>{otherwise}</tbody></table><p>{}</p></section>\n",
        score(&in_match.as_called),
        text(&in_match.meaning)
    )
}

fn rules(dossier: &Dossier) -> String {
    let rules: String = dossier
        .rules
        .iter()
        .map(|rule| format!("<dt>{}</dt><dd>{}</dd>", text(&rule.id), text(&rule.text)))
        .collect();
    if rules.is_empty() {
        return String::new();
    }
    format!("<section class=\"rules\"><h2>The rule</h2><dl>{rules}</dl></section>\n")
}

fn ruling_words(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Upheld => "upheld",
        Ruling::Overruled => "overruled",
        Ruling::Replay => "to be replayed",
    }
}

fn verdicts(verdicts: &[VerdictShown]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let items: String = verdicts
        .iter()
        .map(|verdict| {
            let at = verdict.at.as_ref().map_or_else(String::new, |at| format!(", {}", text(at)));
            format!(
                "<li><b>{}</b> by {}{at}: {}</li>",
                text(&words::capital(ruling_words(verdict.ruling))),
                text(&verdict.by),
                text(&verdict.why)
            )
        })
        .collect();
    format!("<section class=\"verdicts\"><h2>Verdict</h2><ol>{items}</ol></section>\n")
}

fn verdict_form(form: &VerdictForm) -> String {
    let hidden: String = form
        .hidden
        .iter()
        .map(|(name, value)| {
            format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", text(name), text(value))
        })
        .collect();
    let choices: String = [
        ("upheld", "Uphold", "the call stands"),
        ("overruled", "Overrule", "the other way"),
        ("replay", "Replay", "play it again"),
    ]
    .iter()
    .map(|(value, name, words)| {
        format!(
            "<label><input type=\"radio\" name=\"verdict\" value=\"{value}\" required> <b>{name}</b> <span>{words}</span></label>"
        )
    })
    .collect();
    format!(
        "<section class=\"verdict-form\"><h2>Give a verdict</h2>\
         <form method=\"post\" action=\"{}\" data-verdict-form>{hidden}<fieldset><legend>Verdict</legend>{choices}</fieldset>\
         <label class=\"field\">Name <input name=\"by\" required autocomplete=\"name\" maxlength=\"80\"></label>\
         <label class=\"field\">Reason <input name=\"why\" required maxlength=\"400\"></label>\
         <button type=\"submit\">Record the verdict</button><p data-verdict-message role=\"status\"></p></form></section>\n",
        text(&form.action)
    )
}

fn basis(basis: &Basis, gap: Option<&Gap>) -> String {
    let mut rows: Vec<(&str, String)> = vec![("Photo", basis.photo.clone())];
    rows.extend(basis.taken_at.clone().map(|at| ("Taken", at)));
    rows.extend(
        basis.photo_sha256.clone().map(|hash| ("SHA-256", hash.chars().take(16).collect::<String>() + "…")),
    );
    rows.push(("Board", basis.board.clone()));
    rows.push((
        "Found by",
        format!("{}; edges fit to {:.2} px ({} places)", basis.registration, basis.rms_px, basis.edges),
    ));
    rows.push((
        "Camera",
        format!(
            "{:.0} mm above the board, piece seen {:.0}° off straight down, {:.2} mm a pixel",
            basis.camera_height_mm, basis.slant_deg, basis.mm_per_px
        ),
    ));
    if let Some(gap) = gap {
        let shares: Vec<String> =
            gap.shares.iter().map(|share| format!("{} {:.3}", share.name, share.sigma_mm)).collect();
        rows.push(("σ in mm", format!("{}; together {:.3}", shares.join(", "), gap.sigma_mm)));
    }
    rows.push(("Program", basis.program.clone()));
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", text(value))).collect();
    format!("<section class=\"basis\"><h2>What it rests on</h2><dl>{rows}</dl></section>\n")
}

fn advice(advice: &[String]) -> String {
    if advice.is_empty() {
        return String::new();
    }
    let items: String = advice.iter().map(|sentence| format!("<li>{}</li>", text(sentence))).collect();
    format!("<section class=\"advice\"><h2>What would make it surer</h2><ul>{items}</ul></section>\n")
}

fn frames(frames: &[FrameShot]) -> String {
    if frames.is_empty() {
        return String::new();
    }
    let shots: String = frames
        .iter()
        .map(|frame| {
            let at = format!("{} s", words::signed_mm(frame.at_secs));
            let words = if frame.called { "the called frame".to_owned() } else { at };
            format!(
                "<figure data-frame{}><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{words}\"><figcaption>{words}</figcaption></figure>",
                if frame.called { " data-called" } else { "" },
                frame.picture.data_uri(),
                frame.picture.size_px[0],
                frame.picture.size_px[1],
            )
        })
        .collect();
    format!(
        "<section class=\"frames\" data-frames><h2>Before and after</h2><div class=\"film\" tabindex=\"0\" role=\"group\" aria-label=\"Frames\">{shots}</div>\
         <div class=\"steps\" hidden><button type=\"button\" data-step=\"-1\">‹ before</button>\
         <output data-position></output><button type=\"button\" data-step=\"1\">after ›</button>\
         <button type=\"button\" data-play>▶ play</button></div></section>\n"
    )
}

fn others(dossier: &Dossier) -> String {
    match (&dossier.other_measurements[..], dossier.gaps.first()) {
        ([], _) | (_, None) => String::new(),
        (others, Some(gap)) => {
            let caption =
                format!("The gap in mm in {} other frames with ±1 σ; the called frame at 0 s.", others.len());
            format!(
                "<section class=\"others\"><h2>Other frames</h2>{}</section>\n",
                figure_of("other-frames", &figure::plot(gap, others), &caption)
            )
        }
    }
}
