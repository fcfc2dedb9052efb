//! What a person sees when the program itself is at fault, or when nobody reads its output.

use std::panic::PanicHookInfo;

use crate::capture::CAPTURE_THREAD;

/// Installs the hook. A panic is a bug: it is said so, with what a report needs. Writing to a
/// closed pipe (`linecall boards | head -1`) also arrives as a panic, from `println!`, and is not
/// one: the reader has had enough.
pub(super) fn install_hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // A camera's driver met something unknown; capture catches it and says so.
        if std::thread::current().name() == Some(CAPTURE_THREAD) {
            return;
        }
        let message = message(panic);
        if let Some(output) = OutputFailure::of(&message) {
            match output {
                OutputFailure::ReaderGone => std::process::exit(0),
                OutputFailure::Other(reason) => {
                    eprintln!("linecall: cannot write to standard output: {reason}");
                    std::process::exit(1);
                }
            }
        }
        let place = panic.location().map(|place| format!("{}:{}", place.file(), place.line()));
        eprintln!("{}", explanation(&message, place.as_deref()));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(panic);
        }
    }));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

/// Why `println!` gave up.
#[derive(Debug, PartialEq)]
enum OutputFailure<'m> {
    ReaderGone,
    Other(&'m str),
}

impl<'m> OutputFailure<'m> {
    fn of(message: &'m str) -> Option<Self> {
        let reason = message.strip_prefix("failed printing to stdout: ")?;
        let gone = reason.starts_with("Broken pipe");
        Some(if gone { OutputFailure::ReaderGone } else { OutputFailure::Other(reason) })
    }
}

fn explanation(message: &str, place: Option<&str>) -> String {
    format!(
        "linecall: this is a bug in linecall {version}, not a mistake of yours: {message} ({place}).\n\
         Please report it as CONTRIBUTING.md describes, with the command you ran; linecall bundle LEDGER|PHOTO -o \
         report.zip packs what a report needs, and RUST_BACKTRACE=1 shows more.",
        version = env!("CARGO_PKG_VERSION"),
        place = place.unwrap_or("at an unknown place"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_called_a_bug() {
        let text = explanation("index out of bounds", Some("src/detect/mod.rs:12"));
        for word in ["bug", "index out of bounds", "src/detect/mod.rs:12", env!("CARGO_PKG_VERSION")] {
            assert!(text.contains(word), "{text}");
        }
    }

    #[test]
    fn a_closed_pipe_is_no_bug() {
        let closed = "failed printing to stdout: Broken pipe (os error 32)";
        assert_eq!(OutputFailure::of(closed), Some(OutputFailure::ReaderGone));
        let full = "failed printing to stdout: No space left on device (os error 28)";
        let reason = "No space left on device (os error 28)";
        assert_eq!(OutputFailure::of(full), Some(OutputFailure::Other(reason)));
        assert_eq!(OutputFailure::of("index out of bounds"), None);
    }
}
