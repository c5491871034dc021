//! The latency of a call by the place of its function on the cache line.

use bench_diff_core::stats::median_time;
use bench_diff_core::{Duo, Places, Recording};

/// The distance in bytes of the places on a cache line where compilers start functions: 0, 16, 32 and 48.
const BYTES_OF_PLACE: u8 = 16;

/// The latency of both functions at each place, in nanoseconds per call; `None` if nothing was measured
/// there.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct ByPlaceRecord {
    pub(crate) baseline: Vec<Option<f64>>,
    pub(crate) candidate: Vec<Option<f64>>,
}

impl ByPlaceRecord {
    /// At each place, the median of the medians of all processes.
    pub(super) fn of(rounds: &[Vec<Recording>]) -> Self {
        let by_place = |place: fn(Places) -> u8, side: fn(&Duo) -> [u64; 2]| {
            let at = |number: u8| {
                let is_there = |process: &&Recording| {
                    process.places.is_some_and(|places| place(places) / BYTES_OF_PLACE == number)
                };
                let there = rounds.iter().flatten().filter(is_there);
                median(there.map(|process| typical_call(process, side)).collect())
            };
            (0..4).map(at).collect()
        };
        Self {
            baseline: by_place(|places| places.baseline, |duo| duo.baseline),
            candidate: by_place(|places| places.candidate, |duo| duo.candidate),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn typical_call(process: &Recording, side: fn(&Duo) -> [u64; 2]) -> f64 {
    median_time(process.duos.iter().flat_map(side).collect()) as f64 / process.warmup.iterations as f64
}

/// The median, which is the upper one of two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Order;

    use super::*;
    use crate::fixture::recording;

    fn process(candidate: u8, baseline: u8, slots: [u64; 2]) -> Recording {
        let [of_candidate, of_baseline] = slots.map(|slot| [slot; 2]);
        let duo = Duo { order: Order::BaselineFirst, candidate: of_candidate, baseline: of_baseline };
        Recording { places: Some(Places { candidate, baseline }), ..recording(vec![duo; 3]) }
    }

    #[test]
    fn each_place_has_the_latency_of_the_processes_in_which_the_function_lay_there() {
        let rounds = [
            vec![process(0, 48, [100, 140]), process(17, 8, [200, 100])],
            vec![process(48, 32, [300, 110]), process(0, 32, [120, 120]), process(15, 63, [900, 150])],
            vec![Recording { places: None, ..process(0, 0, [7, 7]) }],
        ];
        let calls = rounds[0][0].warmup.iterations as f64;
        let by_place = ByPlaceRecord::of(&rounds);
        let slots = |latencies: &[Option<f64>]| -> Vec<Option<f64>> {
            latencies.iter().map(|latency| latency.map(|latency| (latency * calls).round())).collect()
        };
        assert_eq!(slots(&by_place.candidate), [Some(120.0), Some(200.0), None, Some(300.0)]);
        assert_eq!(slots(&by_place.baseline), [Some(100.0), None, Some(120.0), Some(150.0)]);
    }
}
