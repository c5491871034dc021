//! What a measurement leaves behind: the raw slots, and what is made of them.

use std::time::Duration;

use crate::control::Control;
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement, Replay};
use crate::overhead::Overhead;
use crate::plan::Plan;
use crate::warmup::Warmup;

/// A finished measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// What was measured before anything counted.
    pub warmup: Warmup,
    /// The counted duos, raw.
    pub duos: Vec<Duo>,
    /// The empty slots among them, raw, in nanoseconds: slots of as many calls of nothing. None where one call fills a slot.
    pub empty: Vec<u64>,
    /// The baseline against itself, where the plan has a control and its slots have statistics.
    pub control: Option<Control>,
    /// Whether slots are shorter than they should be, since inputs for more calls take too much time or memory.
    pub limited_by_inputs: bool,
    /// What the judge says of them.
    pub judgement: Judgement,
    /// How much of it was overhead.
    pub overhead: Option<Overhead>,
    /// The time that it all took, warm-up included.
    pub elapsed: Duration,
}

/// The raw slots of a measurement, which is all that a judge needs: stored, they can be judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// What was measured before anything counted.
    pub warmup: Warmup,
    /// The counted duos.
    pub duos: Vec<Duo>,
    /// The empty slots among them, in nanoseconds.
    pub empty: Vec<u64>,
    /// The duos of the control; none where the plan had none.
    pub control: Vec<Duo>,
    /// Whether slots are shorter than they should be, since inputs for more calls take too much time or memory.
    pub limited_by_inputs: bool,
    /// The time that it all took, warm-up included.
    pub elapsed: Duration,
}

/// What a plan makes of slots that were measured before.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejudged {
    /// As a live run would have ended it.
    pub measurement: Measurement,
    /// Whether the slots ended while the judge still asked for more, as those of a run that ran out of time do.
    pub wants_more: bool,
}

impl Recording {
    /// The measurement that a plan makes of these slots, as a live run would have ended it: duos that its judge would
    /// not have measured any more are left out.
    ///
    /// The plan that was measured gives the measurement that it gave. What only a live run can keep, such as a time
    /// limit, changes nothing.
    ///
    /// # Errors
    ///
    /// [`MeasureError::Statistics`] where a statistic cannot be computed.
    pub fn judged(mut self, plan: &Plan) -> Result<Rejudged, MeasureError> {
        let Replay { seen, wants_more, judgement } = judge::replay(plan, &self.warmup, &self.duos)?;
        if seen < self.duos.len() {
            // What follows a block that was left out, or cut, is no slot among those that are kept.
            self.empty.truncate(seen / self.warmup.block());
            self.duos.truncate(seen);
            self.control.truncate(seen);
        }
        Ok(Rejudged { measurement: Measurement::new(plan, self, judgement), wants_more })
    }
}

impl Measurement {
    pub(crate) fn new(plan: &Plan, recording: Recording, judgement: Judgement) -> Self {
        let Recording { warmup, duos, empty, control, limited_by_inputs, elapsed } = recording;
        let control = Control::of(plan, &warmup, control);
        let overhead = Overhead::of(&warmup, &duos, &empty);
        Self { warmup, duos, empty, control, limited_by_inputs, judgement, overhead, elapsed }
    }

    /// The raw slots of this measurement.
    #[must_use]
    pub fn into_recording(self) -> Recording {
        let Self { warmup, duos, empty, control, limited_by_inputs, elapsed, .. } = self;
        let control = control.map(|control| control.duos).unwrap_or_default();
        Recording { warmup, duos, empty, control, limited_by_inputs, elapsed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::judge::{JudgeKind, Verdict};
    use crate::sampler::BLOCK;
    use crate::simulation::{Noise, plan, simulate};

    fn measured(judge: JudgeKind) -> (Plan, Measurement) {
        let noise = Noise::new(7);
        let plan = Plan { control: true, judge, ..plan() };
        let draw = |latency| noise.log_normal(latency, 0.01);
        // Short enough for slots of several calls, which have empty ones among them.
        let measurement = simulate(&plan, || draw(2.03e3), || draw(2e3)).unwrap();
        (plan, measurement)
    }

    #[test]
    fn the_plan_that_was_measured_gives_the_same_measurement() {
        for judge in JudgeKind::ALL {
            let (plan, measurement) = measured(judge);
            let again = measurement.clone().into_recording().judged(&plan).unwrap();
            assert_eq!(again, Rejudged { measurement, wants_more: false }, "{judge:?}");
        }
    }

    #[test]
    fn a_judge_that_knows_sooner_sees_no_more() {
        let (plan, measurement) = measured(JudgeKind::Welch);
        let wide = Plan { judge: JudgeKind::Sequential, zone: Gate::MaxSlowdown(0.5).zone(), ..plan };
        let Rejudged { measurement: again, wants_more } =
            measurement.clone().into_recording().judged(&wide).unwrap();
        assert_eq!((again.judgement.verdict, wants_more), (Some(Verdict::Pass), false));
        assert!(again.duos.len() < measurement.duos.len(), "{}", again.duos.len());
        assert_eq!(again.control.unwrap().duos.len(), again.duos.len());
        assert_eq!(measurement.empty.len(), measurement.duos.len().div_ceil(BLOCK));
        assert_eq!(again.empty, measurement.empty[..again.duos.len() / BLOCK]);
        assert_eq!(again.overhead, Overhead::of(&again.warmup, &again.duos, &again.empty));
    }

    #[test]
    fn a_judge_that_wants_more_says_so() {
        let (plan, measurement) = measured(JudgeKind::Sequential);
        let sure = Plan { alpha: 1e-300, beta: 1e-300, ..plan };
        let again = measurement.clone().into_recording().judged(&sure).unwrap();
        assert!(again.wants_more);
        assert_eq!(again.measurement.duos, measurement.duos);
        assert_eq!(again.measurement.empty, measurement.empty, "all that there are");
    }
}
