//! The number of duos in a round.

use std::time::Duration;

use super::Look;
use crate::sample::BLOCK;
use crate::stats::robust::{median_of, spread};

/// A round of a function of which a duo takes longer than this has one, in nanoseconds.
const LONG_DUO: u64 = 5_000_000;

/// This many rounds tell how far rounds lie from each other.
const FEWEST_ROUNDS: usize = 3;

/// The most duos of a round, and the longest time that they may take, in nanoseconds.
const MOST: usize = 256;
const LONGEST: u64 = 20_000_000;

/// From one round to the next the duos grow by this factor at most.
const GROWTH: usize = 4;

/// Rounds that differ by less than this part of the zone are as exact as they need to be.
const OF_ZONE: f64 = 0.25;

/// The duos of a round for which this many are asked, where a duo takes this many nanoseconds: with long ones
/// a single one, and with dear preparing as many as take the time of that.
pub(crate) fn duos_of_round(asked: usize, duo: u64, preparing: Duration) -> usize {
    let worth_preparing = preparing.as_nanos() / u128::from(duo.max(1));
    let worth_preparing = usize::try_from(worth_preparing).unwrap_or(MOST).min(MOST);
    let asked = if duo > LONG_DUO { 1 } else { asked.max(1) };
    asked.max(worth_preparing)
}

/// The duos of the next round: as many as bring the error of a round below half of what rounds differ by
/// besides, and no more.
pub(super) fn length_of_next(looks: &[Look], zone: f64) -> usize {
    let Some(last) = looks.last() else { return BLOCK };
    let duo = last.time / last.duos as u64;
    if duo > LONG_DUO {
        return 1;
    }
    let most = usize::try_from(LONGEST / duo.max(1)).unwrap_or(MOST).clamp(1, MOST);
    let errors: Vec<f64> = looks.iter().filter_map(|look| look.error).collect();
    if looks.len() < FEWEST_ROUNDS || errors.len() < FEWEST_ROUNDS {
        return last.duos.clamp(1, most);
    }
    let contrasts: Vec<f64> = looks.iter().map(|look| look.contrast).collect();
    let (all, within) = (spread(&contrasts), median_of(&errors));
    if all <= OF_ZONE * zone {
        return last.duos.clamp(1, most);
    }
    // With e for the error of a round and b for what they differ by besides, all^2 = b^2 + e^2, and e <= b /
    // 2 where 5 e^2 <= all^2.
    let wanted = last.duos as f64 * 5.0 * (within / all).powi(2);
    (wanted.ceil() as usize).clamp(1, GROWTH * last.duos).clamp(1, most)
}
