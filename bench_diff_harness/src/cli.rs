//! The command line as it was typed: no decision is made here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::settings::{SETTINGS, Setting};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) filters: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) exact: bool,
    pub(crate) list: bool,
    pub(crate) test: bool,
    pub(crate) bench: bool,
    pub(crate) ignored: bool,
    pub(crate) include_ignored: bool,
    pub(crate) quiet: bool,
    pub(crate) shuffle: bool,
    pub(crate) shuffle_seed: Option<u64>,
    /// Whether a file for the log was asked for, which is never written.
    pub(crate) logfile: bool,
    pub(crate) color: Option<String>,
    pub(crate) help: bool,
    /// The settings with their values, by the names of their flags.
    pub(crate) settings: Vec<(&'static str, String)>,
    /// The switches, by the names of their flags.
    pub(crate) switches: Vec<&'static str>,
    pub(crate) isolated: Option<Isolated>,
}

/// What an isolating run tells the process of one pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Isolated {
    /// The file for the result.
    pub(crate) result: PathBuf,
    /// The process that waits for it.
    pub(crate) parent: u32,
}

/// Flags of the standard test harness that change nothing here, without a value and with one.
const NO_EFFECT: [&str; 7] = [
    "nocapture",
    "no-capture",
    "show-output",
    "report-time",
    "ensure-time",
    "exclude-should-panic",
    "force-run-in-process",
];
const NO_EFFECT_WITH_VALUE: [&str; 2] = ["test-threads", "logfile"];

/// Flags of cargo that are easily put behind the `--`.
const OF_CARGO: [&str; 14] = [
    "all-features",
    "benches",
    "features",
    "jobs",
    "locked",
    "manifest-path",
    "no-default-features",
    "no-fail-fast",
    "no-run",
    "offline",
    "package",
    "profile",
    "target",
    "workspace",
];

/// How an isolating run asks the process of one pair for its result. Neither flag is for users.
pub(crate) const ISOLATED_RESULT: &str = "isolated-result";
pub(crate) const ISOLATED_BY: &str = "isolated-by";

/// Reads the arguments, without the name of the program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Typed, clap::Error> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    // Cargo appends `--bench` at the very end, where an option that lacks its value would swallow it.
    let appended = arguments.last().is_some_and(|last| last == "--bench");
    if appended {
        arguments.pop();
    }
    refuse_what_is_of_cargo(&arguments)?;
    let matches = command(|_| String::new())
        .try_get_matches_from(&arguments)
        .map_err(|error| naming_what_is_no_text(error, &arguments))?;
    let flag = |name: &str| matches.get_flag(name);
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    Ok(Typed {
        filters: texts(&matches, "filters"),
        skip: texts(&matches, "skip"),
        exact: flag("exact"),
        list: flag("list"),
        test: flag("test"),
        bench: appended || flag("bench"),
        ignored: flag("ignored"),
        include_ignored: flag("include-ignored"),
        quiet: flag("quiet"),
        shuffle: flag("shuffle"),
        shuffle_seed: matches.get_one("shuffle-seed").copied(),
        logfile: text("logfile").is_some(),
        color: text("color"),
        help: flag("help"),
        settings: with_value().filter_map(|name| Some((name, text(name)?))).collect(),
        switches: switches().filter(|name| flag(name)).collect(),
        isolated: isolated(&matches),
    })
}

fn isolated(matches: &ArgMatches) -> Option<Isolated> {
    let result = matches.get_one::<PathBuf>(ISOLATED_RESULT)?.clone();
    Some(Isolated { result, parent: *matches.get_one(ISOLATED_BY)? })
}

/// The parser says that something is no UTF-8, but not what.
fn naming_what_is_no_text(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let odd = arguments.iter().find(|argument| argument.to_str().is_none());
    match odd.filter(|_| error.kind() == ErrorKind::InvalidUtf8) {
        Some(odd) => {
            let odd = odd.to_string_lossy();
            let message = format!(
                "invalid argument '{odd}': expected text in UTF-8\n\nFor more information, try '--help'.\n"
            );
            clap::Error::raw(ErrorKind::InvalidUtf8, message)
        }
        None => error,
    }
}

/// Not left to the search for a similar flag, which would advise the contrary of `--no-fail-fast`.
fn refuse_what_is_of_cargo(arguments: &[OsString]) -> Result<(), clap::Error> {
    refuse(arguments, &OF_CARGO, "is a flag of cargo: it belongs before the `--`")
}

fn refuse(arguments: &[OsString], names: &[&str], reason: &str) -> Result<(), clap::Error> {
    let flags =
        arguments.iter().filter_map(|argument| argument.to_str()).take_while(|argument| *argument != "--");
    let mut given = flags.filter_map(|flag| flag.strip_prefix("--")?.split('=').next());
    match given.find(|name| names.contains(name)) {
        Some(name) => {
            let message = format!("'--{name}' {reason}\n\nFor more information, try '--help'.\n");
            Err(clap::Error::raw(ErrorKind::UnknownArgument, message))
        }
        None => Ok(()),
    }
}

fn texts(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

/// The names of the settings that have a value.
fn with_value() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter(|setting| !setting.is_switch()).map(|setting| setting.name)
}

/// The names of those that have none.
fn switches() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter(|setting| setting.is_switch()).map(|setting| setting.name)
}

/// The table of the flags; `in_force` says of a setting what follows its help.
pub(crate) fn command(in_force: impl Fn(&Setting) -> String) -> Command {
    let no_effect = NO_EFFECT.into_iter().map(|name| switch(name, "").hide(true));
    let no_effect_with_value = NO_EFFECT_WITH_VALUE
        .into_iter()
        .map(|name| setting(name, "VALUE", "").hide(true).overrides_with(name));
    let settings = SETTINGS.iter().map(|of| {
        let help = format!("{}{}", of.help, in_force(of));
        let arg = of.value.map_or_else(|| switch(of.name, &help), |value| setting(of.name, value, &help));
        arg.help_heading(of.heading)
    });
    Command::new("bench_diff")
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .override_usage("cargo bench [FILTER...] -- [OPTIONS]")
        .after_help(
            "Every flag under a heading has a twin in the environment: BENCH_DIFF_MAX_SLOWDOWN for --max-slowdown, and so \
             on; 1 is a switch turned on. A flag goes before the environment, the environment before the attribute, the \
             attribute before the default.\n\n\
             The PATH of a report is relative to the package and may hold {package} and {bench}.\n\n\
             Exit codes: 0 nothing failed; 101 a pair failed, or is inconclusive with --strict; 2 a wrong flag or \
             value; 3 a pair could not be measured, nothing is registered, or a report cannot be written.\n\n\
             `error: Unrecognized option` comes from the standard harness of a library or a program, which cargo bench \
             runs as well: say `bench = false` in its [lib] or [[bin]] section.",
        )
        .arg(Arg::new("filters").value_name("FILTER").num_args(0..).help("Run only pairs whose name holds one of these"))
        .arg(switch("exact", "A filter is a whole name"))
        .arg(setting("skip", "FILTER", "Leave out pairs whose name holds this; may be repeated").action(ArgAction::Append))
        .arg(switch("ignored", "Run only ignored pairs"))
        .arg(switch("include-ignored", "Run ignored pairs as well"))
        .arg(switch("list", "List the pairs"))
        .arg(switch("test", "Run each function once, measure nothing"))
        .arg(switch("bench", "Measure; cargo bench says so by itself").hide(true))
        .arg(switch("quiet", "The same as --format terse").short('q'))
        .arg(switch("shuffle", "Run the pairs in an order that the seed decides; groups stay together"))
        .arg(
            setting("shuffle-seed", "NUMBER", "Run them in the order that this number decides")
                .value_parser(clap::value_parser!(u64)),
        )
        .arg(setting("color", "WHEN", "auto, always or never [default: auto]"))
        .arg(switch("help", "Print this, with the settings in force and where they come from").short('h'))
        .args(settings)
        .arg(Arg::new("Z").short('Z').value_name("FLAG").action(ArgAction::Append).hide(true))
        .args(no_effect)
        .args(no_effect_with_value)
        .arg(setting(ISOLATED_RESULT, "PATH", "").value_parser(value_parser!(PathBuf)).requires(ISOLATED_BY).hide(true))
        .arg(setting(ISOLATED_BY, "PROCESS", "").value_parser(value_parser!(u32)).requires(ISOLATED_RESULT).hide(true))
}

fn setting(name: &'static str, value: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help.to_owned()).allow_hyphen_values(false)
}

fn switch(name: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).overrides_with(name).help(help.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Result<Typed, clap::Error> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn the_table_of_flags_is_sound() {
        command(|_| String::new()).debug_assert();
    }

    #[test]
    fn cargo_puts_bench_last() {
        assert!(typed("--bench").unwrap().bench);
        assert!(!typed("").unwrap().bench);
        let after_dashes = typed("-- a b --bench").unwrap();
        assert!(after_dashes.bench);
        assert_eq!(after_dashes.filters, ["a", "b"]);
        // `--alpha` lacks its value: it must not take `--bench` for it.
        assert_eq!(typed("--alpha --bench").unwrap_err().exit_code(), 2);
    }

    #[test]
    fn what_nextest_passes_is_understood() {
        let run = typed("--exact group::pair/100 --nocapture --bench").unwrap();
        assert_eq!((run.filters, run.exact, run.bench), (vec!["group::pair/100".to_owned()], true, true));
        let list = typed("--list --format terse --ignored").unwrap();
        assert!(list.list && list.ignored);
        assert_eq!(list.settings, [("format", "terse".to_owned())]);
    }

    #[test]
    fn flags_of_libtest_are_accepted() {
        let line = "--nocapture --no-capture --show-output --test-threads 1 -Z unstable-options --logfile x \
                    --report-time --ensure-time --exclude-should-panic --force-run-in-process --shuffle \
                    --shuffle-seed 3 --skip a --skip b c";
        let separate = typed(line).unwrap();
        assert_eq!(
            (&*separate.skip, &*separate.filters),
            (&["a", "b"].map(Into::into)[..], &["c".into()][..])
        );
        assert_eq!((separate.shuffle, separate.shuffle_seed, separate.logfile), (true, Some(3), true));
        let joined =
            line.replace("-Z unstable", "-Zunstable").replace("--test-threads 1", "--test-threads=1");
        let joined = joined.replace("--logfile x", "--logfile=x").replace("-seed 3", "-seed=3");
        assert_eq!(typed(&joined.replace("--skip ", "--skip=")).unwrap(), separate);
    }

    #[test]
    fn a_flag_may_be_there_twice() {
        // Nextest says `--nocapture` and a profile of it may say `--bench` beside its own.
        let twice = typed("--exact a --nocapture --nocapture --bench --bench").unwrap();
        assert!(twice.bench && twice.exact);
        assert_eq!(typed("--bench --bench --bench -q -q").unwrap().filters, [""; 0]);
    }

    #[test]
    fn a_flag_of_cargo_is_sent_back() {
        for flag in ["--no-fail-fast", "--features=fast", "--package x"] {
            let error = typed(flag).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{flag}");
            assert!(error.to_string().contains("is a flag of cargo: it belongs before the `--`"), "{error}");
        }
        assert_eq!(typed("-- --no-fail-fast").unwrap().filters, ["--no-fail-fast"]);
    }

    #[test]
    fn an_unknown_flag_names_the_nearest() {
        let error = typed("--max-slowdwon 2%").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("--max-slowdown"), "{error}");
    }

    #[test]
    fn what_an_isolating_run_asks_for_is_between_processes() {
        let asked = typed("--bench --exact --isolated-result /t/r --isolated-by 7 -- --a").unwrap();
        assert_eq!(asked.isolated, Some(Isolated { result: "/t/r".into(), parent: 7 }));
        assert_eq!(asked.filters, ["--a"], "whatever the name of the pair");
        assert_eq!(typed("--isolated-result /t/r").unwrap_err().exit_code(), 2);
        let help = command(|_| String::new()).render_long_help().to_string();
        assert!(!help.contains("isolated-"), "{help}");
    }
}
