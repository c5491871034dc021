//! From the arguments to the exit code: the whole run.

mod linked;
mod measure;
mod one_unit;
mod proof;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use bench_diff_core::{Instruments, Seed, SystemClocks};
use bench_diff_report::Reports;
use bench_diff_system::executable::Executable;
use bench_diff_system::exit::{Exit, Misuse, Refusal};
use bench_diff_system::stderr;
use bench_diff_system::terminal::{self, Plain};

use self::measure::measure;
use crate::origin;
use crate::other_side::{self, Compared, MeasuredSide};
use crate::plan::{Listing, Repetition, RunPlan, plan};
use crate::recorded;
use crate::recorder;
use crate::register::PairEntry;
use crate::run::{self, Children, Side, smoke};
use crate::settings::{self, Config, Environment, ManifestSettings, Mode, Target, When, cli, paths};

/// Links where this binary is started as a linker, says how it was compiled where another run asks, else
/// runs the pairs as its arguments say, in this mode if there is one.
pub(crate) fn run(
    arguments: Vec<OsString>,
    mode: Option<Mode>,
    target: &Target,
    entries: &[PairEntry],
) -> Exit {
    if target.by_hand {
        recorder::compile_if_asked(&arguments);
    }
    let Some(target) = &target.as_started() else {
        return Refusal::from(NOT_BY_CARGO.to_owned()).tell();
    };
    // Cargo may add more flags behind it, such as `--bench`.
    if arguments.first().is_some_and(|first| first == bench_diff_revision::CALL_FLAG) {
        let answer = bench_diff_revision::answer(target.rustc_call, &env::vars_os().collect());
        Exit::of_writing("the call", io::stdout().write_all(&answer)).end();
    }
    let linked = bench_diff_binary::link(&arguments, env::current_dir, |name| env::var_os(name));
    if let Some(linked) = linked {
        linked.map_or_else(|reason| Refusal::from(reason).tell(), |()| Exit::Success).end();
    }
    run_as_typed(arguments, mode, target, entries).unwrap_or_else(Refusal::tell)
}

/// The run that somebody has started.
fn run_as_typed(
    arguments: Vec<OsString>,
    mode: Option<Mode>,
    target: &Target,
    entries: &[PairEntry],
) -> Result<Exit, Refusal> {
    let typed = cli::parse(arguments)?;
    let environment = Environment::new(env::vars_os());
    if typed.has("help") {
        let help = settings::help(&typed, &environment, terminal::width());
        let help = help.map_err(|Misuse(reason)| Refusal { exit: Exit::Usage, reason })?;
        return Ok(Exit::of_writing("the help", io::stdout().write_all(help.as_bytes())));
    }
    let mut config = Config::new(typed, &environment)?;
    config.mode = mode.unwrap_or(config.mode);
    config.refuse_results_of_tests()?;
    if config.mode == Mode::Measure {
        other_side::restart_recorded(target);
        origin::check(&config.surroundings, target)?;
    }
    let root = paths::root(&config, target);
    let manifest = ManifestSettings::read(&root)?;
    let none = ManifestSettings::default();
    let settings = manifest.as_ref().unwrap_or(&none);
    config.budget = config.budget.or(settings.budget);
    let listing = run::list(entries, settings, config.timeout.as_ref())?;
    if config.mode == Mode::Measure && !config.selection.exact {
        note_what_does_nothing(&listing, manifest.as_ref(), &root);
    }
    // A function may register its benchmarks only on another system, or only with a feature.
    if entries.is_empty() {
        let exit = if config.mode == Mode::List { Exit::Success } else { Exit::Error };
        return Err(Refusal { exit, reason: NOTHING_REGISTERED.to_owned() });
    }
    if listing.pairs.is_empty() && config.strict && config.mode == Mode::Measure {
        return Err("no function registers a benchmark".to_owned().into());
    }
    let Compared { listing, against, side } = other_side::compared(listing, &config, target)?;
    let mut repetition = Repetition::of(target);
    if config.mode == Mode::Measure {
        repetition.spec = paths::package_spec(target);
        repetition.build = other_side::arguments_of_cargo(target, &settings.benches);
    }
    let plan = plan(&listing, &config, target, Seed::random(), against, repetition);
    if plan.pairs.is_empty()
        && plan.against.is_none()
        && config.selection.exact
        && config.surroundings.nextest_run.is_some()
        && config.mode != Mode::List
    {
        return Err(NOT_IN_THIS_PROCESS.to_owned().into());
    }
    execute(plan, side.as_ref(), target)
}

fn execute(plan: RunPlan, side: Option<&MeasuredSide>, target: &Target) -> Result<Exit, Refusal> {
    let mut out = output(plan.config.color);
    match plan.config.mode {
        // It has no colours.
        Mode::List => {
            let pairs: Vec<_> = plan.pairs.iter().map(recorded::listed).collect();
            let written = bench_diff_report::list(&pairs, plan.config.format, &mut io::stdout());
            Ok(Exit::of_writing("the list", written))
        }
        Mode::Test => {
            let clocks = SystemClocks::new();
            let program = Side { program: Executable::this()?, relinker: None };
            let mut children = Children::new(&plan, &Instruments::new(&clocks), program, None)?;
            Ok(smoke::run(&plan, &mut children, &mut out))
        }
        Mode::Measure => {
            let options = recorded::options(&plan, target, terminal::width());
            let mut reports = Reports::new(&options, &mut out)?;
            let measured = measure(plan, side, target, &mut |event| reports.emit(event));
            Ok(measured.unwrap_or_else(Refusal::tell).max(reports.exit()))
        }
    }
}

fn output(color: When) -> Box<dyn Write> {
    if color.is_now(terminal::has_escapes()) {
        Box::new(io::stdout())
    } else {
        Box::new(Plain::new(io::stdout()))
    }
}

/// Notes on functions and settings without a benchmark, and on a missing manifest.
fn note_what_does_nothing(listing: &Listing, manifest: Option<&ManifestSettings>, root: &Path) {
    for function in &listing.without_pairs {
        stderr::note(format_args!(
            "{function} registers no benchmark, so it is not called while others are measured"
        ));
    }
    let Some(manifest) = manifest else {
        stderr::note(format_args!("no Cargo.toml in {}, so no limits of a manifest apply", root.display()));
        return;
    };
    let names: Vec<&str> = listing.pairs.iter().map(|pair| &*pair.name).collect();
    for pattern in manifest.unused(&names) {
        stderr::note(format_args!("Cargo.toml has settings for `{pattern}`, which match no benchmark"));
    }
}

const NOT_IN_THIS_PROCESS: &str = "no pair has this name, though nextest listed it. Nextest starts a process for each \
    name, so names must not differ from process to process, as with the time in a name";

const NOT_BY_CARGO: &str = "only `cargo bench` can start this bench, since its `main` is written by hand";

const NOTHING_REGISTERED: &str = "no benchmark is registered in this binary\n\n\
    Put #[bench_diff] over a function of this file. Benchmarks of a library are registered only if the library is \
    linked: name it with `use my_library as _;`.";
