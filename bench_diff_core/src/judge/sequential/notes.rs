//! Remarks on the data besides the figures.

use crate::note::Note;
use crate::stats::robust::{Location, score};

/// The share of normal contrasts that are clipped, beyond 1.5 standard deviations.
const NORMAL_SHARE: f64 = 0.1336;

/// The share of clipped contrasts from which on it is worth a note.
const MANY: f64 = 0.3;

/// The correlation of neighbours from which on it is worth a note.
const ALIKE: f64 = 0.2;

/// Chance is ruled out at this many standard errors.
const ERRORS: f64 = 3.0;

/// A note where far more contrasts are clipped than of normal noise.
pub(super) fn outliers(location: &Location, duos: usize) -> Option<Note> {
    let error = (NORMAL_SHARE * (1.0 - NORMAL_SHARE) / duos as f64).sqrt();
    let share = location.clipped;
    (share > MANY.max(NORMAL_SHARE + ERRORS * error)).then_some(Note::ManyOutliers { share })
}

/// A note where each contrast resembles the next.
pub(super) fn correlation(contrasts: &[f64], location: &Location) -> Option<Note> {
    let scores: Vec<f64> =
        contrasts.iter().map(|contrast| score(*contrast, location.center, location.scale)).collect();
    let squares: f64 = scores.iter().map(|score| score * score).sum();
    let products: f64 = scores.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let autocorrelation = products / squares;
    let limit = ALIKE.max(ERRORS / (scores.len() as f64).sqrt());
    (autocorrelation > limit).then_some(Note::Correlated { autocorrelation })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Noise;

    const FLOOR: f64 = 1e-5;

    fn normal(n: usize) -> Vec<f64> {
        let noise = Noise::new(11);
        (0..n).map(|_| noise.log_normal(1.0, 0.01).ln()).collect()
    }

    #[test]
    fn ordinary_noise_has_no_notes() {
        for n in [1, 2, 3, 16, 100, 1000] {
            let contrasts = normal(n);
            let location = Location::of(&contrasts, FLOOR);
            assert_eq!((outliers(&location, n), correlation(&contrasts, &location)), (None, None), "{n}");
        }
        let equal = Location::of(&[0.0; 100], FLOOR);
        assert_eq!((outliers(&equal, 100), correlation(&[0.0; 100], &equal)), (None, None));
    }

    #[test]
    fn two_speeds_are_outliers() {
        let mut contrasts = normal(100);
        contrasts[..40].iter_mut().enumerate().for_each(|(i, contrast)| {
            *contrast += if i.is_multiple_of(2) { 0.1 } else { -0.1 };
        });
        let location = Location::of(&contrasts, FLOOR);
        let Some(Note::ManyOutliers { share }) = outliers(&location, 100) else { panic!("{location:?}") };
        assert!((0.38..0.5).contains(&share), "{share}");
        assert_eq!(outliers(&location, 5), None, "two of five may be chance");
    }

    #[test]
    fn a_ratio_that_changes_makes_neighbours_alike() {
        let mut contrasts = normal(100);
        contrasts[50..].iter_mut().for_each(|contrast| *contrast += 0.02);
        let location = Location::of(&contrasts, FLOOR);
        let Some(Note::Correlated { autocorrelation }) = correlation(&contrasts, &location) else {
            panic!("{location:?}")
        };
        assert!((0.3..0.8).contains(&autocorrelation), "{autocorrelation}");
        let few = [0.0, 0.0, 0.01, 0.01, 0.0, 0.0];
        assert_eq!(correlation(&few, &Location::of(&few, FLOOR)), None, "six may be chance");
    }
}
