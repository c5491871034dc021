//! The latency of a call by the place of its function on the cache line.

use super::numbers;
use crate::record::{ByPlaceRecord, Figures};

/// The places, in bytes from the start of a cache line.
pub(super) const PLACES: [u8; 4] = [0, 16, 32, 48];

/// The logarithm of a ratio from which on a difference of places is reported.
const WORTH: f64 = 0.03;

/// The threshold as a multiple of the spread of rounds, in which places cancel.
const SPREADS: f64 = 2.0;

/// The latencies of the baseline and of the candidate at each place, in nanoseconds, if the place makes a
/// difference to one of them.
pub(super) fn latencies(figures: &Figures) -> Option<[[f64; 4]; 2]> {
    let ByPlaceRecord { baseline, candidate } = figures.by_place.as_ref()?;
    let spread = figures.rounds.as_ref().map_or(0.0, |rounds| rounds.spread);
    let both = [known(baseline)?, known(candidate)?];
    let makes_a_difference = both.iter().any(|of| apart(of) >= WORTH.max(SPREADS * spread));
    (makes_a_difference && !figures.is_one_code()).then_some(both)
}

fn known(latencies: &[Option<f64>]) -> Option<[f64; 4]> {
    latencies.iter().copied().collect::<Option<Vec<f64>>>()?.try_into().ok()
}

/// The ratio of the slowest to the fastest place, as a logarithm.
fn apart(latencies: &[f64; 4]) -> f64 {
    let least = latencies.iter().copied().fold(f64::INFINITY, f64::min);
    let most = latencies.iter().copied().fold(0.0, f64::max);
    (most / least).ln()
}

/// The line below the row of a pair.
pub(super) fn line(figures: &Figures) -> Option<String> {
    let [baseline, candidate] = latencies(figures)?.map(|of| of.map(numbers::latency).join(", "));
    Some(format!(
        "by place {}: baseline {baseline}; candidate {candidate}",
        PLACES.map(|it| it.to_string()).join("/")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{IntervalRecord, RoundsRecord};

    const BUBBLE: [f64; 4] = [838.0, 848.0, 862.0, 1027.0];

    fn by_place(baseline: [f64; 4], candidate: [f64; 4], spread: f64) -> Figures {
        let [baseline, candidate] = [baseline, candidate].map(|of| of.map(Some).to_vec());
        Figures {
            by_place: Some(ByPlaceRecord { baseline, candidate }),
            rounds: Some(RoundsRecord { spread, ..RoundsRecord::default() }),
            ..Figures::default()
        }
    }

    #[test]
    fn a_place_is_told_where_it_makes_a_difference() {
        let checked = [1029.0, 840.0, 850.0, 861.0];
        let text = "by place 0/16/32/48: baseline 838.0 ns, 848.0 ns, 862.0 ns, 1.027 us; \
                    candidate 1.029 us, 840.0 ns, 850.0 ns, 861.0 ns";
        assert_eq!(line(&by_place(BUBBLE, checked, 0.02)).as_deref(), Some(text));
        assert!(line(&by_place([900.0; 4], BUBBLE, 0.02)).is_some());
        assert_eq!(line(&by_place([900.0, 901.0, 920.0, 910.0], [900.0; 4], 0.001)), None);
        assert_eq!(line(&by_place(BUBBLE, checked, 0.11)), None, "rounds differ by as much");
        let interval = IntervalRecord { level: 0.9, low: Some(1.0), high: Some(1.0) };
        assert_eq!(line(&Figures { interval, ..by_place(BUBBLE, BUBBLE, 0.0) }), None);
    }

    #[test]
    fn nothing_is_told_of_places_without_a_measurement() {
        let mut record = by_place(BUBBLE, BUBBLE, 0.0);
        record.by_place.as_mut().unwrap().baseline[2] = None;
        assert_eq!(line(&record), None);
        assert_eq!(line(&Figures { by_place: None, ..record }), None);
    }
}
