//! Error messages about arguments.

use bench_diff_system::exit::Misuse;
use bench_diff_system::similar::similar;

use super::foreign::instead_of;
use crate::settings::table::SETTINGS;

pub(in crate::settings) const USAGE: &str = "cargo bench [FILTER...] -- [OPTIONS]";

/// Flags of cargo that users easily put after the `--`.
pub(in crate::settings) const OF_CARGO: [&str; 6] =
    ["features", "no-fail-fast", "no-run", "package", "profile", "workspace"];

/// The message about an unknown flag, given its name or letter. Flags of cargo have their own message: the
/// search for a similar name would suggest the opposite of `--no-fail-fast`.
pub(super) fn unknown(argument: &str, name: &str) -> Misuse {
    if OF_CARGO.contains(&name) {
        return Misuse(format!("'{argument}' is a flag of cargo: put it before the `--`"));
    }
    let names: Vec<&str> = SETTINGS.iter().map(|flag| flag.name).filter(|name| !name.is_empty()).collect();
    let tip = match (instead_of(name), similar(name, &names)) {
        (Some(instead), _) => instead.to_owned(),
        (None, Some(similar)) => format!("a similar argument exists: '--{similar}'"),
        (None, None) => format!("to pass '{argument}' as a filter, use '-- {argument}'"),
    };
    with_usage(&format!("unexpected argument '{argument}' found\n\n  tip: {tip}"))
}

/// A message with the usage below it.
pub(super) fn with_usage(message: &str) -> Misuse {
    Misuse(format!("{message}\n\nUsage: {USAGE}"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use crate::settings::cli::parse;

    fn error(line: &str) -> String {
        parse(line.split_whitespace().map(OsString::from)).unwrap_err().0
    }

    #[test]
    fn an_unknown_flag_names_the_nearest() {
        assert_eq!(
            error("--max-slowdwon 2%"),
            "unexpected argument '--max-slowdwon' found

  tip: a similar argument exists: '--max-slowdown'

Usage: cargo bench [FILTER...] -- [OPTIONS]"
        );
        assert_eq!(error("--max-slowdwon=2%"), error("--max-slowdwon 2%"));
    }

    #[test]
    fn a_flag_of_another_harness_is_answered_with_ours() {
        let saved = error("--save-baseline main");
        assert!(
            saved.starts_with(
                "unexpected argument '--save-baseline' found\n\n  tip: nothing has to be saved: '--against"
            ),
            "{saved}"
        );
        assert!(
            error("--sample-size=10").contains("tip: a function is measured until its verdict is certain")
        );
        assert!(error("--noise-threshold 0.05").contains("tip: use '--max-slowdown'"));
        let letter = error("-s main");
        assert_eq!(letter, saved.replace("--save-baseline", "-s"));
        assert!(error("-n").contains("tip: only '--html' draws plots"));
    }

    #[test]
    fn an_unknown_flag_may_be_meant_as_a_filter() {
        let expected = "unexpected argument '-5' found

  tip: to pass '-5' as a filter, use '-- -5'

Usage: cargo bench [FILTER...] -- [OPTIONS]";
        assert_eq!(error("-5"), expected);
        assert_eq!(error("-q5"), expected);
        assert_eq!(error("--zzz=x"), expected.replace("-5", "--zzz"));
        assert_eq!(error("--=x"), expected.replace("-5", "--"));
    }

    #[test]
    fn a_flag_of_cargo_is_sent_back() {
        for (line, flag) in
            [("--no-fail-fast", "no-fail-fast"), ("--features=fast", "features"), ("--package x", "package")]
        {
            assert_eq!(error(line), format!("'--{flag}' is a flag of cargo: put it before the `--`"));
        }
    }

    #[test]
    fn a_value_is_required() {
        let expected = "a value is required for '--alpha <RATE>' but none was supplied";
        for line in [
            "--alpha",
            "--alpha --bench",
            "--alpha --max-time 1s",
            "--alpha --",
            "--alpha -- 1%",
            "--alpha -1%",
        ] {
            assert_eq!(error(line), expected, "{line}");
        }
        assert_eq!(error("-Z"), "a value is required for '-Z <FLAG>' but none was supplied");
        assert_eq!(
            error("--test-threads"),
            "a value is required for '--test-threads <VALUE>' but none was supplied"
        );
    }

    #[test]
    fn a_switch_has_no_value() {
        let expected = "unexpected argument for option '--strict': \"yes\"

Usage: cargo bench [FILTER...] -- [OPTIONS]";
        assert_eq!(error("--strict=yes"), expected);
        assert_eq!(error("--strict=yes --list"), expected);
        assert_eq!(error("--nocapture=yes"), expected.replace("strict", "nocapture"));
        assert_eq!(error("-q=yes"), expected.replace("--strict", "-q"));
    }

    #[test]
    fn a_value_is_given_once() {
        assert_eq!(
            error("--alpha 1% --alpha=2%"),
            "the argument '--alpha <RATE>' cannot be used multiple times

Usage: cargo bench [FILTER...] -- [OPTIONS]"
        );
        for line in ["--color auto --color auto", "--seed 1 --seed 1"] {
            assert!(error(line).contains("cannot be used multiple times"), "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn arguments_that_are_not_utf8_are_shown() {
        use std::os::unix::ffi::OsStringExt;

        let odd = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        for (arguments, shown) in [
            (vec![odd(b"\xff")], "\u{fffd}"),
            (vec![odd(b"--"), odd(b"a\xff")], "a\u{fffd}"),
            (vec![odd(b"--alpha"), odd(b"1\xff")], "1\u{fffd}"),
            (vec![odd(b"--alpha=\xff")], "\u{fffd}"),
            (vec![odd(b"-Z\xff")], "\u{fffd}"),
        ] {
            let error = parse(arguments).unwrap_err().0;
            assert_eq!(error, format!("invalid argument '{shown}': expected text in UTF-8"));
        }
        let flag = parse([odd(b"--\xff")]).unwrap_err().0;
        assert!(flag.starts_with("unexpected argument '--\u{fffd}' found"), "{flag}");
    }
}
