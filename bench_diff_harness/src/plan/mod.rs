//! The plan of a run: which pairs, and how each is measured and judged.

pub(crate) mod group;
mod idle;
mod last_run;
mod repetition;
mod self_test;

use bench_diff_core::{ClockPolicy, Gate, OrderPolicy, Plan, Rounds, Seed};

use self::group::Member;
pub(crate) use self::last_run::{LastChange, LastPair, LastRun};
pub(crate) use self::repetition::Repetition;
pub(crate) use self::self_test::Half;
use crate::register::{Location, MeasurePair, RegisteredPair, Registry};
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
    /// What measures it, or why nothing can.
    pub(crate) run: Result<MeasurePair, String>,
}

impl PairPlan {
    /// Whether its rounds are to run in layouts of their own.
    pub(crate) fn wants_layouts(&self) -> bool {
        let is_random = matches!(self.layouts, Layouts::Auto | Layouts::All);
        is_random && self.plan.max_rounds.is_some() && self.ignored.is_none() && self.run.is_ok()
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
                PairPlan { run: Err(reason), ..pair }
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
        rounds.to_string(),
        format!(
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
        run: clock.and(tail).and_then(|()| run.clone()),
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
        alpha: settings.alpha.unwrap_or(default.alpha) * share_of_alpha(gated)
            / gates_of_pair(settings.max_tail),
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

/// Between how many gates a pair shares its alpha.
pub(crate) fn gates_of_pair(max_tail: Option<f64>) -> f64 {
    if max_tail.is_some() { 2.0 } else { 1.0 }
}

/// The share of alpha that each of so many pairs with a gate has.
#[expect(clippy::cast_precision_loss, reason = "nobody registers 2^53 pairs")]
pub(crate) fn share_of_alpha(gated: usize) -> f64 {
    1.0 / gated.max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bench_diff_core::{ClockPolicy, JudgeKind};

    use super::*;
    use crate::fixture::{TARGET, config, entry, equal, planned};
    use crate::register::PairEntry;

    fn names(line: &str) -> Vec<String> {
        let entries =
            [entry("sort", 1, equal), entry("sort_by", 2, equal), entry("find", 3, equal).ignore("slow")];
        planned(line, &entries).pairs.into_iter().map(|pair| pair.name).collect()
    }

    #[test]
    fn filters_select_as_in_libtest() {
        assert_eq!(names(""), ["sort", "sort_by", "find"]);
        assert_eq!(names("sort"), ["sort", "sort_by"]);
        assert_eq!(names("sort --exact"), ["sort"]);
        assert_eq!(names("by find"), ["sort_by", "find"]);
        assert_eq!(names("--skip sort"), ["find"]);
        assert_eq!(names("--skip sort --exact"), ["sort_by", "find"]);
        assert_eq!(names("--ignored"), ["find"]);
        assert_eq!(names("nothing"), [""; 0]);
    }

    #[test]
    fn a_shuffle_is_an_order_that_its_seed_decides() {
        let entries: Vec<PairEntry> = ["a", "b", "c", "d", "e", "f", "g", "h"]
            .into_iter()
            .zip(1..)
            .map(|(name, line)| entry(name, line, equal).baseline(if line % 4 == 0 { "slow" } else { name }))
            .collect();
        let names = |line: &str| -> Vec<String> {
            planned(line, &entries).pairs.into_iter().map(|pair| pair.name).collect()
        };
        let source = names("--bench");
        let one = names("--shuffle-seed 1 --bench");
        assert_eq!(one, names("--shuffle-seed 1 --bench"));
        assert_ne!(one, names("--shuffle-seed 2 --bench"));
        assert_ne!(one, source);
        assert_eq!(names("--shuffle --seed a --bench"), names("--shuffle-seed 10 --bench"));
        assert_eq!(names("--shuffle-seed 1 --list"), ["a", "b", "c", "d", "e", "f", "g", "h"]);
        for seed in 0..20 {
            let shuffled = names(&format!("--shuffle-seed {seed} --bench"));
            let place = |name| shuffled.iter().position(|pair| pair == name).unwrap();
            assert_eq!(place("d").abs_diff(place("h")), 1, "a group stays together: {shuffled:?}");
            let mut sorted = shuffled.clone();
            sorted.sort();
            assert_eq!(sorted, ["a", "b", "c", "d", "e", "f", "g", "h"]);
        }
    }

    #[test]
    fn ignored_pairs_run_when_asked_for() {
        let ignored = |line| planned(line, &[entry("find", 3, equal).ignore("slow")]).pairs[0].ignored;
        assert_eq!(ignored(""), Some("slow"));
        assert_eq!(ignored("--ignored"), None);
        assert_eq!(ignored("--include-ignored"), None);
    }

    #[test]
    fn a_flag_goes_before_the_attribute_and_that_before_the_default() {
        let plain = PairEntry::new(entry("a", 1, equal).place, "a", equal);
        let of = |line, entry| planned(line, &[entry]).pairs[0].plan;

        let default = of("", plain);
        assert_eq!((default.zone, default.judge), (Gate::MaxSlowdown(0.02).zone(), JudgeKind::Sequential));
        assert_eq!((default.alpha, default.beta), (0.01, 0.05));
        assert_eq!((default.max_time, default.warmup), (Duration::from_secs(2), Duration::from_millis(2)));
        assert_eq!((default.slots, default.clock), (2000, ClockPolicy::Auto));
        assert_eq!(default.max_rounds, Some(40));
        let welch = of("--judge welch", plain);
        assert_eq!((welch.judge, welch.warmup), (JudgeKind::Welch, Duration::from_secs(3)));
        assert_eq!(welch.max_rounds, None, "one process measures all of it");
        assert_eq!(of("--layouts none", plain).max_rounds, None);
        assert_eq!(of("", plain.layouts(Layouts::None)).max_rounds, None);
        assert_eq!(of("--layouts linked --max-rounds 60", plain.layouts(Layouts::None)).max_rounds, Some(60));

        let written =
            plain.max_slowdown(0.05).alpha(0.02).beta(0.1).slots(50).warmup(Duration::from_nanos(7));
        let written =
            written.max_time(Duration::from_nanos(6)).clock(ClockPolicy::Cpu).judge(JudgeKind::Welch);
        let attribute = of("", written);
        assert_eq!(attribute.zone, Gate::MaxSlowdown(0.05).zone());
        assert_eq!((attribute.max_time, attribute.clock), (Duration::from_nanos(6), ClockPolicy::Cpu));
        assert_eq!(attribute.judge, JudgeKind::Welch);
        assert_eq!((attribute.alpha, attribute.beta), (0.02, 0.1));
        assert_eq!((attribute.slots, attribute.warmup), (50, Duration::from_nanos(7)));

        let flags = "--max-slowdown 3% --alpha 0.03 --beta 0.2 --slots 60 --warmup 8ns --judge sequential \
                     --max-time 9ns --clock wall";
        let flag = of(flags, written);
        assert_eq!(flag.zone, Gate::MaxSlowdown(0.03).zone());
        assert_eq!((flag.max_time, flag.clock), (Duration::from_nanos(9), ClockPolicy::Wall));
        assert_eq!(flag.judge, JudgeKind::Sequential);
        assert_eq!((flag.alpha, flag.beta), (0.03, 0.2));
        assert_eq!((flag.slots, flag.warmup), (60, Duration::from_nanos(8)));
        assert_eq!(
            of("--max-slowdown 3%", plain.min_speedup(2.0)).zone,
            Gate::MinSpeedup(2.0).zone(),
            "another gate stays"
        );
        let each = "--max-slowdown 3% --min-speedup 3 --max-difference 4%";
        assert_eq!(of(each, plain.min_speedup(2.0)).zone, Gate::MinSpeedup(3.0).zone());
        assert_eq!(of(each, plain.max_difference(0.1)).zone, Gate::MaxDifference(0.04).zone());
        assert_eq!(of("--report-only", plain.min_speedup(2.0)).zone, None);
    }

    #[test]
    fn alpha_is_shared_by_all_gates_whatever_the_filter() {
        let entries = [
            entry("a", 1, equal),
            entry("b", 2, equal).ignore(""),
            entry("c", 3, equal).alpha(0.03),
            entry("d", 4, equal).report_only(true),
        ];
        for line in ["", "c", "--skip a"] {
            let plan = planned(line, &entries);
            let pair = plan.pairs.iter().find(|pair| pair.name == "c").unwrap();
            assert!((pair.plan.alpha - 0.01).abs() < 1e-15, "{line}: {}", pair.plan.alpha);
        }
    }

    #[test]
    fn the_coin_of_a_pair_does_not_depend_on_the_others() {
        let entries = [entry("a", 1, equal), entry("b", 2, equal)];
        let all = planned("--seed 8f3a", &entries);
        let one = planned("--seed 8f3a b --exact", &entries);
        assert_eq!(all.pairs[1].plan, one.pairs[0].plan);
        assert_ne!(all.pairs[0].plan.seed, all.pairs[1].plan.seed);
        assert_eq!(planned("", &entries).seed, Seed(1), "a fresh one where none is given");
    }

    #[test]
    fn several_threads_are_timed_by_the_wall_clock() {
        let family = entry("a", 1, |cases| {
            cases.threads(&[1, 2]);
            equal(cases);
        });
        let planned = |line| {
            let pairs = planned(line, &[family]).pairs;
            pairs.into_iter().map(|pair| (pair.plan.clock, pair.run.err())).collect::<Vec<_>>()
        };
        assert_eq!(planned(""), [(ClockPolicy::Auto, None), (ClockPolicy::Wall, None)]);
        assert_eq!(planned("--clock wall"), [(ClockPolicy::Wall, None), (ClockPolicy::Wall, None)]);
        let [one, two] = &planned("--clock cpu")[..] else { panic!("two pairs") };
        assert_eq!(*one, (ClockPolicy::Cpu, None));
        assert_eq!(two.1.as_deref(), Some(CPU_CLOCK_OF_THREADS));
    }

    #[test]
    fn a_tail_shares_the_alpha_of_its_pair() {
        let entries = [entry("a", 1, equal).judge(JudgeKind::Sequential).max_tail(2.0), entry("b", 2, equal)];
        let plans = |line| {
            let pairs = planned(line, &entries).pairs;
            pairs.into_iter().map(|pair| (pair.plan, pair.run.err())).collect::<Vec<_>>()
        };
        let [(tail, _), (other, _)] = &plans("")[..] else { panic!("two pairs") };
        assert_eq!((tail.max_tail, tail.alpha, tail.clock), (Some(2.0), 0.0025, ClockPolicy::Wall));
        assert_eq!((other.max_tail, other.alpha, other.clock), (None, 0.005, ClockPolicy::Auto));
        let moved = plans("--max-tail 3 --clock cpu");
        assert_eq!((moved[0].0.max_tail, moved[0].0.clock), (Some(3.0), ClockPolicy::Cpu));
        assert_eq!(moved[1].0.max_tail, None, "a flag moves the margin of pairs that have one");
        for line in ["--judge welch", "--layouts none"] {
            assert_eq!(plans(line)[0].1.as_deref(), Some(NO_ROUNDS_FOR_TAIL), "{line}");
        }
    }

    #[test]
    fn what_cannot_gate_says_why() {
        let entries = [entry("a", 1, equal)];
        assert_eq!(planned("", &entries).unjudged, None);
        assert!(planned("--order fixed", &entries).unjudged.unwrap().contains("--order fixed"));
        let registry = Registry::new(&entries).unwrap();
        let debug = Target { debug: true, ..TARGET };
        let plan = plan(&registry, &config(""), &debug, Seed(1)).unwrap();
        assert!(plan.unjudged.unwrap().contains("debug assertions"));
    }

    #[test]
    fn too_few_rounds_for_a_verdict_are_refused() {
        let entries = |count: usize| -> Vec<_> {
            let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
            let pair =
                |(line, name): (u32, &&'static str)| entry(name, line, equal).judge(JudgeKind::Sequential);
            (1..).zip(&names[..count]).map(pair).collect()
        };
        let refused = |line: &str, count: usize| {
            let registry = Registry::new(&entries(count)).unwrap();
            plan(&registry, &config(line), &TARGET, Seed(1)).err().map(|error| error.to_string())
        };
        assert_eq!(
            refused("--max-rounds 5", 1).unwrap(),
            "invalid value '5' for '--max-rounds': no verdict on `a` takes fewer than 8 rounds with its error rates"
        );
        let of_eight = refused("--max-rounds 9", 8).unwrap();
        assert!(of_eight.ends_with("than 11 rounds with its error rates; 8 pairs share alpha"), "{of_eight}");
        assert_eq!(refused("--max-rounds 9", 1), None);
        assert_eq!(refused("--max-rounds 1 --layouts none", 8), None);
        assert_eq!(refused("--max-rounds 1 --judge welch", 8), None);
    }
}
