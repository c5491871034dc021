//! Parses arguments into flags and filters.

use std::ffi::OsString;

use bench_diff_system::exit::Misuse;
use lexopt::{Arg, Parser};

use super::error::{unknown, with_usage};
use crate::settings::setting::{Given, Setting};
use crate::settings::table::{lettered, named};

/// The arguments as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) filters: Vec<String>,
    /// The flags with their values. A switch that was typed twice is listed once.
    pub(crate) flags: Vec<Given>,
}

impl Typed {
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given.setting.name == flag)
    }

    fn add(&mut self, setting: &'static Setting, value: Option<String>) {
        self.flags.push(Given { setting, origin: setting.typed(), is_flag: true, value });
    }
}

/// Parses the arguments, without the name of the program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Typed, Misuse> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    // Cargo appends `--bench` at the very end, where it would be a filter after a `--` of the user.
    if arguments.last().is_some_and(|last| last == "--bench") {
        arguments.rotate_right(1);
    }
    let mut typed = Typed::default();
    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next().map_err(|problem| with_usage(&problem.to_string()))? {
        let flag = match argument {
            Arg::Value(filter) => {
                typed.filters.push(text(filter)?);
                continue;
            }
            Arg::Long(name) => named(name).ok_or_else(|| unknown(&format!("--{name}"), name))?,
            Arg::Short(letter) => {
                lettered(letter).ok_or_else(|| unknown(&format!("-{letter}"), &letter.to_string()))?
            }
        };
        let is_repeated = typed.has(flag.name);
        if flag.is_switch() {
            if !is_repeated {
                typed.add(flag, None);
            }
            continue;
        }
        if is_repeated && !flag.may_repeat {
            let flag = flag.with_value();
            return Err(with_usage(&format!("the argument '{flag}' cannot be used multiple times")));
        }
        // The part after its `=`, or the next argument unless that looks like a flag.
        let value = parser.values().ok().and_then(|mut values| values.next());
        let missing =
            || Misuse(format!("a value is required for '{}' but none was supplied", flag.with_value()));
        typed.add(flag, Some(text(value.ok_or_else(missing)?)?));
    }
    Ok(typed)
}

fn text(argument: OsString) -> Result<String, Misuse> {
    argument
        .into_string()
        .map_err(|odd| Misuse(format!("invalid argument '{}': expected text in UTF-8", odd.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Result<Typed, Misuse> {
        parse(line.split_whitespace().map(OsString::from))
    }

    /// The names of the flags, with their values.
    fn flags(typed: &Typed) -> Vec<(&str, Option<&str>)> {
        typed.flags.iter().map(|given| (given.setting.name, given.value.as_deref())).collect()
    }

    #[test]
    fn cargo_puts_bench_last() {
        assert!(typed("--bench").unwrap().has("bench"));
        assert!(!typed("").unwrap().has("bench"));
        let after_dashes = typed("-- a b --bench").unwrap();
        assert!(after_dashes.has("bench"));
        assert_eq!(after_dashes.filters, ["a", "b"]);
        // `--alpha` lacks its value, and must not take `--bench` for it.
        assert!(typed("--alpha --bench").is_err());
    }

    #[test]
    fn the_flags_of_nextest_are_understood() {
        let run = typed("--exact group::pair/100 --nocapture --bench").unwrap();
        assert_eq!(run.filters, ["group::pair/100"]);
        assert!(run.has("exact") && run.has("bench"));
        let list = typed("--list --format terse --ignored").unwrap();
        assert_eq!(flags(&list), [("list", None), ("format", Some("terse")), ("ignored", None)]);
    }

    #[test]
    fn flags_of_libtest_are_accepted() {
        let line =
            "--nocapture --no-capture --show-output --test-threads 1 -Z unstable-options --skip a --skip b c";
        let separate = typed(line).unwrap();
        assert_eq!((separate.flags.len(), &*separate.filters), (7, &["c".to_owned()][..]));
        let joined =
            line.replace("-Z unstable", "-Zunstable").replace("--test-threads 1", "--test-threads=1");
        assert_eq!(typed(&joined.replace("--skip ", "--skip=")).unwrap(), separate);
    }

    #[test]
    fn a_switch_may_be_repeated() {
        // Nextest passes `--nocapture` and `--bench`, and one of its profiles may pass them again.
        let twice = typed("--exact a --nocapture --nocapture --bench --bench").unwrap();
        assert_eq!(flags(&twice), ["bench", "exact", "nocapture"].map(|flag| (flag, None)));
        assert_eq!(typed("--bench --bench --bench -q -q").unwrap().filters, [""; 0]);
    }

    #[test]
    fn a_value_is_joined_or_follows() {
        let alpha = |line| {
            let given = typed(line).unwrap().flags.pop().unwrap();
            (given.setting.name, given.value)
        };
        for line in ["--alpha 1%", "--alpha=1%", "x --alpha 1% y", "--strict --alpha=1%"] {
            assert_eq!(alpha(line), ("alpha", Some("1%".to_owned())), "{line}");
        }
        assert_eq!(alpha("--alpha="), ("alpha", Some(String::new())));
        assert_eq!(alpha("--alpha=-1"), ("alpha", Some("-1".to_owned())));
        assert_eq!(alpha("--alpha -"), ("alpha", Some("-".to_owned())));
        assert_eq!(alpha("--alpha=a=b"), ("alpha", Some("a=b".to_owned())));
    }

    #[test]
    fn letters_may_share_a_dash() {
        let both = typed("-qh").unwrap();
        assert!(both.has("quiet") && both.has("help"));
        assert!(typed("-qZ x --list").unwrap().filters.is_empty());
    }

    #[test]
    fn what_follows_two_dashes_is_a_filter() {
        let after = typed("a --list -- --exact -q -- b").unwrap();
        assert_eq!(after.filters, ["a", "--exact", "-q", "--", "b"]);
        assert_eq!(flags(&after), [("list", None)]);
        assert_eq!(typed("-- --no-fail-fast").unwrap().filters, ["--no-fail-fast"]);
        assert_eq!(typed("-").unwrap().filters, ["-"]);
    }
}
