//! Every setting, with what it does: the one place where they are listed.

use bench_diff_core::JudgeKind;

use super::against::{self, Changed};
use super::config::{Format, Ignored, Mode, Shuffle, TimeLimit};
use super::files::FileFormat;
use super::layouts::Layouts;
use super::setting::Effect::{Ending, Judging, Measuring, Reading, Reports, Running, Storing, Usual};
use super::setting::{Setting, accepted, of_pair, report, stored, switch};
use super::when::When;
use super::{defaults, grammar};

/// Every setting, in the order of the help.
pub(crate) static SETTINGS: [Setting; 60] = [
    switch(Usual, "exact", "Match a filter against the whole name", |config| config.selection.exact = true),
    Setting::new(
        Usual,
        "skip",
        "FILTER",
        "Leave out pairs whose name contains this; may be repeated",
        |config, given| {
            config.selection.skip.push(given.text().to_owned());
            Ok(())
        },
    )
    .many(),
    // Of some that are given the last one here counts.
    switch(Running, "ignored", "Run only ignored pairs", |config| config.selection.ignored = Ignored::Only),
    switch(Running, "include-ignored", "Run ignored pairs as well", |config| {
        config.selection.ignored = Ignored::Included;
    }),
    // Cargo says so by itself.
    switch(Usual, "bench", "", |config| config.mode = Mode::Measure),
    switch(Running, "test", "Run each function once and measure nothing", |config| config.mode = Mode::Test),
    switch(Running, "list", "List the pairs", |config| config.mode = Mode::List),
    accepted("quiet", "", "The same as --format terse").letter('q'),
    switch(
        Running,
        "shuffle",
        "Run the pairs in a random order, which the seed decides; groups stay together",
        |config| config.shuffle = Shuffle::BySeed,
    ),
    Setting::new(
        Running,
        "shuffle-seed",
        "NUMBER",
        "Run the pairs in the random order of this seed",
        |config, given| {
            let seed = given.text().parse().map_err(|_| "expected a whole number, at least 0 and below 2^64")?;
            config.shuffle = Shuffle::By(seed);
            Ok(())
        },
    ),
    Setting::new(Usual, "color", "WHEN", "auto, always or never [default: auto]", |config, given| {
        put(&mut config.color, When::read(given.text()))
    }),
    accepted("help", "", "Print this help, with the value of each setting and its source").letter('h'),
    accepted("", "FLAG", "").letter('Z').many(),
    accepted("nocapture", "", ""),
    accepted("no-capture", "", ""),
    accepted("show-output", "", ""),
    accepted("report-time", "", ""),
    accepted("ensure-time", "", ""),
    accepted("exclude-should-panic", "", ""),
    accepted("force-run-in-process", "", ""),
    accepted("test-threads", "VALUE", "").many(),
    Setting::new(Usual, "logfile", "VALUE", "", |config, _| {
        config.warnings = vec![NO_LOGFILE.to_owned()];
        Ok(())
    })
    .many(),
    of_pair(Judging, "judge", "NAME", "The test that decides: sequential or welch")
        .or(|| defaults::plan().judge.name().to_owned()),
    of_pair(Judging, "max-slowdown", "SHARE", "The margin of pairs with the gate max_slowdown")
        .or(|| format!("{}%", defaults::MARGIN * 100.0)),
    of_pair(Judging, "min-speedup", "TIMES", "The factor of pairs with the gate min_speedup"),
    of_pair(Judging, "max-difference", "SHARE", "The margin of pairs with the gate max_difference"),
    of_pair(
        Judging,
        "max-allocations",
        "SHARE",
        "A second gate: the share by which allocations may grow",
    ),
    of_pair(Judging, "report-only", "", "Measure and show every pair without a verdict"),
    of_pair(Judging, "max-tail", "TIMES", "The factor of pairs with the gate max_tail"),
    of_pair(Judging, "ignore-below", "TIME", "Count a smaller difference per call as none"),
    of_pair(Judging, "alpha", "RATE", "The rate of false failures of one run of this binary")
        .or(|| defaults::plan().alpha.to_string()),
    of_pair(Judging, "beta", "RATE", "The rate of false passes of one pair")
        .or(|| defaults::plan().beta.to_string()),
    of_pair(Measuring, "max-time", "TIME", "sequential: the time after which a pair is inconclusive")
        .or(|| format!("{:?}", defaults::plan().max_time)),
    of_pair(Judging, "layouts", "LAYOUTS", "The programs that rounds run in: auto, all, linked or none")
        .or(|| Layouts::default().name().to_owned()),
    of_pair(Judging, "max-rounds", "ROUNDS", "sequential: the rounds after which a pair is inconclusive")
        .or(|| defaults::plan().max_rounds.unwrap_or_default().to_string()),
    of_pair(Measuring, "slots", "SLOTS", "welch: slots of each function; an odd number is rounded up")
        .or(|| defaults::plan().slots.to_string()),
    of_pair(Measuring, "clock", "CLOCK", "The clock that times slots: auto, wall or cpu")
        .or(|| defaults::plan().clock.name().to_owned()),
    of_pair(Measuring, "warmup", "TIME", "Warm up for at least this long in every round")
        .or(|| {
            let of = defaults::warmup;
            format!("{:?}, {:?} for welch", of(JudgeKind::Sequential), of(JudgeKind::Welch))
        }),
    Setting::new(
        Measuring,
        "seed",
        "HEX",
        "The seed of the order of slots and of layouts",
        |config, given| put(&mut config.seed, grammar::seed(given.text())),
    )
    .or(|| "a new one".to_owned())
    .not_repeated(),
    Setting::new(
        Measuring,
        "against",
        "REV",
        "Compare each function with itself in another revision, folder or program; base is the commit that the change started from",
        |config, given| put(&mut config.against.name, against::name(given.text())),
    )
    // The name of a branch is another commit tomorrow.
    .not_repeated(),
    Setting::new(
        Measuring,
        "against-env",
        "NAME=VALUE",
        "Build the other side with this variable; may be repeated",
        |config, given| {
            config.against.variables.push(against::variable(given.text())?);
            Ok(())
        },
    )
    .many(),
    Setting::new(
        Measuring,
        "against-changed",
        "WHAT",
        "A benchmark that has changed itself: show (never fails) or judge",
        |config, given| {
            let changed = grammar::named(given.text(), &[Changed::Judge, Changed::Show], Changed::name);
            put(&mut config.against.changed, changed)
        },
    )
    .or(|| Changed::default().name().to_owned()),
    switch(
        Measuring,
        "self-test",
        "Test the gates on this machine: each baseline against itself, plain and slowed",
        |config| config.self_test = true,
    )
    .flag_only(),
    switch(Measuring, "isolate", "Run each pair in a process of its own in every round", |config| config.isolate = true),
    switch(Measuring, "no-proof", "Measure functions of the same machine code as well", |config| config.no_proof = true),
    Setting::new(
        Measuring,
        "timeout",
        "TIME",
        "End the process of a pair that takes longer than this; the run goes on",
        |config, given| {
            let limit = grammar::time_limit(given.text());
            put(&mut config.timeout, limit.map(|time| TimeLimit { time, source: given.source() }))
        },
    )
    .or(|| "none".to_owned()),
    switch(Ending, "strict", "Treat an inconclusive pair as a failure", |config| config.strict = true),
    switch(Measuring, "fail-fast", "Stop after the first pair that fails or cannot be measured", |config| config.fail_fast = true)
    .not_repeated(),
    Setting::new(
        Reports,
        "format",
        "FORMAT",
        "The form of the output: pretty, terse, json, junit or bencher",
        |config, given| {
            use Format::{Bencher, Json, Junit, Pretty, Terse};
            let format = grammar::named(given.text(), &[Pretty, Terse, Json, Junit, Bencher], Format::name);
            put(&mut config.format, format)
        },
    )
    .or(|| Format::default().name().to_owned()),
    switch(Reports, "verbose", "Show what each pair proves, the data behind it, and every note", |config| config.verbose = true)
    .letter('v'),
    report("json", "Write the records to a file, one JSON object a line", FileFormat::Json),
    report("junit", "Write a JUnit report", FileFormat::Junit),
    report("markdown", "Write a table in markdown", FileFormat::Markdown),
    report("csv", "Write the raw slots", FileFormat::Csv),
    report("bencher", "Write the metrics of Bencher, bencher.dev", FileFormat::Bencher),
    report("html", "Write a page with plots, in one file", FileFormat::Html),
    Setting::new(
        Reports,
        "github",
        "WHEN",
        "Annotate the source and write the step summary: auto, always or never",
        |config, given| put(&mut config.github.when, When::read(given.text())),
    )
    .or(|| "auto, if GITHUB_ACTIONS is true".to_owned()),
    stored(Storing, "dir", "PATH", "The folder of the stored runs of all packages", |config| {
        &mut config.stored.dir
    })
    .or(|| "bench_diff in the target directory".to_owned()),
    stored(Reading, "replay", "PATH", "Judge a stored run again and measure nothing", |config| {
        &mut config.stored.replay
    }),
    stored(
        Reading,
        "merge",
        "DIR",
        "Join the records below a folder into one report and one exit code",
        |config| &mut config.stored.merge,
    ),
];

const NO_LOGFILE: &str = "--logfile has no effect here: --json PATH writes the records to a file";

fn put<T, E: Into<String>>(place: &mut T, value: Result<impl Into<T>, E>) -> Result<(), String> {
    *place = value.map_err(E::into)?.into();
    Ok(())
}
