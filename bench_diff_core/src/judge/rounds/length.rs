//! The number of duos in a round.

use std::time::Duration;

use super::Look;
use crate::sample::BLOCK;
use crate::stats::robust::{median_of, spread};

/// If a duo takes longer than this, in nanoseconds, a round has only one.
const LONG_DUO: u64 = 5_000_000;

/// This many rounds show how much rounds scatter.
const FEWEST_ROUNDS: usize = 3;

/// The most duos of a round, and the most time that they may take, in nanoseconds.
const MOST: usize = 256;
const LONGEST: u64 = 20_000_000;

/// The number of duos grows by at most this factor from one round to the next.
const GROWTH: usize = 4;

/// If rounds scatter by less than this part of the zone, they are precise enough.
const OF_ZONE: f64 = 0.25;

/// The duos of a round, given the requested number and the nanoseconds of a duo: a single one if duos are
/// long, and at least as many as take the time of preparing the functions.
pub(crate) fn duos_of_round(requested: usize, duo: u64, preparing: Duration) -> usize {
    let worth_preparing = preparing.as_nanos() / u128::from(duo.max(1));
    let worth_preparing = usize::try_from(worth_preparing).unwrap_or(MOST).min(MOST);
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
    let errors: Vec<f64> = looks.iter().filter_map(|look| look.error).collect();
    if looks.len() < FEWEST_ROUNDS || errors.len() < FEWEST_ROUNDS {
        return last.duos.clamp(1, most);
    }
    let contrasts: Vec<f64> = looks.iter().map(|look| look.contrast).collect();
    let (all, within) = (spread(&contrasts), median_of(&errors));
    if all <= OF_ZONE * zone {
        return last.duos.clamp(1, most);
    }
    // With e for the error within a round and b for the scatter with other causes, all^2 = b^2 + e^2, and e
    // <= b / 2 if 5 e^2 <= all^2.
    let wanted = last.duos as f64 * 5.0 * (within / all).powi(2);
    (wanted.ceil() as usize).clamp(1, GROWTH * last.duos).clamp(1, most)
}
