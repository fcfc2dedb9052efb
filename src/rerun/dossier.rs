//! A call of a ledger as its review page shows it: the stored view measured again, and what only the
//! ledger knows.

use std::path::Path;

use super::{Instead, RerunError, Rescored, compare, compare::partners, rescore};
use crate::{
    calls::ContactCall,
    capture::{PhotoLimits, decode_photo},
    desk::{DeskError, Ruled, either_way, event_summaries, record_of},
    ledger::{CallId, Content, Entry, Ledger, LedgerError, StoredFrame, StoredView},
    review::{
        Dossier, Encoded, Evidence, FrameShot, InMatch, OtherMeasurement, ReviewError, ReviewOptions,
        RuledShown, VerdictShown, from_photo,
    },
    rules::Record,
    score::PhotoReport,
};

/// Why a call has no page.
#[derive(Debug, thiserror::Error)]
pub enum DossierError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("there is no call {call}: {why}")]
    NoSuchCall { call: CallId, why: String },
    #[error("call {call} cannot be shown: {source}")]
    Rerun { call: CallId, source: RerunError },
    #[error("call {call} cannot be shown: {source}")]
    Review { call: CallId, source: ReviewError },
}

/// Collects what there is to say about a call, about `about` or what is closest.
pub fn dossier(
    ledger: &Ledger,
    call: CallId,
    about: Option<&str>,
    options: &ReviewOptions,
) -> Result<Dossier, DossierError> {
    let no_such = |why: String| DossierError::NoSuchCall { call, why };
    let entries = ledger.entries()?;
    let record = record_of(ledger, &entries, call.match_number)?;
    let of_call =
        |entry: &&Entry| entry.match_number == call.match_number && entry.number == Some(call.event);
    let entry = entries.iter().find(of_call);
    let entry = entry.ok_or_else(|| no_such(format!("the match has no event {}", call.event)))?;
    let id =
        entry.view.ok_or_else(|| no_such("its event was told by a person, there is no view".to_owned()))?;
    let view = ledger.view(id)?;
    let pieces = view.report.pieces.len();
    if call.piece == 0 || call.piece > pieces {
        return Err(no_such(format!("event {} has pieces 1 to {pieces}", call.event)));
    }
    let again = rescore(ledger, &view, &Instead::default());
    let again = again.map_err(|source| DossierError::Rerun { call, source })?;
    let now = partners(&view.report, &again.scored.report)[call.piece - 1]
        .ok_or_else(|| no_such("this version does not see the piece any more".to_owned()))?;
    let mut dossier =
        photo_part(&again, now, about, options).map_err(|source| DossierError::Review { call, source })?;
    dossier.id = Some(call.to_string());
    dossier.basis.photo = format!("{}, recorded {:.0}", view.facts.source, view.facts.at);
    dossier.in_match = in_match(&record, entry, &view.report, call, &dossier.about);
    dossier.frames = frames(ledger, &view, options);
    dossier.other_measurements = other_measurements(&view, call.piece - 1);
    dossier.verdicts = verdicts(&entries, call);
    let summaries = event_summaries(ledger, &entries, call.match_number, call.event)?;
    if let Some(ruled) = summaries.into_iter().find(|one| one.id == call).and_then(|one| one.ruled) {
        rule(&mut dossier, ruled);
    }
    let comparison = compare(&view.report, &again.scored.report);
    if comparison.calls[call.piece - 1].differs {
        dossier.advice.insert(
            0,
            format!(
                "{} recorded another call than this version makes of the same frame: \
                 linecall review LEDGER --rerun --event {} shows both.",
                view.facts.program, call.event
            ),
        );
    }
    Ok(dossier)
}

/// A person's word is the answer; what was measured stays beside it.
fn rule(dossier: &mut Dossier, ruled: Ruled) {
    let gap = dossier.gaps.first();
    let is_about_contact = gap.is_some() && ruled.contact.is_some();
    let below = ruled.contact.filter(|_| is_about_contact).map(|call| call == ContactCall::Touching);
    let words = |below: bool| gap.map(|gap| if below { gap.below.clone() } else { gap.above.clone() });
    let place = match (&ruled.area, ruled.changed) {
        (_, false) => "as tallied".to_owned(),
        (Some(area), true) => format!("in {}", area_words(area)),
        (None, true) => "in no area".to_owned(),
    };
    let measured = gap.map(|gap| match gap.call {
        ContactCall::Touching => gap.below.clone(),
        ContactCall::Clear => gap.above.clone(),
        ContactCall::TooClose => "too close to call".to_owned(),
    });
    for (outcome, is_below) in [(&mut dossier.either_way.below, true), (&mut dossier.either_way.above, false)]
    {
        if let (Some(outcome), Some(below)) = (outcome, below) {
            outcome.as_called = below == is_below;
        }
    }
    let answer = below.and_then(words).unwrap_or(place);
    dossier.ruled = Some(RuledShown { by: ruled.by, answer, measured, below });
}

/// As players say it: "the 8 on the left".
fn area_words(area: &str) -> String {
    match area.rsplit_once('-') {
        Some((value, "left")) => format!("the {value} on the left"),
        Some((value, "right")) => format!("the {value} on the right"),
        _ => format!("the {}", area.replace('-', " ")),
    }
}

fn photo_part(
    again: &Rescored,
    piece: usize,
    about: Option<&str>,
    options: &ReviewOptions,
) -> Result<Dossier, ReviewError> {
    let sha256 = again.frame.to_string();
    let evidence = Evidence {
        picture: &again.picture,
        board: &again.scorer.board,
        scored: &again.scored,
        calls: &again.scorer.options.calls,
        taken_at: again.taken_at.as_deref(),
        photo_sha256: Some(&sha256),
    };
    from_photo(&evidence, Some(piece + 1), about, options)
}

fn in_match(
    record: &Record,
    entry: &Entry,
    report: &PhotoReport,
    call: CallId,
    about: &str,
) -> Option<InMatch> {
    let (_, recorded) = entry.event()?;
    let ways = either_way(record, recorded, report, call, Some(about))?;
    Some(InMatch { as_called: ways.as_it_stands, otherwise: ways.otherwise, meaning: ways.meaning })
}

/// The view's frames in the order of time, small enough for a page. One that cannot be shown is left
/// out: `verify` says why.
fn frames(ledger: &Ledger, view: &StoredView, options: &ReviewOptions) -> Vec<FrameShot> {
    if view.facts.frames.len() < 2 {
        return Vec::new();
    }
    let settled = view.facts.settled();
    let shot = |frame: &StoredFrame| {
        let bytes = ledger.file(&frame.hash?).ok()?;
        let picture = decode_photo(&bytes, Path::new("frame"), &PhotoLimits::default()).ok()?;
        let picture =
            Encoded::small_jpeg(picture.rgb(), options.whole_view_px, options.whole_view_quality).ok()?;
        Some(FrameShot { at_secs: frame.secs, picture, called: Some(frame) == settled })
    };
    view.facts.frames.iter().filter_map(shot).collect()
}

/// The gap to the same line in the frames that were measured by themselves.
fn other_measurements(view: &StoredView, piece: usize) -> Vec<OtherMeasurement> {
    let line = view.report.pieces[piece].contact.as_ref().map(|contact| contact.line.as_str());
    let measured = |frame: &StoredFrame| {
        let report = frame.report.as_ref()?;
        let partner = partners(&view.report, report)[piece]?;
        let contact =
            report.pieces[partner].contact.as_ref().filter(|contact| Some(&*contact.line) == line)?;
        let (gap_mm, sigma_mm) = (contact.gap_mm, contact.sigma_mm);
        Some(OtherMeasurement { at_secs: frame.secs, gap_mm, sigma_mm })
    };
    view.facts.frames.iter().filter_map(measured).collect()
}

fn verdicts(entries: &[Entry], call: CallId) -> Vec<VerdictShown> {
    entries
        .iter()
        .filter_map(|entry| match &entry.content {
            Content::Verdict(verdict) if verdict.call == call => Some(VerdictShown {
                ruling: verdict.ruling,
                by: verdict.by.clone(),
                why: verdict.why.clone().unwrap_or_default(),
                at: Some(format!("{:.0}", entry.at)),
            }),
            _ => None,
        })
        .collect()
}
