//! The record of a function without a baseline.

use bench_diff_core::stats::Summary;
use bench_diff_core::{MeasureError, Measurement, Recording};

use super::finite;
use super::latency::{LatencyRecord, latencies};
use super::{End, PairRecord, Timing, notes};

impl PairRecord {
    /// Adds the measurement of a function.
    pub fn timed(
        mut self,
        measurement: &Measurement,
        remarks: &[String],
        linked: Option<&Recording>,
    ) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let [advice, remarks] = notes(measurement, remarks);
        let mut slots = latencies(measurement, |duo| duo.candidate);
        slots.extend(latencies(measurement, |duo| duo.baseline));
        let first = &measurement.rounds[0][0].warmup;
        self.notes = remarks;
        self.end = End::Timed(Box::new(Timing {
            latency: LatencyRecord {
                ns: judgement.ratio,
                interval: judgement.interval.into(),
                rounds: measurement.rounds.len(),
                linked: linked.and_then(Recording::contrast).map(f64::exp).and_then(finite),
            },
            duos: measurement.duos().count(),
            iterations: first.iterations,
            clock: first.clock,
            elapsed_s: measurement.elapsed().as_secs_f64(),
            candidate: Summary::of(&slots)?.into(),
            advice,
            ..Timing::default()
        }));
        Ok(self)
    }

    /// The measurement, if this is a function without a baseline.
    pub fn timing(&self) -> Option<&Timing> {
        if let End::Timed(timing) = &self.end { Some(timing) } else { None }
    }

    /// Changes the timing, if there is any.
    pub fn with_timing(mut self, change: impl FnOnce(&mut Timing)) -> Self {
        if let End::Timed(timing) = &mut self.end {
            change(timing);
        }
        self
    }
}
