//! The plan of a run: which pairs, and how each is measured and judged.

pub(crate) mod group;
mod idle;
mod last_run;
mod repetition;
mod self_test;
#[cfg(test)]
mod tests;

use bench_diff_core::{ClockPolicy, Gate, OrderPolicy, Plan, Rounds, Seed};

use self::group::Member;
pub(crate) use self::last_run::{LastChange, LastPair, LastRun};
pub(crate) use self::repetition::Repetition;
pub(crate) use self::self_test::{Half, times_put_in};
use crate::register::{Location, RegisteredPair, Registry};
use crate::settings::{
    Config, Ignored, Layouts, Mode, PairSettings, Selection, Shuffle, Target, TimeLimit, UsageError, defaults,
};

/// Everything that a run does, decided before it starts.
#[derive(Debug)]
pub(crate) struct RunPlan {
    pub(crate) pairs: Vec<PairPlan>,
    /// Pairs that the filters left out.
    pub(crate) filtered_out: usize,
    pub(crate) seed: Seed,
    pub(crate) ids: Ids,
    /// What decides the order of the pairs, where that is not the order of the source.
    pub(crate) shuffle_seed: Option<u64>,
    /// The pairs among which alpha is shared.
    pub(crate) gated: usize,
    /// Those of them that are left out because they are ignored.
    pub(crate) gated_ignored: usize,
    /// Why nothing is judged, where that is so.
    pub(crate) unjudged: Option<&'static str>,
    pub(crate) strict: bool,
    pub(crate) fail_fast: bool,
    /// Whether each pair has a process of its own.
    pub(crate) isolate: bool,
    /// Of one pair.
    pub(crate) timeout: Option<TimeLimit>,
    pub(crate) relinking: Relinking,
    /// Of flags that were typed in vain.
    pub(crate) idle: Vec<String>,
    pub(crate) repetition: Repetition,
    pub(crate) last_run: LastRun,
}

/// Whether rounds can have layouts of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relinking {
    NotTried,
    /// For this reason.
    Impossible(String),
    Possible {
        /// What of the place is the same in every layout, where that is so.
        stays: Option<&'static str>,
    },
}

/// What tells this run, and the program that measures, from others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) run: Option<String>,
    /// When it started, in UTC, as RFC 3339 has it.
    pub(crate) started: Option<String>,
    /// By its content.
    pub(crate) program: Option<String>,
}

/// One pair of a run.
#[derive(Clone, Debug)]
pub(crate) struct PairPlan {
    /// What its records are called.
    pub(crate) name: String,
    /// What it is called by those who registered it.
    pub(crate) registered: String,
    /// The baseline, where the run has other pairs with it.
    pub(crate) group: Option<String>,
    pub(crate) baseline: Option<String>,
    pub(crate) place: Location,
    /// Why it is left out, which may be empty, where it is.
    pub(crate) ignored: Option<&'static str>,
    pub(crate) gate: Gate,
    pub(crate) plan: Plan,
    /// How much more the candidate may allocate, as a share; none where everything is allowed.
    pub(crate) max_allocations: Option<f64>,
    pub(crate) layouts: Layouts,
    /// How many threads call its functions.
    pub(crate) threads: usize,
    /// Why nothing can measure it, where nothing can.
    pub(crate) can_run: Result<(), String>,
}

impl PairPlan {
    /// Whether its rounds are to run in layouts of their own.
    pub(crate) fn wants_layouts(&self) -> bool {
        let is_random = matches!(self.layouts, Layouts::Auto | Layouts::All);
        is_random && self.plan.max_rounds.is_some() && self.ignored.is_none() && self.can_run.is_ok()
    }
}

impl RunPlan {
    /// Whether the program is to be linked again. Where nothing is judged, nobody needs to know of places.
    pub(crate) fn wants_layouts(&self) -> bool {
        self.unjudged.is_none() && self.pairs.iter().any(PairPlan::wants_layouts)
    }

    /// The same run where programs cannot be linked again: what asks for nothing else is an error.
    pub(crate) fn without_layouts(self, why: &str) -> Self {
        let refuse = |pair: PairPlan| match pair.layouts {
            Layouts::All if pair.wants_layouts() => {
                let reason = format!("layouts = \"all\", and this program cannot be linked again: {why}");
                PairPlan { can_run: Err(reason), ..pair }
            }
            _ => pair,
        };
        let pairs = self.pairs.into_iter().map(refuse).collect();
        Self { pairs, relinking: Relinking::Impossible(why.to_owned()), ..self }
    }

    /// What a reader should know before the run, in whatever form the results come.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(self.unjudged.map(str::to_owned));
        if self.pairs.is_empty() && self.filtered_out > 0 {
            warnings.push(format!("no pair matches the filter; {} left out", self.filtered_out));
        }
        warnings.extend(self.idle.iter().cloned());
        warnings
    }
}

/// Plans a run of the registered pairs, with this seed where none was given.
///
/// # Errors
///
/// That no pair could fail in as few rounds as there may be.
pub(crate) fn plan(
    registry: &Registry,
    config: &Config,
    target: &Target,
    fresh_seed: Seed,
) -> Result<RunPlan, UsageError> {
    let seed = config.seed.unwrap_or(fresh_seed);
    let gated = registry.gated();
    let shuffle_seed = match config.shuffle {
        // A list is in the order of the source.
        _ if config.mode == Mode::List => None,
        Shuffle::Never => None,
        Shuffle::BySeed => Some(seed.0),
        Shuffle::By(seed) => Some(seed),
    };
    let mut selected: Vec<&RegisteredPair> =
        registry.pairs().iter().filter(|pair| is_selected(pair, &config.selection)).collect();
    let filtered_out = registry.pairs().len() - selected.len();
    if let Some(shuffle_seed) = shuffle_seed {
        selected = shuffled(&selected, Seed(shuffle_seed));
    }
    let pairs = plan_pairs(&selected, config, gated, seed);
    let idle = idle::warnings(config, &pairs);
    if let Some((rounds, origin)) = config.pairs.max_rounds.zip(config.origin("max-rounds")) {
        pairs.iter().try_for_each(|pair| refuse_too_few(rounds, &origin, pair, gated))?;
    }
    Ok(RunPlan {
        filtered_out,
        pairs,
        seed,
        ids: Ids::default(),
        shuffle_seed,
        gated,
        gated_ignored: match config.selection.ignored {
            Ignored::Skipped => registry.gated_ignored(),
            Ignored::Only | Ignored::Included => 0,
        },
        unjudged: if target.debug {
            Some(
                "debug assertions are on in this profile, so nothing is judged; `cargo bench` turns them off by default",
            )
        } else if config.order == OrderPolicy::Fixed {
            Some(
                "with --order fixed nothing is judged: a fixed order mistakes periodic noise for a difference",
            )
        } else {
            None
        },
        strict: config.strict,
        fail_fast: config.fail_fast,
        isolate: config.isolate,
        timeout: config.timeout.clone(),
        relinking: Relinking::NotTried,
        idle,
        repetition: Repetition {
            package: target.package,
            version: target.version,
            bench: target.bench(),
            flags: config.repeat.clone(),
            seed,
        },
        last_run: LastRun::default(),
    })
}

fn refuse_too_few(rounds: usize, origin: &str, pair: &PairPlan, gated: usize) -> Result<(), UsageError> {
    let needed = if pair.plan.max_rounds.is_some() { Rounds::fewest_of(&pair.plan) } else { 1 };
    if needed <= rounds {
        return Ok(());
    }
    let shared = if gated == 1 { String::new() } else { format!("; {gated} pairs share alpha") };
    Err(UsageError::new(
        origin,
        &rounds.to_string(),
        &format!(
            "no verdict on `{}` takes fewer than {needed} rounds with its error rates{shared}",
            pair.name
        ),
    ))
}

fn is_selected(pair: &RegisteredPair, selection: &Selection) -> bool {
    let ignored_fits = selection.ignored != Ignored::Only || pair.entry.ignore.is_some();
    ignored_fits && selection.holds(&pair.name)
}

/// The pairs in the order that this seed decides.
fn shuffled<'a>(pairs: &[&'a RegisteredPair], seed: Seed) -> Vec<&'a RegisteredPair> {
    let mut shuffled = pairs.to_vec();
    shuffled.sort_by_cached_key(|pair| seed.for_pair(&pair.name).0);
    shuffled
}

fn plan_pairs(selected: &[&RegisteredPair], config: &Config, gated: usize, seed: Seed) -> Vec<PairPlan> {
    if config.mode != Mode::Measure {
        // A list and a test have no use for groups.
        return selected.iter().map(|pair| plan_pair(pair, config, gated, seed)).collect();
    }
    let groups: Vec<Option<String>> = selected.iter().map(|pair| pair.baseline.clone()).collect();
    let members = group::gather(&groups).into_iter().map(|Member { index, is_alone }| {
        let pair = plan_pair(selected[index], config, gated, seed);
        PairPlan { group: pair.group.filter(|_| !is_alone), ..pair }
    });
    members.collect()
}

fn plan_pair(pair: &RegisteredPair, config: &Config, gated: usize, seed: Seed) -> PairPlan {
    let RegisteredPair { name, entry, baseline, threads, run, .. } = pair;
    let gate = config.pairs.over(pair.gate());
    // Flag or environment, then attribute, then default.
    let mut settings = config.pairs.or(&entry.settings);
    // A flag moves the margin of pairs that have one.
    settings.max_tail = entry.settings.max_tail.and(settings.max_tail);
    let layouts = settings.layouts.unwrap_or_default();
    let resolved = resolved(&settings, layouts, gated);
    let tail = can_judge_tail(&resolved);
    let clock = if *threads > 1 { clock_of_threads(resolved.clock) } else { Ok(resolved.clock) };
    PairPlan {
        name: name.clone(),
        registered: name.clone(),
        group: baseline.clone(),
        baseline: baseline.clone(),
        place: entry.place,
        // A list tells what is ignored, whatever else it is asked.
        ignored: entry
            .ignore
            .filter(|_| config.selection.ignored == Ignored::Skipped || config.mode == Mode::List),
        gate,
        plan: Plan {
            zone: gate.zone(),
            control: config.control,
            order: config.order,
            seed: seed.for_pair(name),
            clock: clock.as_ref().map_or(resolved.clock, |clock| *clock),
            ..resolved
        },
        max_allocations: settings.max_allocations,
        layouts,
        threads: *threads,
        can_run: clock.and(tail).and_then(|()| run.as_ref().map(drop).map_err(String::clone)),
    }
}

/// The clock of slots in which several threads work, of which the CPU clock of one knows nothing.
fn clock_of_threads(clock: ClockPolicy) -> Result<ClockPolicy, String> {
    match clock {
        ClockPolicy::Cpu => Err(CPU_CLOCK_OF_THREADS.to_owned()),
        ClockPolicy::Auto | ClockPolicy::Wall => Ok(ClockPolicy::Wall),
    }
}

const CPU_CLOCK_OF_THREADS: &str = "the CPU clock sees one thread only, and several call these functions; \
    use the wall clock, or let the clock be chosen";

/// Tails are judged by rounds.
pub(crate) fn can_judge_tail(plan: &Plan) -> Result<(), String> {
    match (plan.max_tail, plan.max_rounds) {
        (Some(_), None) => Err(NO_ROUNDS_FOR_TAIL.to_owned()),
        _ => Ok(()),
    }
}

const NO_ROUNDS_FOR_TAIL: &str = "`max_tail` is judged by rounds, of which `judge = \"welch\"` and \
    `layouts = \"none\"` have none: leave one of them out";

fn resolved(settings: &PairSettings, layouts: Layouts, gated: usize) -> Plan {
    let default = defaults::plan();
    let judge = settings.judge.unwrap_or(default.judge);
    let rounds = settings.max_rounds.or(default.max_rounds);
    Plan {
        judge,
        alpha: settings.alpha.unwrap_or(default.alpha) * share_of_alpha(gated, settings.max_tail),
        beta: settings.beta.unwrap_or(default.beta),
        max_time: settings.max_time.unwrap_or(default.max_time),
        slots: settings.slots.unwrap_or(default.slots),
        clock: match settings.clock.unwrap_or(default.clock) {
            // The rare call that waits is what a tail is about, and the CPU clock does not see it.
            ClockPolicy::Auto if settings.max_tail.is_some() => ClockPolicy::Wall,
            clock => clock,
        },
        max_rounds: rounds.and_then(|rounds| layouts.rounds(judge, rounds)),
        max_tail: settings.max_tail,
        ignore_below: settings.ignore_below,
        warmup: settings.warmup.unwrap_or_else(|| defaults::warmup(judge)),
        ..default
    }
}

/// The share of alpha that a gate of one of so many pairs has: a pair with a gate on its tail has two.
#[expect(clippy::cast_precision_loss, reason = "nobody registers 2^53 pairs")]
pub(crate) fn share_of_alpha(gated: usize, max_tail: Option<f64>) -> f64 {
    let gates = if max_tail.is_some() { 2.0 } else { 1.0 };
    1.0 / gated.max(1) as f64 / gates
}
