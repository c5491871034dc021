//! From the arguments to the exit code: the whole run.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{self, PathBuf};

use bench_diff_core::{Clocks, Instruments, Measure, Seed, SystemClocks};

use crate::layout::{self, Build, Relinker};
use crate::machine::lock::{Lock, Timeout};
use crate::machine::{self, Costs, Interference, Machine};
use crate::plan::{Ids, Relinking, Repetition, RunPlan, plan};
use crate::proof::{proven, proven_of_both};
use crate::record::{Event, Outcome, SelfTests};
use crate::register::PairEntry;
use crate::report::{self, Reports, Subject};
use crate::run::{self, Children, Functions, Processes, Revisions, Side, smoke};
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
    let old = match old_program(&config) {
        Ok(old) => old,
        Err(error) => return complain(Exit::Error, &error),
    };
    let listing = match &old {
        None => listing,
        Some(old) => {
            let (listing, new) = listing.against(|name| old.functions.has(name));
            if !new.is_empty() {
                stderr::note(format!("not in {}: {}", old.program.display(), new.join(", ")));
            }
            listing
        }
    };
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
    execute(plan, &config, target, old)
}

/// The program with which this one is compared.
struct Old {
    program: PathBuf,
    functions: Functions,
    /// A build of it, of which it can be linked again, or why there is none.
    build: Result<Build, String>,
}

/// The program with which a measurement compares, where there is one.
fn old_program(config: &Config) -> Result<Option<Old>, String> {
    let Some(name) = config.against.name.as_ref().filter(|_| config.mode == Mode::Measure) else {
        return Ok(None);
    };
    let program = path::absolute(name).map_err(|error| format!("--against {name}: {error}"))?;
    let functions = run::functions_of(&program, config.timeout.as_ref()).map_err(|error| {
        format!("--against {name}: this is no bench of this version of the harness: {error}")
    })?;
    let build = Err("that with which it is compared was given as a program".to_owned());
    Ok(Some(Old { program, functions, build }))
}

fn execute(plan: RunPlan, config: &Config, target: &Target, old: Option<Old>) -> Exit {
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
                    measure(plan, config, target, old, &mut |event| reports.emit(event))
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
    let build = own_build(&plan, config, target);
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
        Err(why) => (without_layouts(plan, &why), None),
    }
}

/// The same of a comparison with another program, of which there are to be layouts as well.
fn with_layouts_of_both(
    plan: RunPlan,
    config: &Config,
    target: &Target,
    instruments: &Instruments<'_, impl Clocks>,
    Old { program: of_old, functions, build: old }: Old,
) -> Result<(RunPlan, Side, Side, Functions), String> {
    let program = executable::path()?;
    let side = |program, relinker| Side { program, relinker };
    let as_linked = |plan| (plan, side(program.clone(), None), side(of_old.clone(), None));
    let (plan, now, old) = if plan.wants_layouts() {
        let builds = old.and_then(|old| Ok((own_build(&plan, config, target)?, old)));
        let plan = match &builds {
            Ok((now, old)) if !config.no_proof => proven_of_both(plan, now, (&of_old, old), instruments),
            _ => plan,
        };
        if plan.wants_layouts() {
            // The places of each side are drawn by themselves.
            let seeds = [plan.seed, plan.seed.for_pair("old")];
            let relinkers = builds.and_then(|(now, old)| {
                Ok([Relinker::new(&program, now, seeds[0])?, Relinker::new(&of_old, old, seeds[1])?])
            });
            match relinkers {
                Ok([now, old]) => {
                    let stays = now.stays().or(old.stays());
                    let balanced = now.is_balanced() && old.is_balanced();
                    now.note().or(old.note()).into_iter().for_each(stderr::note);
                    let relinking = Relinking::Possible { stays, balanced };
                    let (now, old) = (side(program, Some(now)), side(of_old, Some(old)));
                    (RunPlan { relinking, ..plan }, now, old)
                }
                Err(why) => as_linked(without_layouts(plan, &why)),
            }
        } else {
            as_linked(plan)
        }
    } else {
        as_linked(plan)
    };
    Ok((plan, now, old, functions))
}

/// A build of this program.
fn own_build(plan: &RunPlan, config: &Config, target: &Target) -> Result<Build, String> {
    let folder = store::target_folder(config, target)?;
    Build::of(&executable::path()?, plan.ids.program.as_deref(), target.rustc_call, &folder)
}

/// The run with programs as they are, where it asks for others.
fn without_layouts(plan: RunPlan, why: &str) -> RunPlan {
    if !plan.wants_layouts() {
        return plan;
    }
    let outcome = if plan.in_ci { "an error" } else { "inconclusive" };
    stderr::note(format!(
        "this program cannot be linked again, so every round runs it as it is, and a pair that would fail is {outcome}, \
         because the place of its code may be the reason: {why}"
    ));
    plan.without_layouts(why)
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
    let measured = measure(plan, config, target, None, &mut |event| {
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

fn measure(
    plan: RunPlan,
    config: &Config,
    target: &Target,
    old: Option<Old>,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
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
    let (plan, sides) = match old {
        None => {
            let last_run = store::last_run(config, target, plan.unjudged, plan.against.as_ref());
            let (plan, relinker) = with_layouts(RunPlan { last_run, ..plan }, config, target, &instruments);
            (plan, Ok(relinker))
        }
        Some(old) => match with_layouts_of_both(plan, config, target, &instruments, old) {
            Ok((plan, now, old, functions)) => (plan, Err((now, old, functions))),
            Err(error) => return complain(Exit::Error, &error),
        },
    };
    let processes: Result<Box<dyn Processes + '_>, String> =
        match sides {
            Ok(relinker) => Children::new(&plan, &instruments)
                .map(|children| Box::new(children.with_layouts(relinker)) as _),
            Err((now, old, functions)) => Revisions::new(&plan, &instruments, now, old, functions)
                .map(|revisions| Box::new(revisions) as _),
        };
    let mut processes = match processes {
        Ok(processes) => processes,
        Err(error) => return complain(Exit::Error, &error),
    };
    let interference = Interference::new(plan.pairs.iter().any(|pair| pair.threads > 1));
    let mut is_undecided = false;
    let exit = run::run(&plan, &machine, &mut *processes, &mut |event| {
        is_undecided |=
            matches!(event, Event::PairFinished { record, .. } if record.outcome() == Outcome::Inconclusive);
        emit(event);
    });
    // Noise costs a decided pair nothing but time.
    if is_undecided || config.verbose {
        warn(interference.warnings(processes.started(), processes.cost_of_linking()));
    }
    if let Some(note) = processes.note() {
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
