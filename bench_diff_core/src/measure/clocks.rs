//! What measures with the clocks of a machine.

use super::{Round, measure, measure_round};
use crate::clock::{Clocks, Instruments, ManualClock, ManualClocks, SystemClocks};
use crate::error::MeasureError;
use crate::measurement::Measurement;
use crate::plan::Plan;
use crate::sample::{Pair, Recording};

/// Clocks, and what measures with them.
pub trait Measure: Clocks + Sized {
    /// See [`Instruments::new`].
    fn instruments(&self) -> Instruments<'_, Self> {
        Instruments::new(self)
    }

    /// See [`measure()`].
    ///
    /// # Errors
    ///
    /// Those of [`measure()`].
    fn measure(
        instruments: &Instruments<'_, Self>,
        pair: &mut dyn Pair,
        plan: &Plan,
    ) -> Result<Measurement, MeasureError> {
        measure(instruments, pair, plan, &mut |_| {})
    }

    /// See [`measure_round()`].
    ///
    /// # Errors
    ///
    /// Those of [`measure_round()`].
    fn measure_round(
        instruments: &Instruments<'_, Self>,
        pair: &mut dyn Pair,
        plan: &Plan,
        round: &Round,
    ) -> Result<Recording, MeasureError> {
        measure_round(instruments, pair, plan, round)
    }
}

impl Measure for ManualClock {}

impl Measure for ManualClocks {}

/// A provided method is compiled in the crate that calls it, and this in the crate that it stands in. So the
/// timed loop is optimised also where the crate that measures is not.
impl Measure for SystemClocks {
    fn instruments(&self) -> Instruments<'_, Self> {
        Instruments::new(self)
    }

    fn measure(
        instruments: &Instruments<'_, Self>,
        pair: &mut dyn Pair,
        plan: &Plan,
    ) -> Result<Measurement, MeasureError> {
        measure(instruments, pair, plan, &mut |_| {})
    }

    fn measure_round(
        instruments: &Instruments<'_, Self>,
        pair: &mut dyn Pair,
        plan: &Plan,
        round: &Round,
    ) -> Result<Recording, MeasureError> {
        measure_round(instruments, pair, plan, round)
    }
}
