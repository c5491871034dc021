//! What a measurement leaves behind: the raw slots, and what is made of them.

use std::time::Duration;

use crate::control::Control;
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement};
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
    pub fn judged(mut self, plan: &Plan) -> Result<Measurement, MeasureError> {
        let (seen, judgement) = judge::replay(plan, &self.warmup, &self.duos)?;
        self.duos.truncate(seen);
        self.control.truncate(seen);
        Ok(Measurement::new(plan, self, judgement))
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
    use crate::simulation::{Noise, plan, simulate};

    fn measured(judge: JudgeKind) -> (Plan, Measurement) {
        let noise = Noise::new(7);
        let plan = Plan { control: true, judge, ..plan() };
        let draw = |latency| noise.log_normal(latency, 0.01);
        let measurement = simulate(&plan, || draw(20.3e3), || draw(20e3)).unwrap();
        (plan, measurement)
    }

    #[test]
    fn the_plan_that_was_measured_gives_the_same_measurement() {
        for judge in JudgeKind::ALL {
            let (plan, measurement) = measured(judge);
            assert_eq!(measurement.clone().into_recording().judged(&plan).unwrap(), measurement, "{judge:?}");
        }
    }

    #[test]
    fn a_judge_that_knows_sooner_sees_no_more() {
        let (plan, measurement) = measured(JudgeKind::Welch);
        let wide = Plan { judge: JudgeKind::Sequential, zone: Gate::MaxSlowdown(0.5).zone(), ..plan };
        let again = measurement.clone().into_recording().judged(&wide).unwrap();
        assert_eq!(again.judgement.verdict, Some(Verdict::Pass));
        assert!(again.duos.len() < measurement.duos.len(), "{}", again.duos.len());
        assert_eq!(again.control.unwrap().duos.len(), again.duos.len());
    }
}
