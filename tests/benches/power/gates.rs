//! One gate: two amounts of work, measured and judged.

use std::time::Duration;

use bench_diff_core::{Bounds, Closures, Instruments, Plan, Seed, SystemClocks, Verdict, Zone, measure};

use crate::cells::Cell;
use crate::kernels::Pair;

/// The answer of one gate.
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// With calibration and warm-up.
    pub(crate) time: Duration,
    pub(crate) duos: usize,
    pub(crate) is_cpu_time: bool,
}

impl Answer {
    /// `verdict nanoseconds duos clock`
    pub(crate) fn line(&self) -> String {
        let verdict = match self.verdict {
            Verdict::Fail => "fail",
            Verdict::Pass => "pass",
            Verdict::Inconclusive => "inconclusive",
        };
        format!("{verdict} {} {} {}", self.time.as_nanos(), self.duos, self.is_cpu_time)
    }

    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let verdict = match words.next()? {
            "fail" => Verdict::Fail,
            "pass" => Verdict::Pass,
            _ => Verdict::Inconclusive,
        };
        Some(Self {
            verdict,
            time: Duration::from_nanos(words.next()?.parse().ok()?),
            duos: words.next()?.parse().ok()?,
            is_cpu_time: words.next()?.parse().ok()?,
        })
    }
}

pub(crate) fn ask(cell: &Cell, seed: Seed) -> Answer {
    let mut pair = cell.kernel.pair(cell.per_mille).expect("the others are no cells");
    let Pair { candidate, baseline } = &mut pair;
    let (_, lo, hi) = cell.zone;
    let plan = Plan {
        zone: Some(Zone { slower: Bounds { lo: lo.ln_1p(), hi: hi.ln_1p() }, faster: None }),
        beta: cell.beta,
        warmup: Duration::ZERO,
        max_rounds: None,
        seed,
        ..Plan::default()
    };
    let clocks = SystemClocks::new();
    let measured = measure(&Instruments::new(&clocks), &mut Closures::new(candidate, baseline), &plan);
    let measurement = measured.expect("the kernels take time");
    Answer {
        verdict: measurement.judgement.verdict.expect("there is a zone"),
        time: measurement.elapsed(),
        duos: measurement.duos().count(),
        is_cpu_time: measurement.rounds[0][0].warmup.clock.name() == "cpu",
    }
}
