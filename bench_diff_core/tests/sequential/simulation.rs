//! Simulated runs: slots laid in the order of time into duos, the coin of the crate, and the judge on what
//! comes out.

use std::time::Duration;

use bench_diff_core::{
    BLOCK, ClockKind, ClockPolicy, Coin, Duo, Gate, Judgement, Plan, Verdict, Warmup, judge,
};

/// A slot without noise, in nanoseconds: short enough for duos that are judged in blocks, long enough that
/// whole nanoseconds are no coarser than a millionth.
pub(crate) const SLOT: f64 = 1e6;

/// The noise of a slot is kept within a factor of 22,000 both ways, since no slot may take no time at all. It
/// is far beyond what the judge tells apart, and does not depend on the function, so nothing is changed by
/// it.
const MOST_NOISE: f64 = 10.0;

/// The duos of the warm-up, as in a live run with short slots.
pub(crate) const WARMUP_DUOS: usize = 16;

/// This many duos are simulated first, and four times as many again and again where they are not enough.
const FIRST_PART: usize = 96;

/// The judge looks for no verdict before this many duos.
const FIRST_LOOK: usize = 16;

/// Runs have up to this many counted duos.
pub(crate) const HORIZON: usize = 1200;

/// A sequential judge with error rates of 1 % and 5 %.
pub(crate) fn plan(gate: Gate) -> Plan {
    Plan {
        zone: gate.zone(),
        max_time: Duration::from_secs(3600),
        warmup: Duration::ZERO,
        max_rounds: None,
        clock: ClockPolicy::Wall,
        ..Plan::default()
    }
}

/// The warm-up that these duos are, with a clock that steps by this many nanoseconds.
pub(crate) fn warmup(duos: Vec<Duo>, resolution: u64) -> Warmup {
    Warmup { duos, empty: Vec::new(), iterations: 1, clock: ClockKind::Wall, resolution }
}

/// Duos measured one after the other on a machine with this noise, given per slot in the order of time.
pub(crate) struct Machine<N> {
    pub(crate) noise: N,
    pub(crate) coin: Coin,
    /// The true ln(candidate / baseline).
    pub(crate) delta: f64,
}

impl<N: FnMut() -> f64> Machine<N> {
    pub(crate) fn duo(&mut self) -> Duo {
        let order = self.coin.flip();
        let [first, second, third, fourth] = [(); 4].map(|()| (self.noise)());
        let (outer, inner) = ([first, fourth], [second, third]);
        let (candidate, baseline) = if order.is_candidate_first() { (outer, inner) } else { (inner, outer) };
        Duo {
            order,
            candidate: candidate.map(|noise| nanoseconds(noise, self.delta)),
            baseline: baseline.map(|noise| nanoseconds(noise, 0.0)),
        }
    }

    /// Measures until the judge has a verdict, or up to this many counted duos.
    pub(crate) fn run(&mut self, plan: &Plan, horizon: usize) -> Run {
        let warmup = warmup((0..WARMUP_DUOS).map(|_| self.duo()).collect(), 1);
        let mut duos = Vec::new();
        // What a judge that has stopped is not shown makes no difference, so most runs need no more than a
        // part.
        let mut length = FIRST_PART;
        loop {
            let missing = length.min(horizon) - duos.len();
            duos.extend((0..missing).map(|_| self.duo()));
            let judgement = judge(plan, &warmup, &duos).expect("every slot has a time");
            if length >= horizon || judgement.verdict != Some(Verdict::Inconclusive) {
                return Run { plan: *plan, warmup, duos, judgement };
            }
            length *= 4;
        }
    }
}

/// The verdict on these duos.
pub(crate) fn verdict(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Verdict {
    let judgement = judge(plan, warmup, duos).expect("every slot has a time");
    judgement.verdict.expect("a gate has a verdict")
}

/// The time of a slot with this noise and this effect, both on the logarithmic scale.
pub(crate) fn nanoseconds(noise: f64, delta: f64) -> u64 {
    (SLOT * (noise.clamp(-MOST_NOISE, MOST_NOISE) + delta).exp()).round() as u64
}

/// A run that has ended.
pub(crate) struct Run {
    plan: Plan,
    warmup: Warmup,
    /// At least those that the judge looked at.
    duos: Vec<Duo>,
    pub(crate) judgement: Judgement,
}

impl Run {
    pub(crate) fn verdict(&self) -> Verdict {
        self.judgement.verdict.expect("a gate has a verdict")
    }

    /// The duos after which the judge stopped: its first look at enough of them for this verdict.
    pub(crate) fn stopped_after(&self) -> usize {
        let (mut too_few, mut enough) = (0, self.duos.len());
        while enough - too_few > 1 {
            let middle = usize::midpoint(too_few, enough);
            let is_enough = verdict(&self.plan, &self.warmup, &self.duos[..middle]) == self.verdict();
            *if is_enough { &mut enough } else { &mut too_few } = middle;
        }
        enough.next_multiple_of(BLOCK).max(FIRST_LOOK)
    }
}

/// The number of these runs with each verdict.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) fails: usize,
    pub(crate) passes: usize,
    pub(crate) inconclusive: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Fail => self.fails += 1,
            Verdict::Pass => self.passes += 1,
            Verdict::Inconclusive => self.inconclusive += 1,
        }
    }
}

impl FromIterator<Verdict> for Tally {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut tally = Self::default();
        verdicts.into_iter().for_each(|verdict| tally.count(verdict));
        tally
    }
}
