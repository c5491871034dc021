//! The number of duos in a round.

use std::time::Duration;

use super::Look;
use crate::sample::BLOCK;
use crate::stats::robust::{median_of, spread};

/// If a duo takes longer than this, in nanoseconds, a round has only one.
const LONG_DUO: u64 = 5_000_000;

/// This many rounds show how much rounds scatter.
const FEWEST_ROUNDS: usize = 3;

/// The most duos of a round, and of a process that took long to prepare.
const MOST: usize = 1024;
const MOST_OF_PROCESS: usize = 256;

/// The most time that the duos of a round may take, in nanoseconds.
const LONGEST: u64 = 40_000_000;

/// The number of duos grows by at most this factor from one round to the next.
const GROWTH: usize = 4;

/// If rounds scatter by less than this part of the zone, they are precise enough.
const OF_ZONE: f64 = 0.25;

/// The duos of a round, given the requested number and the nanoseconds of a duo: a single one if duos are
/// long, and at least as many as take the time of preparing the functions.
pub(crate) fn duos_of_round(requested: usize, duo: u64, preparing: Duration) -> usize {
    let worth_preparing = preparing.as_nanos() / u128::from(duo.max(1));
    let worth_preparing = worth_preparing.min(MOST_OF_PROCESS as u128) as usize;
    let requested = if duo > LONG_DUO { 1 } else { requested.max(1) };
    requested.max(worth_preparing)
}

/// The duos of the next round: just enough for the error within a round to be at most half of the scatter
/// between rounds that has other causes.
pub(super) fn length_of_next(looks: &[Look], zone: f64) -> usize {
    let Some(last) = looks.last() else { return BLOCK };
    let duo = last.time / last.duos as u64;
    if duo > LONG_DUO {
        return 1;
    }
    let most = usize::try_from(LONGEST / duo.max(1)).unwrap_or(MOST).clamp(1, MOST);
    // Rounds differ in length, and their errors with it. A single duo has this one.
    let error_of_duo = |look: &Look| Some(look.error? * (look.duos as f64).sqrt());
    let errors: Vec<f64> = looks.iter().filter_map(error_of_duo).collect();
    if looks.len() < FEWEST_ROUNDS || errors.len() < FEWEST_ROUNDS {
        return last.duos.clamp(1, most);
    }
    let contrasts: Vec<f64> = looks.iter().map(|look| look.contrast).collect();
    let (all, of_one) = (spread(&contrasts), median_of(&errors));
    if all <= OF_ZONE * zone {
        return last.duos.clamp(1, most);
    }
    // With e for the error within a round and b for the scatter with other causes, all^2 = b^2 + e^2, and e
    // <= b / 2 if 5 e^2 <= all^2.
    let wanted = 5.0 * (of_one / all).powi(2);
    (wanted.ceil() as usize).clamp(1, GROWTH * last.duos).clamp(1, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone of which a scatter of rounds by 1 % is too much.
    const ZONE: f64 = 0.02;

    /// Rounds that scatter by about 1 % around 0, of these lengths, whose duos have an error of 4 % each.
    fn looks(lengths: &[usize]) -> Vec<Look> {
        let contrasts = [-0.01, 0.0, 0.01].into_iter().cycle();
        let look = |(&duos, contrast): (&usize, f64)| Look {
            contrast,
            error: (duos >= BLOCK).then(|| 0.04 / (duos as f64).sqrt()),
            duos,
            slots: 2 * duos,
            baseline: 1e3,
            time: 100_000 * duos as u64,
        };
        lengths.iter().zip(contrasts).map(look).collect()
    }

    #[test]
    fn a_round_is_as_long_as_its_scatter_asks_for_whatever_the_lengths_before() {
        let [short, long, mixed, grown] =
            [&[40; 9][..], &[160; 9], &[BLOCK, BLOCK, BLOCK, 32, 128, 256, 8, 8, 30], &[BLOCK; 9]]
                .map(|lengths| length_of_next(&looks(lengths), ZONE));
        assert_eq!((short, long, mixed), (long, short, short));
        // 5 * (4 % / 1.48 %)^2, since the median distance of normal values is their deviation / 1.4826.
        assert_eq!(short, 37);
        assert_eq!(grown, GROWTH * BLOCK);
    }

    #[test]
    fn a_length_stays_while_rounds_agree_or_say_nothing_of_their_error() {
        assert_eq!(length_of_next(&looks(&[BLOCK; 9]), 0.1), BLOCK);
        assert_eq!(length_of_next(&looks(&[4; 9]), ZONE), 4);
        assert_eq!(length_of_next(&[], ZONE), BLOCK);
        let long = looks(&[1; 9]).into_iter().map(|look| Look { time: 2 * LONG_DUO, ..look });
        assert_eq!(length_of_next(&long.collect::<Vec<_>>(), ZONE), 1);
    }
}
