//! Every setting, with what it does: the one place where they are listed.

use bench_diff_core::JudgeKind;

use super::config::{Format, TimeLimit};
use super::files::{FileFormat, FilePath};
use super::github::When;
use super::layouts::Layouts;
use super::setting::Effect::{Ending, Judging, Measuring, Reading, Reports, Storing};
use super::setting::Setting;
use super::{defaults, grammar};

/// Every setting, in the order of the help.
pub(crate) const SETTINGS: [Setting; 35] = [
    Setting::new(
        Judging,
        "judge",
        "NAME",
        "How the decision is made: sequential or welch",
        |config, given| put(&mut config.pairs.judge, grammar::judge(given.text())),
    )
    .or(|| defaults::plan().judge.name().to_owned()),
    Setting::new(
        Judging,
        "max-slowdown",
        "SHARE",
        "The margin of pairs with the gate max_slowdown",
        |config, given| put(&mut config.pairs.max_slowdown, grammar::share(given.text())),
    )
    .or(|| format!("{}%", defaults::MARGIN * 100.0)),
    Setting::new(
        Judging,
        "min-speedup",
        "TIMES",
        "The factor of pairs with the gate min_speedup",
        |config, given| put(&mut config.pairs.min_speedup, grammar::times(given.text())),
    ),
    Setting::new(
        Judging,
        "max-difference",
        "SHARE",
        "The margin of pairs with the gate max_difference",
        |config, given| put(&mut config.pairs.max_difference, grammar::share(given.text())),
    ),
    Setting::new(
        Judging,
        "max-allocations",
        "SHARE",
        "Also: a call may allocate so much more than one of the baseline",
        |config, given| put(&mut config.pairs.max_allocations, grammar::excess(given.text())),
    ),
    Setting::switch(Judging, "report-only", "Measure and show every pair without a verdict", |config, _| {
        on(&mut config.pairs.report_only)
    }),
    Setting::new(
        Judging,
        "max-tail",
        "TIMES",
        "The factor of pairs with the gate max_tail",
        |config, given| put(&mut config.pairs.max_tail, grammar::more_than_once(given.text())),
    ),
    Setting::new(
        Judging,
        "ignore-below",
        "TIME",
        "A difference of less than this per call is none",
        |config, given| put(&mut config.pairs.ignore_below, grammar::time_of_call(given.text())),
    ),
    Setting::new(
        Judging,
        "alpha",
        "RATE",
        "The rate of false failures of one run of this binary",
        |config, given| put(&mut config.pairs.alpha, grammar::error_rate(given.text())),
    )
    .or(|| defaults::plan().alpha.to_string()),
    Setting::new(Judging, "beta", "RATE", "The rate of false passes of one pair", |config, given| {
        put(&mut config.pairs.beta, grammar::error_rate(given.text()))
    })
    .or(|| defaults::plan().beta.to_string()),
    Setting::new(
        Measuring,
        "max-time",
        "TIME",
        "sequential: the time after which a pair is inconclusive",
        |config, given| put(&mut config.pairs.max_time, grammar::time_limit(given.text())),
    )
    .or(|| format!("{:?}", defaults::plan().max_time)),
    Setting::new(
        Judging,
        "layouts",
        "LAYOUTS",
        "What a verdict is about: auto, all, linked or none",
        |config, given| put(&mut config.pairs.layouts, grammar::layouts(given.text())),
    )
    .or(|| Layouts::default().name().to_owned()),
    Setting::new(
        Judging,
        "max-rounds",
        "ROUNDS",
        "sequential: the rounds after which a pair is inconclusive",
        |config, given| put(&mut config.pairs.max_rounds, grammar::rounds(given.text())),
    )
    .or(|| defaults::plan().max_rounds.unwrap_or_default().to_string()),
    Setting::new(
        Measuring,
        "slots",
        "SLOTS",
        "welch: slots of each function; an odd number is rounded up",
        |config, given| put(&mut config.pairs.slots, grammar::slots(given.text())),
    )
    .or(|| defaults::plan().slots.to_string()),
    Setting::new(
        Measuring,
        "clock",
        "CLOCK",
        "The clock that times slots: auto, wall or cpu",
        |config, given| put(&mut config.pairs.clock, grammar::clock(given.text())),
    )
    .or(|| defaults::plan().clock.name().to_owned()),
    Setting::new(
        Measuring,
        "warmup",
        "TIME",
        "Run for at least this long in every round before anything counts",
        |config, given| put(&mut config.pairs.warmup, grammar::duration(given.text())),
    )
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
    Setting::switch(
        Measuring,
        "self-test",
        "Test what the gates find here: each baseline beside itself, plain and slowed",
        |config, _| on(&mut config.self_test),
    )
    .flag_only(),
    Setting::switch(
        Measuring,
        "isolate",
        "Run each pair in a process of its own in every round",
        |config, _| on(&mut config.isolate),
    ),
    Setting::switch(Measuring, "no-proof", "Measure also what is the same machine code", |config, _| {
        on(&mut config.no_proof)
    }),
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
    Setting::switch(Ending, "strict", "Treat an inconclusive pair as a failure", |config, _| {
        on(&mut config.strict)
    }),
    Setting::switch(
        Measuring,
        "fail-fast",
        "Stop after the first pair that fails or cannot be measured",
        |config, _| on(&mut config.fail_fast),
    )
    .not_repeated(),
    Setting::new(
        Reports,
        "format",
        "FORMAT",
        "The form of the output: pretty, terse, json, junit or bencher",
        |config, given| put(&mut config.format, grammar::named(given.text(), &Format::ALL, Format::name)),
    )
    .or(|| Format::default().name().to_owned()),
    Setting {
        letter: Some('v'),
        ..Setting::switch(
            Reports,
            "verbose",
            "Show what each pair proves, the data behind it, and every note",
            |config, _| on(&mut config.verbose),
        )
    },
    Setting::new(
        Reports,
        "json",
        "PATH",
        "Write the records to a file, one JSON object a line",
        |config, given| config.files.add(FileFormat::Json, given),
    ),
    Setting::new(Reports, "junit", "PATH", "Write a JUnit report", |config, given| {
        config.files.add(FileFormat::Junit, given)
    }),
    Setting::new(Reports, "markdown", "PATH", "Write a table in markdown", |config, given| {
        config.files.add(FileFormat::Markdown, given)
    }),
    Setting::new(Reports, "csv", "PATH", "Write the raw slots", |config, given| {
        config.files.add(FileFormat::Csv, given)
    }),
    Setting::new(Reports, "bencher", "PATH", "Write the metrics of Bencher, bencher.dev", |config, given| {
        config.files.add(FileFormat::Bencher, given)
    }),
    Setting::new(Reports, "html", "PATH", "Write a page with plots, in one file", |config, given| {
        config.files.add(FileFormat::Html, given)
    }),
    Setting::new(
        Reports,
        "github",
        "WHEN",
        "Annotate the source and write the step summary: auto, always or never",
        |config, given| put(&mut config.github.when, grammar::named(given.text(), &When::ALL, When::name)),
    )
    .or(|| "auto, where GITHUB_ACTIONS is true".to_owned()),
    Setting::new(Storing, "dir", "PATH", "Where the runs of all packages are stored", |config, given| {
        put(&mut config.stored.dir, FilePath::new(given))
    })
    .or(|| "bench_diff in the target directory".to_owned()),
    Setting::new(
        Reading,
        "replay",
        "PATH",
        "Judge a stored run again and measure nothing",
        |config, given| put(&mut config.stored.replay, FilePath::new(given)),
    ),
    Setting::new(
        Reading,
        "merge",
        "DIR",
        "Join the records below a folder into one report and one exit code",
        |config, given| put(&mut config.stored.merge, FilePath::new(given)),
    ),
];

fn put<T, E: Into<String>>(place: &mut T, value: Result<impl Into<T>, E>) -> Result<(), String> {
    *place = value.map_err(E::into)?.into();
    Ok(())
}

fn on<T: From<bool>>(place: &mut T) -> Result<(), String> {
    *place = true.into();
    Ok(())
}
