//! The measurement with the clocks of a machine.

use super::{Round, measure, measure_round};
use crate::clock::{Clocks, Instruments, ManualClock, SystemClocks};
use crate::coin::Chance;
use crate::error::MeasureError;
use crate::measurement::Measurement;
use crate::plan::Plan;
use crate::sample::{Functions, Pair, Recording, Turn, TurnTime};

/// The methods of [`Measure`]. Provided ones are compiled in the crate that calls them, those of an
/// implementation in the crate that it stands in.
macro_rules! methods {
    () => {
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
            measure(instruments, pair, plan)
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

        /// The time of a turn of the candidate, whose other side is in another process.
        fn turn(&self, turn: Turn, functions: &mut Functions<'_>, chance: &mut Chance) -> TurnTime {
            turn.measure(self, functions, chance)
        }
    };
}

/// Clocks, and what measures with them.
pub trait Measure: Clocks + Sized {
    methods!();
}

impl Measure for ManualClock {}

/// Compiled here, so that the timed loop is optimized also where the crate that measures is not.
impl Measure for SystemClocks {
    methods!();
}
