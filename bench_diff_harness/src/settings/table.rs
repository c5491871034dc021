//! Every setting, with what it does: the one place where they are listed.

use bench_diff_core::JudgeKind;

use super::against::{self, Changed};
use super::config::{Config, Format, Ignored, Mode, TimeLimit};
use super::files::{FileFormat, FilePath};
use super::given::Given;
use super::layouts::Layouts;
use super::setting::Effect::{Ending, Judging, Measuring, Reading, Reports, Running, Storing, Usual};
use super::setting::{Setting, setting};
use super::when::When;
use super::{defaults, grammar};

/// Every setting, in the order of the help.
pub(crate) static SETTINGS: [Setting; 60] = [
    setting(Usual, "exact", "", "Match a filter against the whole name")
        .sets(|config| config.selection.exact = true),
    setting(Usual, "skip", "FILTER", "Leave out pairs whose name contains this; may be repeated")
        .takes(|config, given| {
            config.selection.skip.push(given.text().to_owned());
            Ok(())
        })
        .many(),
    // Of some that are given the last one here counts.
    setting(Running, "ignored", "", "Run only ignored pairs")
        .sets(|config| config.selection.ignored = Ignored::Only),
    setting(Running, "include-ignored", "", "Run ignored pairs as well").sets(|config| {
        config.selection.ignored = Ignored::Included;
    }),
    // Cargo says so by itself.
    setting(Usual, "bench", "", "").sets(|config| config.mode = Mode::Measure),
    setting(Running, "test", "", "Run each function once and measure nothing")
        .sets(|config| config.mode = Mode::Test),
    setting(Running, "list", "", "List the pairs").sets(|config| config.mode = Mode::List),
    setting(Usual, "quiet", "", "The same as --format terse").letter('q'),
    setting(Usual, "color", "WHEN", "auto, always or never [default: auto]")
        .takes(|config, given| put(&mut config.color, When::read(given.text()))),
    setting(Usual, "help", "", "Print this help, with the value of each setting and its source").letter('h'),
    setting(Usual, "", "FLAG", "").letter('Z').many(),
    setting(Usual, "nocapture", "", ""),
    setting(Usual, "no-capture", "", ""),
    setting(Usual, "show-output", "", ""),
    setting(Usual, "report-time", "", ""),
    setting(Usual, "ensure-time", "", ""),
    setting(Usual, "exclude-should-panic", "", ""),
    setting(Usual, "force-run-in-process", "", ""),
    setting(Usual, "test-threads", "VALUE", "").many(),
    setting(Usual, "logfile", "VALUE", "").many(),
    setting(Usual, "shuffle", "", ""),
    setting(Usual, "shuffle-seed", "VALUE", ""),
    setting(Judging, "judge", "NAME", "The test that decides: sequential or welch")
        .or(|| defaults::plan().judge.name().to_owned()),
    setting(Judging, "max-slowdown", "SHARE", "The margin of pairs with the gate max_slowdown")
        .or(|| format!("{}%", defaults::MARGIN * 100.0)),
    setting(Judging, "min-speedup", "TIMES", "The factor of pairs with the gate min_speedup"),
    setting(Judging, "max-difference", "SHARE", "The margin of pairs with the gate max_difference"),
    setting(Judging, "max-allocations", "SHARE", "A second gate: the share by which allocations may grow"),
    setting(Judging, "report-only", "", "Measure and show every pair without a verdict"),
    setting(Judging, "max-tail", "TIMES", "The factor of pairs with the gate max_tail"),
    setting(Judging, "ignore-below", "TIME", "Count a smaller difference per call as none"),
    setting(Judging, "alpha", "RATE", "The rate of false failures of one run of this binary")
        .or(|| defaults::plan().alpha.to_string()),
    setting(Judging, "beta", "RATE", "The rate of false passes of one pair")
        .or(|| defaults::plan().beta.to_string()),
    setting(Measuring, "max-time", "TIME", "sequential: the time after which a pair is inconclusive")
        .or(|| format!("{:?}", defaults::plan().max_time)),
    setting(Judging, "layouts", "LAYOUTS", "The programs that rounds run in: auto, all, linked or none")
        .or(|| Layouts::default().name().to_owned()),
    setting(Judging, "max-rounds", "ROUNDS", "sequential: the rounds after which a pair is inconclusive")
        .or(|| defaults::plan().max_rounds.unwrap_or_default().to_string()),
    setting(Measuring, "slots", "SLOTS", "welch: slots of each function; an odd number is rounded up")
        .or(|| defaults::plan().slots.to_string()),
    setting(Measuring, "clock", "CLOCK", "The clock that times slots: auto, wall or cpu")
        .or(|| defaults::plan().clock.name().to_owned()),
    setting(Measuring, "warmup", "TIME", "Warm up for at least this long in every round").or(|| {
        let of = defaults::warmup;
        format!("{:?}, {:?} for welch", of(JudgeKind::Sequential), of(JudgeKind::Welch))
    }),
    setting(Measuring, "seed", "HEX", "The seed of the order of slots and of layouts")
        .takes(|config, given| put(&mut config.seed, grammar::seed(given.text())))
        .or(|| "a new one".to_owned())
        .not_repeated(),
    setting(
        Measuring,
        "against",
        "REV",
        "Compare each function with itself in another revision, folder or program; \
         base is the commit that the change started from",
    )
    .takes(|config, given| put(&mut config.against.name, against::name(given.text())))
    // The name of a branch is another commit tomorrow.
    .not_repeated(),
    setting(
        Measuring,
        "against-env",
        "NAME=VALUE",
        "Build the other side with this variable; may be repeated",
    )
    .takes(|config, given| {
        config.against.variables.push(against::variable(given.text())?);
        Ok(())
    })
    .many(),
    setting(
        Measuring,
        "against-changed",
        "WHAT",
        "A benchmark that has changed itself: show (never fails) or judge",
    )
    .takes(|config, given| put(&mut config.against.changed, Changed::read(given.text())))
    .or(|| Changed::default().name().to_owned()),
    setting(
        Measuring,
        "self-test",
        "",
        "Test the gates on this machine: each baseline against itself, plain and slowed",
    )
    .sets(|config| config.self_test = true)
    .flag_only(),
    setting(Measuring, "isolate", "", "Run each pair in a process of its own in every round")
        .sets(|config| config.isolate = true),
    setting(Measuring, "no-proof", "", "Measure functions of the same machine code as well")
        .sets(|config| config.no_proof = true),
    setting(
        Measuring,
        "timeout",
        "TIME",
        "End the process of a pair that takes longer than this; the run goes on",
    )
    .takes(|config, given| {
        let limit = grammar::time_limit(given.text());
        put(&mut config.timeout, limit.map(|time| TimeLimit { time, source: given.source() }))
    })
    .or(|| "none".to_owned()),
    setting(Ending, "strict", "", "Treat an inconclusive pair as a failure")
        .sets(|config| config.strict = true),
    setting(Measuring, "fail-fast", "", "Stop after the first pair that fails or cannot be measured")
        .sets(|config| config.fail_fast = true)
        .not_repeated(),
    setting(Reports, "format", "FORMAT", "The form of the output: pretty, terse, json, junit or bencher")
        .takes(|config, given| put(&mut config.format, Format::read(given.text())))
        .or(|| Format::default().name().to_owned()),
    setting(Reports, "verbose", "", "Show what each pair proves, the data behind it, and every note")
        .sets(|config| config.verbose = true)
        .letter('v'),
    setting(Reports, "json", "PATH", "Write the records to a file, one JSON object a line")
        .takes(|config, given| report(config, FileFormat::Json, given)),
    setting(Reports, "junit", "PATH", "Write a JUnit report")
        .takes(|config, given| report(config, FileFormat::Junit, given)),
    setting(Reports, "markdown", "PATH", "Write a table in markdown")
        .takes(|config, given| report(config, FileFormat::Markdown, given)),
    setting(Reports, "csv", "PATH", "Write the raw slots")
        .takes(|config, given| report(config, FileFormat::Csv, given)),
    setting(Reports, "bencher", "PATH", "Write the metrics of Bencher, bencher.dev")
        .takes(|config, given| report(config, FileFormat::Bencher, given)),
    setting(Reports, "html", "PATH", "Write a page with plots, in one file")
        .takes(|config, given| report(config, FileFormat::Html, given)),
    setting(
        Reports,
        "github",
        "WHEN",
        "Annotate the source and write the step summary: auto, always or never",
    )
    .takes(|config, given| put(&mut config.github, When::read(given.text())))
    .or(|| "auto, if GITHUB_ACTIONS is true".to_owned()),
    setting(Storing, "dir", "PATH", "The folder of the stored runs of all packages")
        .takes(|config, given| put(&mut config.dir, FilePath::new(given)))
        .or(|| "bench_diff in the target directory".to_owned()),
    setting(Reading, "replay", "PATH", "Judge a stored run again and measure nothing")
        .takes(|config, given| put(&mut config.replay, FilePath::new(given))),
    setting(Reading, "merge", "DIR", "Join the records below a folder into one report and one exit code")
        .takes(|config, given| put(&mut config.merge, FilePath::new(given))),
];

/// Adds a report in the file that a setting names.
fn report(config: &mut Config, format: FileFormat, given: &Given) -> Result<(), String> {
    config.reports.push((format, FilePath::new(given)?));
    Ok(())
}

fn put<T, E: Into<String>>(place: &mut T, value: Result<impl Into<T>, E>) -> Result<(), String> {
    *place = value.map_err(E::into)?.into();
    Ok(())
}
