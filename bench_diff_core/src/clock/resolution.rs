//! The step of a clock, found by reading it.

/// The number of gaps between readings that show the step of a clock.
const FEWEST_GAPS: usize = 1000;

/// After this many more readings, the clock counts as standing still. Some CPU clocks step by 10 ms.
const MOST_GAPS: usize = 1 << 20;

/// The smallest step of a clock, in nanoseconds, found from the gaps between readings; `u64::MAX` if the
/// clock stands still.
pub(super) fn resolution(mut next_gap: impl FnMut() -> u64) -> u64 {
    let mut gaps: Vec<u64> = (0..FEWEST_GAPS).map(|_| next_gap()).collect();
    if gaps.iter().all(|gap| *gap == 0) {
        gaps.extend((0..MOST_GAPS).map(|_| next_gap()).find(|gap| *gap > 0));
    }
    gaps.sort_unstable();
    gaps.dedup();
    step(&gaps)
}

/// The step of a clock that shows these gaps, in ascending order.
///
/// If two readings can be equal, the smallest other gap is a step. If each reading takes longer than a step,
/// gaps differ by steps. If a tick is not a whole number of nanoseconds, a gap can be rounded to two
/// neighbouring numbers, but never to more.
fn step(gaps: &[u64]) -> u64 {
    let Some((&smallest, _)) = gaps.split_first() else { return u64::MAX };
    if smallest == 0 {
        return gaps.get(1).copied().unwrap_or(u64::MAX);
    }
    let runs: Vec<&[u64]> = gaps.chunk_by(|gap, next| next - gap == 1).collect();
    if runs.iter().any(|run| run.len() > 2) {
        return 1;
    }
    let between_runs = runs.windows(2).map(|pair| pair[1][0] - pair[0][0]).min();
    // If all gaps are equal, nothing better is known.
    between_runs.unwrap_or(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The observed step of a clock with these ticks whose readings take this long, plus some jitter.
    fn seen(tick: f64, reading: f64, jitter: f64) -> u64 {
        let (mut now, mut reads) = (0.0, 0.0_f64);
        let mut read = move || {
            reads += 1.0;
            now += reading + jitter * (reads * 0.618).fract();
            ((now / tick).floor() * tick) as u64
        };
        let mut last = read();
        resolution(|| {
            let moment = read();
            let gap = moment - last;
            last = moment;
            gap
        })
    }

    #[test]
    fn a_step_is_not_confused_with_the_time_of_a_reading() {
        for (tick, reading, jitter, step) in [
            (1.0, 22.0, 4.0, 1),
            (1.0, 230.0, 15.0, 1),
            (100.0, 22.0, 4.0, 100),
            (100.0, 230.0, 15.0, 100),
            (125.0 / 3.0, 20.0, 3.0, 41),
            (125.0 / 3.0, 230.0, 90.0, 41),
            (10e6, 300.0, 20.0, 10_000_000),
        ] {
            let seen = seen(tick, reading, jitter);
            assert!((step..=step + 1).contains(&seen), "ticks of {tick} ns read in {reading} ns: {seen}");
        }
    }

    #[test]
    fn equal_gaps_are_taken_for_the_step() {
        assert_eq!(seen(1.0, 230.0, 0.0), 230);
    }

    #[test]
    fn a_clock_that_stands_still_has_no_resolution() {
        assert_eq!(resolution(|| 0), u64::MAX);
    }
}
