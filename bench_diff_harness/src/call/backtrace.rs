//! The frames of a backtrace that concern the user's code.

/// The frames from the panic to the last function of the user, numbered from 0. `None` if they cannot be
/// recognized, as in a program without symbols.
pub(super) fn of_user(backtrace: &str) -> Option<String> {
    let frames = frames(backtrace);
    // std marks where its panic machinery ends, and where a thread begins.
    let panicking = frames.iter().rposition(|frame| frame.contains("__rust_end_short_backtrace"));
    let after = &frames[panicking.map_or(0, |place| place + 1)..];
    let is_caller = |frame: &&str| frame.contains("__rust_begin_short_backtrace") || is_of_harness(frame);
    let length = after.iter().position(is_caller)?;
    let numbered = |(number, frame): (usize, &&str)| {
        let (_, function) = frame.split_once(": ")?;
        Some(format!("{number:4}: {function}"))
    };
    let shown: Option<String> = after[..length].iter().enumerate().map(numbered).collect();
    shown.filter(|shown| !shown.is_empty())
}

/// The frames, each with the line that shows its location.
fn frames(backtrace: &str) -> Vec<&str> {
    let mut frames: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for line in backtrace.split_inclusive('\n') {
        if is_first_line(line) && end > start {
            frames.push(&backtrace[start..end]);
            start = end;
        }
        end += line.len();
    }
    frames.push(&backtrace[start..end]);
    frames
}

/// Returns whether this line names a function: `  12: main`.
fn is_first_line(line: &str) -> bool {
    let digits = line.trim_start().bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && line.trim_start()[digits..].starts_with(": ")
}

/// The crates that call the user's functions.
pub(crate) const OWN_CRATES: [&str; 4] =
    ["bench_diff_core", "bench_diff_harness", "bench_diff_criterion", "bench_diff_divan"];

/// Returns whether this frame belongs to one of our crates. With line tables only, the names of functions
/// lack their crates, and only the location shows the crate.
fn is_of_harness(frame: &str) -> bool {
    let (function, place) = frame.split_once('\n').unwrap_or((frame, ""));
    let function = function.split_once(": ").map_or(function, |(_, function)| function);
    OWN_CRATES.iter().any(|own| {
        place.contains(&format!("/{own}"))
            || function.trim_start_matches('<').starts_with(&format!("{own}::"))
            || function.contains(&format!(" as {own}::"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "   0: bench_diff_harness::call::panics::show\n             at /harness/panics.rs:81:21\n   \
        1: std::panicking::panic_with_hook\n   2: std::sys::backtrace::__rust_end_short_backtrace::<F, !>\n   \
        3: __rustc::rust_begin_unwind\n   4: core::panicking::panic_fmt\n             at /rustc/panicking.rs:80:14\n   \
        5: parser::parse\n             at ./src/lib.rs:7:5\n   6: benches::parse\n   7: <F as bench_diff_core::clock::slot::Call>::call\n   \
        8: bench_diff_core::clock::timed::time_slot\n   9: main\n";

    #[test]
    fn only_the_code_of_the_user_is_left() {
        let expected = "   0: __rustc::rust_begin_unwind\n   1: core::panicking::panic_fmt\n             at /rustc/panicking.rs:80:14\n   \
            2: parser::parse\n             at ./src/lib.rs:7:5\n   3: benches::parse\n";
        assert_eq!(of_user(WHOLE).as_deref(), Some(expected));
        let thread = WHOLE
            .replace("<F as bench_diff_core::clock::slot::Call>::call", "std::__rust_begin_short_backtrace");
        assert_eq!(of_user(&thread).as_deref(), Some(expected));
        let by_place = WHOLE.replace(
            "<F as bench_diff_core::clock::slot::Call>::call\n",
            "call<F>\n             at /registry/bench_diff_core-0.1.0/src/clock/slot.rs:18:9\n",
        );
        assert_eq!(of_user(&by_place).as_deref(), Some(expected));
        let method = WHOLE
            .replace("<F as bench_diff_core::clock::slot::Call>", "<bench_diff_harness::call::Results<V>>");
        assert_eq!(of_user(&method).as_deref(), Some(expected));
    }

    #[test]
    fn without_names_all_frames_are_shown() {
        for backtrace in
            ["", "   0: <unknown>\n   1: <unknown>\n", "disabled backtrace", "   0: bench_diff_core::main\n"]
        {
            assert_eq!(of_user(backtrace), None, "{backtrace}");
        }
    }
}
