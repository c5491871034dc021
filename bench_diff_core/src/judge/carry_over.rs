//! The cost of running after the other function.

use crate::duo::{Duo, Order};
use crate::gate::Zone;
use crate::note::Note;
use crate::stats::robust::Location;

/// Chance is ruled out at this many standard errors.
const ERRORS: f64 = 3.0;

/// Fewer duos of one order say nothing.
const FEWEST_OF_AN_ORDER: usize = 8;

/// Without a gate 1 % is worth a note.
const WORTH_TELLING: f64 = 0.01;

/// A note where the two functions suffer unequally from running after each other, by more than half the
/// margin.
///
/// The second slot of a duo follows the other function and the third one the same function. What the one
/// takes longer than the other is the price of the change, and a drift of the machine is the same for both
/// orders.
pub(super) fn carry_over(duos: &[Duo], floor: f64, gate: Option<Zone>) -> Option<Note> {
    // That is how far the zone reaches to either side of it.
    let limit = gate.map_or(WORTH_TELLING, |gate| gate.width() / 2.0);
    let price = |order: Order| {
        let of_duo = |duo: &Duo| match order {
            Order::BaselineFirst => change(duo.candidate),
            Order::CandidateFirst => change(duo.baseline),
        };
        let prices: Vec<f64> = duos.iter().filter(|duo| duo.order == order).map(of_duo).collect();
        (prices.len() >= FEWEST_OF_AN_ORDER).then(|| Location::of(&prices, floor))
    };
    let (candidate, baseline) = (price(Order::BaselineFirst)?, price(Order::CandidateFirst)?);
    let difference = candidate.center - baseline.center;
    let error = candidate.standard_error().hypot(baseline.standard_error());
    (difference.abs() > limit.max(ERRORS * error)).then_some(Note::CarryOver { difference })
}

fn change([after_other, after_same]: [u64; 2]) -> f64 {
    (after_other as f64 / after_same as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Noise;

    const FLOOR: f64 = 1e-5;

    /// Duos in turns of order, in which each function takes longer after the other one.
    fn duos(candidate: f64, baseline: f64, sigma: f64, n: usize) -> Vec<Duo> {
        let noise = Noise::new(5);
        let slots = |price: f64| [1.0 + price, 1.0].map(|slot| noise.log_normal(1e6 * slot, sigma) as u64);
        let duo = |i: usize| {
            let order = if i.is_multiple_of(2) { Order::BaselineFirst } else { Order::CandidateFirst };
            Duo { order, candidate: slots(candidate), baseline: slots(baseline) }
        };
        (0..n).map(duo).collect()
    }

    #[test]
    fn only_an_unequal_price_is_noted() {
        let of = |candidate, baseline, n| carry_over(&duos(candidate, baseline, 0.005, n), FLOOR, None);
        let difference = |note| match note {
            Some(Note::CarryOver { difference }) => difference,
            other => panic!("{other:?}"),
        };
        assert!((difference(of(0.02, 0.0, 200)) - 0.0198).abs() < 0.002);
        assert!((difference(of(0.0, 0.03, 200)) + 0.0296).abs() < 0.002);
        assert_eq!(of(0.05, 0.05, 200), None, "the same for both is no difference");
        assert_eq!(of(0.005, 0.0, 200), None, "too little to matter");
        assert_eq!(of(0.02, 0.0, 14), None, "7 duos of an order");
        assert_eq!(carry_over(&duos(0.02, 0.0, 0.1, 40), FLOOR, None), None, "lost in noise");
    }

    #[test]
    fn one_order_alone_has_no_carry_over() {
        let mut duos = duos(0.5, 0.0, 0.005, 100);
        duos.iter_mut().for_each(|duo| duo.order = Order::BaselineFirst);
        assert_eq!(carry_over(&duos, FLOOR, None), None);
    }
}
