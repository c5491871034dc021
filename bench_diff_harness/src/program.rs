//! From the arguments to the exit code: the whole run.

mod one_unit;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write};

use bench_diff_core::{Instruments, Seed, SystemClocks};

use crate::against;
use crate::code::Trees;
use crate::inputs;
use crate::layout::{self, Build, Relinker};
use crate::machine::{Costs, Interference, Lock, Machine, Patience};
use crate::origin;
use crate::other_side::{self, Compared, MeasuredSide};
use crate::plan::{OtherSide, PairPlan, Relinking, RunPlan, plan};
use crate::proof::{Old, proven, unproven};
use crate::record::{Event, Outcome, SelfTests};
use crate::register::PairEntry;
use crate::report::{self, Reports, Subject};
use crate::run::{self, Children, Side, smoke};
use crate::settings::{self, Changed, Config, Environment, ManifestSettings, Mode, Target, When, cli, paths};
use crate::store::{self, Store};
use crate::system::executable::{self, Executable};
use crate::system::exit::{Exit, Refusal};
use crate::system::stderr;
use crate::system::terminal::{self, Plain};

/// Links where this program is started as a linker, says how it was compiled where another run asks, else
/// runs the pairs as its arguments say, in this mode if there is one.
pub(crate) fn run(
    arguments: Vec<OsString>,
    mode: Option<Mode>,
    target: &Target,
    entries: &[PairEntry],
) -> Exit {
    if arguments == [against::CALL_FLAG] {
        let call = against::call_text(target.rustc_call);
        return Exit::of_writing("the call", io::stdout().write_all(call.as_bytes()));
    }
    if let Some(exit) = layout::link(&arguments) {
        return exit;
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
    let typed = cli::parse(arguments).map_err(of_usage)?;
    let environment = Environment::new(std::env::vars_os());
    if typed.has("help") {
        let help = settings::help(&typed, &environment, terminal::width());
        let help = help.map_err(|reason| Refusal { exit: Exit::Usage, reason })?;
        return Ok(Exit::of_writing("the help", io::stdout().write_all(help.as_bytes())));
    }
    let mut config = Config::new(typed, &environment).map_err(of_usage)?;
    config.mode = mode.unwrap_or(config.mode);
    if let Some(joined) = store::read_back(&config, target) {
        let inputs = joined.inputs.clone();
        let subject = Subject { inputs, ..Subject::new(target, &config) };
        return report(&config, &subject, |reports| Ok(joined.emit(reports)));
    }
    config.refuse_results_of_tests().map_err(of_usage)?;
    if config.mode == Mode::Measure {
        origin::check(&config.surroundings, target)?;
    }
    let manifest = ManifestSettings::read(&paths::root(&config, target)).map_err(of_usage)?;
    let listing = run::list(entries, &manifest, config.timeout.as_ref(), config.against.name.is_some())?;
    if listing.pairs.is_empty() {
        let exit = if config.mode == Mode::List { Exit::Success } else { Exit::Error };
        return Err(Refusal { exit, reason: NOTHING_REGISTERED.to_owned() });
    }
    let Compared { listing, told: against, side } = other_side::compared(listing, &config, target)?;
    let mut plan = plan(&listing, &config, target, Seed::random());
    if config.mode == Mode::Measure {
        plan.repetition.spec = paths::package_spec(target);
        plan.repetition.build = against::arguments_of_cargo(target, other_side::cargo_call(target));
        plan.repetition.flags.extend(against.iter().flat_map(OtherSide::flags));
        plan = RunPlan { program: executable::id(), against, ..plan };
    }
    if plan.pairs.is_empty()
        && plan.against.is_none()
        && config.selection.exact
        && config.surroundings.nextest
        && config.mode != Mode::List
    {
        return Err("no pair has this name, though nextest listed it".to_owned().into());
    }
    execute(plan, side.as_ref(), &config, target)
}

fn execute(
    plan: RunPlan,
    side: Option<&MeasuredSide>,
    config: &Config,
    target: &Target,
) -> Result<Exit, Refusal> {
    let mut out = output(config.color);
    match config.mode {
        // It has no colours.
        Mode::List => {
            let written = report::list(&plan.pairs, config.format, &mut io::stdout());
            Ok(Exit::of_writing("the list", written))
        }
        Mode::Test => {
            let clocks = SystemClocks::new();
            let program = Side { program: Executable::this()?, relinker: None };
            let mut children = Children::new(&plan, &Instruments::new(&clocks), program, None)?;
            Ok(smoke::run(&plan, config.format, &mut children, &mut out))
        }
        Mode::Measure if config.self_test => self_test(plan, config, target, &mut out),
        Mode::Measure => {
            let store = Store::open(&plan, config, target)?;
            let stored = store.as_ref().map(Store::path);
            let subject = Subject::new(target, config);
            report(config, &Subject { stored, comparison: plan.comparison(), ..subject }, |reports| {
                if let Some(store) = store {
                    reports.push_first(store);
                }
                measure(plan, side, config, target, &mut |event| reports.emit(event))
            })
        }
    }
}

/// Runs with the reports that the configuration asks for.
fn report(
    config: &Config,
    subject: &Subject,
    run: impl FnOnce(&mut Reports<'_>) -> Result<Exit, Refusal>,
) -> Result<Exit, Refusal> {
    let mut out = output(config.color);
    let mut reports = Reports::new(config, subject, &mut out, terminal::width())?;
    let exit = run(&mut reports).unwrap_or_else(Refusal::tell);
    Ok(exit.max(reports.exit()))
}

fn output(color: When) -> Box<dyn Write> {
    if color.is_now(terminal::has_escapes()) {
        Box::new(io::stdout())
    } else {
        Box::new(Plain::new(io::stdout()))
    }
}

/// A program that is linked again, and what it is made of.
struct Linked<'s> {
    program: Executable,
    build: Build,
    /// The trees of both sides, if it is of the other one.
    trees: Option<&'s Trees>,
}

/// Prepares links of this program, and of that of the other side, if there is one.
fn linked<'s>(
    plan: &RunPlan,
    side: Option<&'s MeasuredSide>,
    config: &Config,
    target: &Target,
) -> Result<Vec<Linked<'s>>, String> {
    let (program, id) = (Executable::this()?, plan.program.as_deref());
    let folder = store::target_folder(config, target)?;
    let build = Build::of(&program.path, id, target.rustc_call, &folder)?;
    let mut linked = vec![Linked { program, build, trees: None }];
    if let Some(side) = side {
        linked.push(Linked::of(side).map_err(|why| format!("that of the other side: {why}"))?);
    }
    Ok(linked)
}

impl<'s> Linked<'s> {
    /// Prepares links of the program of a side.
    fn of(side: &'s MeasuredSide) -> Result<Self, String> {
        let call: Vec<&str> = side.program.call.iter().map(String::as_str).collect();
        let folder =
            side.folder.as_ref().ok_or("a program that was built before is compared as it is linked")?;
        let program = side.program.executable.clone();
        let build = Build::of(&program.path, executable::id_of(&program.path).as_deref(), &call, folder)?;
        Ok(Self { program, build, trees: side.trees.as_ref() })
    }
}

/// The run with programs in random layouts, where it asks for them and they can be had: those of this
/// program, and those of the other side, where there is one.
fn with_layouts<'s>(
    plan: RunPlan,
    linked: impl FnOnce(&RunPlan) -> Result<Vec<Linked<'s>>, String>,
    proves: bool,
    instruments: &Instruments<'_>,
) -> (RunPlan, Vec<Relinker>) {
    if !plan.wants_layouts() {
        return (plan, Vec::new());
    }
    let linked = linked(&plan);
    let plan = match linked.as_deref() {
        Ok([now, others @ ..]) if proves => {
            let old = others.first();
            let old = old.map(|old| Old { program: &old.program, build: &old.build, trees: old.trees });
            proven(plan, &now.build, old, instruments)
        }
        _ => plan,
    };
    if !plan.wants_layouts() {
        return (plan, Vec::new());
    }
    let relinkers: Result<Vec<Relinker>, String> = linked.and_then(|linked| {
        let with_seeds = linked.into_iter().zip(Relinker::seeds_of_sides(plan.seed));
        with_seeds.map(|(Linked { build, .. }, seed)| Relinker::new(build, seed)).collect()
    });
    match relinkers {
        Ok(relinkers) => {
            let relinking = Relinking::Possible { has_wide: relinkers.iter().any(Relinker::has_wide) };
            (RunPlan { relinking, ..plan }, relinkers)
        }
        Err(why) => {
            let outcome = if plan.in_ci { "an error" } else { "inconclusive" };
            stderr::note(format!(
                "this program cannot be linked again, so every round runs it as it is, and a failure is reported as \
                 {outcome}, since the place of the code may be its cause: {why}"
            ));
            (plan.without_layouts(&why), Vec::new())
        }
    }
}

/// Tests the gates of the planned pairs.
fn self_test(plan: RunPlan, config: &Config, target: &Target, out: &mut dyn Write) -> Result<Exit, Refusal> {
    if let Some(unjudged) = plan.unjudged {
        return Err(format!("there is no gate to test: {unjudged}").into());
    }
    let selected = plan.pairs.len();
    let plan = plan.self_test();
    if plan.pairs.is_empty() && selected > 0 {
        stderr::note("no pair of this run has a gate to test");
    }
    let mut tests = SelfTests::of(&plan);
    let mut reports = Reports::of_self_tests(config, out, terminal::width());
    let mut exit = Exit::Success;
    let measured = measure(plan, None, config, target, &mut |event| {
        reports.emit(event);
        let Event::PairFinished { record, .. } = event else { return };
        for (test, halves) in tests.add(record) {
            exit = exit.max(test.exit());
            reports.emit(&Event::GateTested { test: &test, halves: &halves });
        }
    });
    // That one half of each test fails is what it is for.
    let measured = measured.unwrap_or_else(Refusal::tell);
    let measured = if measured == Exit::Failure { Exit::Success } else { measured };
    Ok(exit.max(measured).max(reports.exit()))
}

fn measure(
    plan: RunPlan,
    side: Option<&MeasuredSide>,
    config: &Config,
    target: &Target,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Result<Exit, Refusal> {
    warn(plan.warnings(config));
    let measures = plan.pairs.iter().any(|pair| pair.ignored.is_none());
    let lock = measures.then(|| {
        Lock::acquire(&std::env::temp_dir(), &plan.repetition.bench, Patience::OF_RUNS, stderr::say)
    });
    let lock = RefCell::new(lock.and_then(|lock| lock.map_err(|warning| warn([warning])).ok()));

    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    let machine = Machine { costs: Some(Costs::of(&instruments)), ..Machine::read() };
    if measures {
        warn(machine.warning());
    }
    let linked = |plan: &RunPlan| linked(plan, side, config, target);
    let (plan, proves) = match side.and_then(|side| side.program.other_variables.as_deref()) {
        Some(reason) if !config.no_proof => (unproven(plan, reason), false),
        _ => (plan, !config.no_proof),
    };
    let (mut plan, relinkers) = with_layouts(plan, linked, proves, &instruments);
    for pair in &mut plan.pairs {
        let differs = |side: &MeasuredSide| side.program.may_differ_by_units(&pair.proof.in_two_ways);
        pair.may_fail_by_units = side.is_some_and(differs);
    }
    let plan = match side {
        Some(side) if config.against.changed == Changed::Show => {
            inputs::compared(plan, &side.program, target, &instruments)
        }
        _ => plan,
    };
    plan.refuse_too_few(config).map_err(of_usage)?;
    let mut relinkers = relinkers.into_iter();
    let now = Side { program: Executable::this()?, relinker: relinkers.next() };
    let old = side.map(|side| Side { program: side.program.executable.clone(), relinker: relinkers.next() });
    let mut children = Children::new(&plan, &instruments, now, old)?;
    let interference = Interference::new();
    let mut is_undecided = false;
    let step = |event: &Event<'_>| {
        // `PairStarted` comes again and again while a pair hangs, so it is no progress.
        if !matches!(event, Event::PairStarted { .. }) {
            lock.borrow_mut().iter_mut().for_each(Lock::step);
        }
    };
    let one_unit = &mut |failed: &[&PairPlan]| {
        let side = side.ok_or("there is no other side")?;
        one_unit::judged(&plan, failed, &side.both_of_one_unit(config, target)?, &instruments, &step)
    };
    let exit = run::run(&plan, &machine, &mut children, one_unit, &mut |event| {
        step(event);
        is_undecided |=
            matches!(event, Event::PairFinished { record, .. } if record.outcome() == Outcome::Inconclusive);
        emit(event);
    });
    // Noise costs a decided pair nothing but time.
    if is_undecided || config.verbose {
        warn(interference.warning());
    }
    Ok(exit)
}

fn warn(warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        stderr::warning(warning);
    }
}

/// Something is wrong with the flags or the environment.
fn of_usage(error: String) -> Refusal {
    Refusal { exit: Exit::Usage, reason: error + "\n\nFor more information, try '--help'." }
}

const NOTHING_REGISTERED: &str = "no pair is registered in this binary\n\n\
    Put #[bench_diff(baseline = ...)] over a function of this file. Pairs of a library are registered only if the \
    library is linked: name it with `use my_library as _;`.";
