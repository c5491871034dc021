//! The plan of a run: which pairs, and how each is measured and judged.

mod against;
mod group;
mod key;
mod listed;
mod pair_plan;
mod proof;
mod repetition;
#[cfg(test)]
mod tests;
mod unused_flags;

use std::collections::HashMap;

use bench_diff_core::{Rounds, Seed};
use bench_diff_report::record::{OtherSide, no_verdicts};
use bench_diff_system::exit::Misuse;

pub(crate) use self::against::{OtherPair, unlabel};
pub(crate) use self::key::{Names, PairKey, digest};
pub(crate) use self::listed::{ListedPair, Listing};
pub(crate) use self::pair_plan::PairPlan;
use self::pair_plan::plan_pair;
pub(crate) use self::proof::{Cause, Proof, most_common_hindrance};
pub(crate) use self::repetition::Repetition;
use crate::settings::{Config, Ignored, Layouts, Mode, Selection, Target};

/// Everything that a run does, decided before it starts.
#[derive(Clone, Debug)]
pub(crate) struct RunPlan {
    pub(crate) pairs: Vec<PairPlan>,
    /// The pairs that the filters left out.
    pub(crate) elsewhere: Vec<PairPlan>,
    pub(crate) seed: Seed,
    /// The side that functions are compared with instead of their baselines.
    pub(crate) against: Option<OtherSide>,
    /// The pairs that have a gate.
    pub(crate) gated: usize,
    /// The reason if nothing is judged.
    pub(crate) unjudged: Option<&'static str>,
    pub(crate) config: Config,
    pub(crate) relinking: Relinking,
    pub(crate) repetition: Repetition,
}

/// The proofs about pairs, by their names in the bench.
pub(crate) type Proofs = HashMap<String, Proof>;

/// The way in which rounds get random layouts, if they can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relinking {
    NotTried,
    /// For this reason.
    Impossible(String),
    Possible {
        /// True if some code has a wider boundary, and so fewer places.
        has_wide: bool,
    },
}

impl RunPlan {
    /// Returns whether the binary is to be linked again. Without verdicts, addresses do not matter.
    pub(crate) fn wants_layouts(&self) -> bool {
        self.unjudged.is_none() && self.pairs.iter().any(PairPlan::wants_layouts)
    }

    /// Takes the proofs about its pairs. Those of unchanged machine code have no share of alpha: which these
    /// are follows from the binaries alone.
    pub(crate) fn prove(&mut self, proofs: &Proofs) {
        let before = self.sharing();
        for pair in self.pairs.iter_mut().chain(&mut self.elsewhere) {
            pair.proof = proofs.get(&pair.listed.name).cloned().unwrap_or_default();
        }
        let more = before as f64 / self.sharing() as f64;
        self.pairs.iter_mut().for_each(|pair| pair.plan.alpha *= more);
    }

    /// The plan of a run that gets layouts so. A pair that accepts nothing but layouts ends with an error if
    /// there are none.
    pub(crate) fn relinked(mut self, relinking: Relinking) -> Self {
        for pair in &mut self.pairs {
            if let Relinking::Impossible(why) = &relinking
                && pair.layouts == Layouts::All
                && pair.wants_layouts()
            {
                let reason =
                    format!("layouts = \"all\", and this bench binary cannot be linked again: {why}");
                pair.unmeasurable = Some(reason);
            }
        }
        Self { relinking, ..self }
    }

    /// A run of only these pairs, which keep their shares of alpha, in other binaries.
    pub(crate) fn of_failed(&self, failed: &[&PairPlan]) -> Self {
        let unproven = |pair: &&PairPlan| PairPlan { proof: Proof::default(), ..(*pair).clone() };
        Self {
            pairs: failed.iter().map(unproven).collect(),
            elsewhere: Vec::new(),
            gated: 0,
            config: Config { fail_fast: false, ..self.config.clone() },
            relinking: Relinking::NotTried,
            ..self.clone()
        }
    }

    /// The pairs that a proof decides, whether or not this run leaves them out.
    pub(crate) fn provable(&self) -> impl Iterator<Item = &PairPlan> {
        self.pairs.iter().chain(&self.elsewhere).filter(|pair| pair.can_be_proven())
    }

    /// The command that compares its functions with those of another revision, if the run compares nothing.
    pub(crate) fn comparison(&self) -> Option<String> {
        let is_alone = |pair: &PairPlan| pair.listed.baseline.is_none();
        let compares_nothing = self.against.is_none() && self.pairs.iter().all(is_alone);
        (compares_nothing && self.config.surroundings.nextest_run.is_none())
            .then(|| format!("{} --against base", self.repetition.bench()))
    }

    /// Refuses a number of rounds in which no pair could fail.
    ///
    /// # Errors
    ///
    /// The first pair that needs more.
    pub(crate) fn refuse_too_few(&self) -> Result<(), Misuse> {
        if self.unjudged.is_some() {
            return Ok(());
        }
        let needed = |pair: &PairPlan| Rounds::fewest_of(&pair.plan);
        let given = self.config.given("max-rounds");
        let is_given = |pair: &PairPlan| given.is_some() || pair.listed.settings.max_rounds.is_some();
        let is_too_few = |pair: &PairPlan| pair.plan.max_rounds.is_some_and(|most| most < needed(pair));
        let is_judged =
            |pair: &&PairPlan| pair.ignored.is_none() && pair.unmeasurable.is_none() && !pair.is_proven();
        let mut judged = self.pairs.iter().filter(is_judged);
        let Some(pair) = judged.find(|pair| is_given(pair) && is_too_few(pair)) else { return Ok(()) };
        let sharing = self.sharing();
        let shared = if sharing == 1 { String::new() } else { format!("; {sharing} functions share alpha") };
        let reason = format!(
            "`{}` needs at least {} rounds to be able to pass and to fail at its error rates{shared}",
            pair.listed.name,
            needed(pair)
        );
        Err(match given {
            Some(given) => given.wrong(&reason),
            None => Misuse(format!("`max_rounds` in Cargo.toml: {reason}")),
        })
    }

    /// Returns whether it measures a pair that has a limit.
    pub(crate) fn has_gate(&self) -> bool {
        self.pairs.iter().any(|pair| pair.ignored.is_none() && pair.plan.zone.is_some())
    }

    /// The number of pairs that share alpha: those with a gate without those that are proven, at least one.
    fn sharing(&self) -> usize {
        let proven = self.provable().filter(|pair| pair.proof.is_same).count();
        self.gated.saturating_sub(proven).max(1)
    }

    /// The warnings before the run, whatever the format of the results.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(self.unjudged.map(no_verdicts));
        let is_left_out = self.against.iter().any(|side| !side.not_compared.is_empty());
        if self.pairs.is_empty() && !self.elsewhere.is_empty() && !is_left_out {
            warnings.push(format!(
                "no pair matches the filter; {} left out. A filter is a part of a name, and no regular expression",
                self.elsewhere.len()
            ));
        }
        warnings.extend(unused_flags::warnings(&self.config, &self.pairs));
        if self.config.budget.is_some() && self.config.budget_of_run().is_none() {
            let origin =
                self.config.given("budget").map_or("the budget in the manifest", |given| &given.origin);
            warnings.push(format!(
                "{origin} has no effect under nextest, which starts a process for each function"
            ));
        }
        warnings
    }
}

/// Plans a run of the listed pairs, with this seed where none was given.
pub(crate) fn plan(
    listing: &Listing,
    config: &Config,
    target: &Target,
    fresh_seed: Seed,
    against: Option<OtherSide>,
    repetition: Repetition,
) -> RunPlan {
    let seed = config.seed.unwrap_or(fresh_seed);
    let flags_of_side = against.iter().flat_map(repetition::flags_of);
    let is_gated = |pair: &&ListedPair| config.pairs.report_only != Some(true) && pair.is_gated();
    // Alpha is shared by all that have a gate, whether or not this run measures them.
    let gated = listing.pairs.iter().filter(is_gated).count();
    let (selected, left_out): (Vec<&ListedPair>, Vec<&ListedPair>) =
        listing.pairs.iter().partition(|pair| is_selected(pair, &config.selection));
    let pairs = plan_pairs(&selected, config, gated, seed);
    RunPlan {
        pairs,
        elsewhere: left_out.into_iter().map(|pair| plan_pair(pair, config, gated, seed)).collect(),
        seed,
        gated,
        unjudged: target.debug.then_some(HAS_DEBUG_ASSERTIONS),
        config: config.clone(),
        relinking: Relinking::NotTried,
        repetition: Repetition {
            flags: config.repeated().into_iter().chain(flags_of_side).collect(),
            ..repetition
        },
        against,
    }
}

const HAS_DEBUG_ASSERTIONS: &str =
    "debug assertions are on in this profile; `cargo bench` turns them off by default";

/// Returns whether a run selects this pair.
pub(crate) fn is_selected(pair: &ListedPair, selection: &Selection) -> bool {
    let ignored_fits = selection.ignored != Ignored::Only || pair.ignore.is_some();
    // A part of a name may be meant for one that could not be listed.
    let is_selected = selection.selects(&pair.name) || pair.is_unlisted && !selection.exact;
    ignored_fits && is_selected && !selection.skips(&pair.name)
}

fn plan_pairs(selected: &[&ListedPair], config: &Config, gated: usize, seed: Seed) -> Vec<PairPlan> {
    if config.mode != Mode::Measure {
        // A list and a test have no use for groups.
        return selected.iter().map(|pair| plan_pair(pair, config, gated, seed)).collect();
    }
    let groups: Vec<Option<String>> = selected.iter().map(|pair| pair.baseline.clone()).collect();
    let members = group::gather(&groups).into_iter().map(|(index, is_alone)| {
        let pair = plan_pair(selected[index], config, gated, seed);
        PairPlan { group: pair.group.filter(|_| !is_alone), ..pair }
    });
    members.collect()
}
