//! From the arguments to the exit code: the whole run.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};

use bench_diff_core::{Clocks, Instruments, Measure, Seed, SystemClocks};

use crate::layout::{self, Build, Relinker};
use crate::machine::lock::{Lock, Timeout};
use crate::machine::{self, Costs, Interference, Machine};
use crate::plan::{Ids, Relinking, Repetition, RunPlan, plan};
use crate::proof::proven;
use crate::record::{Event, Outcome, SelfTests};
use crate::register::PairEntry;
use crate::report::{self, Reports, Subject};
use crate::run::{self, Children, smoke};
use crate::settings::{self, Color, Config, Environment, Format, Mode, PairSettings, Target, cli, paths};
use crate::store::{self, Store};
use crate::system::exit::Exit;
use crate::system::temporary::new_word;
use crate::system::terminal::{self, Plain};
use crate::system::{executable, stderr, time};

/// Links where this program is started as a linker, else runs the pairs as its arguments say.
pub(crate) fn run(arguments: Vec<OsString>, target: &Target) -> Exit {
    if let Some(exit) = layout::link(&arguments) {
        return exit;
    }
    run_as_typed(arguments, target)
}

/// The run that somebody has started.
fn run_as_typed(arguments: Vec<OsString>, target: &Target) -> Exit {
    let typed = match cli::parse(arguments) {
        Ok(typed) => typed,
        Err(error) => return refuse(&error),
    };
    let environment = Environment::new(std::env::vars_os());
    if typed.help {
        let attributes: Vec<PairSettings> =
            inventory::iter::<PairEntry>().map(|entry| entry.settings).collect();
        let help = environment
            .and_then(|environment| settings::help(&typed, &environment, &attributes, terminal::width()));
        return match help {
            Ok(help) => Exit::of_writing("the help", io::stdout().write_all(help.as_bytes())),
            Err(error) => complain(Exit::Usage, &error.to_string()),
        };
    }
    let config = match environment.and_then(|environment| Config::new(typed, &environment)) {
        Ok(config) => config,
        Err(error) => return refuse(&error),
    };
    warn(config.warnings.iter().cloned());
    if let Some(joined) = store::read_back(&config, target) {
        let inputs = joined.inputs().to_owned();
        let subject = Subject { inputs, ..Subject::new(joined.count(), 0, target, &config) };
        return report(&config, &subject, |reports| joined.emit(reports));
    }
    let listing = match run::list(config.timeout.as_ref()) {
        Ok(listing) => listing,
        Err(error) => return complain(Exit::Error, &error),
    };
    if listing.pairs.is_empty() {
        let exit = if config.mode == Mode::List { Exit::Success } else { Exit::Error };
        return complain(exit, NOTHING_REGISTERED);
    }
    let plan = match plan(&listing, &config, target, Seed::random()) {
        Ok(plan) if config.mode == Mode::Measure => {
            let repetition = Repetition { spec: paths::package_spec(target), ..plan.repetition };
            RunPlan { ids: ids(), repetition, ..plan }
        }
        Ok(plan) => plan,
        Err(error) => return refuse(&error),
    };
    if plan.pairs.is_empty()
        && config.selection.exact
        && config.surroundings.nextest
        && config.mode != Mode::List
    {
        return complain(Exit::Error, "no pair has this name, though nextest listed it");
    }
    execute(plan, &config, target)
}

fn execute(plan: RunPlan, config: &Config, target: &Target) -> Exit {
    let mut out = output(config.color);
    let terse = config.format == Format::Terse;
    match config.mode {
        // It has no colours.
        Mode::List => {
            Exit::of_writing("the list", report::list(&plan.pairs, config.format, &mut io::stdout()))
        }
        Mode::Test => {
            let clocks = SystemClocks::new();
            match Children::new(&plan, &clocks.instruments()) {
                Ok(mut children) => smoke::run(&plan, terse, &mut children, &mut out),
                Err(error) => complain(Exit::Error, &error),
            }
        }
        Mode::Measure if config.self_test => self_test(plan, config, target, &mut out),
        Mode::Measure => match Store::open(&plan, config, target) {
            Ok(store) => {
                let stored = store.as_ref().map(Store::path);
                let subject = Subject {
                    stored,
                    ..Subject::new(plan.pairs.len(), plan.elsewhere.len(), target, config)
                };
                report(config, &subject, |reports| {
                    if let Some(store) = store {
                        reports.push_first(store);
                    }
                    measure(plan, config, target, &mut |event| reports.emit(event))
                })
            }
            Err(error) => complain(Exit::Error, &error),
        },
    }
}

/// Runs with the reports that the configuration asks for.
fn report(config: &Config, subject: &Subject, run: impl FnOnce(&mut Reports<'_>) -> Exit) -> Exit {
    let mut out = output(config.color);
    let mut reports = match Reports::new(config, subject, &mut out, terminal::width()) {
        Ok(reports) => reports,
        Err(error) => return complain(error.exit, &error.to_string()),
    };
    let exit = run(&mut reports);
    exit.max(reports.exit())
}

fn output(color: Color) -> Box<dyn Write> {
    match color {
        Color::Auto if terminal::has_colors() => Box::new(io::stdout()),
        Color::Always => Box::new(io::stdout()),
        Color::Auto | Color::Never => Box::new(Plain::new(io::stdout())),
    }
}

/// The run with programs in random layouts, where it asks for them and they can be had.
fn with_layouts(
    plan: RunPlan,
    config: &Config,
    target: &Target,
    instruments: &Instruments<'_, impl Clocks>,
) -> (RunPlan, Option<Relinker>) {
    if !plan.wants_layouts() {
        return (plan, None);
    }
    let program = executable::path();
    let build = store::target_folder(config, target).and_then(|folder| {
        let id = plan.ids.program.as_deref();
        Build::of(program.as_deref()?, id, target.rustc_call, &folder)
    });
    let plan = match &build {
        Ok(build) if !config.no_proof => proven(plan, build, instruments),
        _ => plan,
    };
    if !plan.wants_layouts() {
        return (plan, None);
    }
    match build.and_then(|build| Relinker::new(&program?, build, plan.seed)) {
        Ok(relinker) => {
            if let Some(note) = relinker.note() {
                stderr::note(note);
            }
            let relinking = Relinking::Possible { stays: relinker.stays(), balanced: relinker.is_balanced() };
            (RunPlan { relinking, ..plan }, Some(relinker))
        }
        Err(why) => {
            let outcome = if plan.in_ci { "an error" } else { "inconclusive" };
            stderr::note(format!(
                "this program cannot be linked again, so every round runs it as it is, and a pair that would fail is \
                 {outcome}, because the place of its code may be the reason: {why}"
            ));
            (plan.without_layouts(&why), None)
        }
    }
}

/// Tests the gates of the planned pairs.
fn self_test(plan: RunPlan, config: &Config, target: &Target, out: &mut dyn Write) -> Exit {
    if let Some(unjudged) = plan.unjudged {
        return complain(Exit::Error, &format!("there is no gate to test: {unjudged}"));
    }
    let selected = plan.pairs.len();
    let plan = plan.self_test();
    if plan.pairs.is_empty() && selected > 0 {
        stderr::note("no pair of this run has a gate to test");
    }
    let mut tests = SelfTests::of(&plan);
    let mut reports = Reports::of_self_tests(config, out, terminal::width());
    let mut exit = Exit::Success;
    let measured = measure(plan, config, target, &mut |event| {
        reports.emit(event);
        let Event::PairFinished { record, .. } = event else { return };
        for (test, halves) in tests.add(record) {
            exit = exit.max(test.exit());
            reports.emit(&Event::GateTested { test: &test, halves: &halves });
        }
    });
    // That one half of each test fails is what it is for.
    let measured = if measured == Exit::Failure { Exit::Success } else { measured };
    exit.max(measured).max(reports.exit())
}

fn measure(plan: RunPlan, config: &Config, target: &Target, emit: &mut dyn FnMut(&Event<'_>)) -> Exit {
    warn(plan.warnings());
    let measures = plan.pairs.iter().any(|pair| pair.ignored.is_none());
    let lock = measures.then(|| {
        Lock::acquire(&std::env::temp_dir(), &plan.repetition.bench, Timeout::DEFAULT, |message| {
            stderr::say(message);
        })
    });
    let _lock = lock.and_then(|lock| lock.map_err(|warning| warn([warning])).ok());

    let clocks = SystemClocks::new();
    let instruments = clocks.instruments();
    let machine = Machine { costs: Some(Costs::of(&instruments)), ..Machine::read() };
    if measures {
        warn(machine::warnings(config.surroundings.test_threads));
    }
    // Another run may have taken the place of the former one until it was our turn.
    let plan = RunPlan { last_run: store::last_run(config, target, plan.unjudged, plan.against.as_ref()), ..plan };
    let (plan, relinker) = with_layouts(plan, config, target, &instruments);
    let mut children = match Children::new(&plan, &instruments) {
        Ok(children) => children.with_layouts(relinker),
        Err(error) => return complain(Exit::Error, &error),
    };
    let interference = Interference::new(plan.pairs.iter().any(|pair| pair.threads > 1));
    let mut is_undecided = false;
    let exit = run::run(&plan, &machine, &mut children, &mut |event| {
        is_undecided |=
            matches!(event, Event::PairFinished { record, .. } if record.outcome() == Outcome::Inconclusive);
        emit(event);
    });
    // Noise costs a decided pair nothing but time.
    if is_undecided || config.verbose {
        warn(interference.warnings(children.started(), children.cost_of_linking()));
    }
    if let Some(note) = children.note() {
        stderr::note(note);
    }
    exit
}

fn warn(warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        stderr::warning(warning);
    }
}

const NOTHING_REGISTERED: &str = "no pair is registered in this binary\n\n\
    Put #[bench_diff(baseline = ...)] over a function of this file. Pairs of a library are registered only if the \
    library is linked: name it with `use my_library as _;`.";

/// Says what is wrong with the flags or the environment.
fn refuse(error: &dyn Display) -> Exit {
    complain(Exit::Usage, &format!("{error}\n\nFor more information, try '--help'."))
}

fn complain(exit: Exit, message: &str) -> Exit {
    stderr::error(message);
    exit
}

/// What tells this run and this program from others.
fn ids() -> Ids {
    Ids { run: Some(new_word()), started: Some(time::now()), program: executable::id() }
}
