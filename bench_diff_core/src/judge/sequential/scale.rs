//! The scale of the contrasts: how much they usually scatter.

use crate::stats::robust::spread;

/// A warm-up of this many duos gives a good enough scale for twice as many counted ones.
const FULL_WARMUP: usize = 16;

/// An estimate from fewer duos is not worth it.
const FEWEST: usize = 4;

/// The scale of the next duo, which does not depend on that duo.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    floor: f64,
    now: f64,
    next_refresh: usize,
}

impl Scale {
    /// Starts with the scale of the warm-up. The scale never falls below the floor.
    pub(super) fn new(warmup: &[f64], floor: f64) -> Self {
        let next_refresh = match warmup.len() {
            FULL_WARMUP.. => 2 * FULL_WARMUP,
            few => few.next_power_of_two().max(FEWEST),
        };
        Self { floor, now: spread(warmup).max(floor), next_refresh }
    }

    /// The scale for the duo that follows these contrasts, which are all counted ones so far, each with its
    /// scale.
    ///
    /// It is estimated again whenever their number has doubled.
    pub(super) fn after(&mut self, past: &[(f64, f64)]) -> f64 {
        if past.len() == self.next_refresh {
            let contrasts: Vec<f64> = past.iter().map(|(contrast, _)| *contrast).collect();
            self.now = spread(&contrasts).max(self.floor);
            self.next_refresh *= 2;
        }
        self.now
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn scales(warmup: &[f64], contrasts: &[f64]) -> Vec<f64> {
        let mut scale = Scale::new(warmup, 1e-5);
        let past: Vec<(f64, f64)> = contrasts.iter().map(|contrast| (*contrast, 1.0)).collect();
        (0..past.len()).map(|i| scale.after(&past[..i])).collect()
    }

    #[test]
    fn equal_contrasts_have_the_floor_as_their_scale() {
        assert_eq!(scales(&[0.0; 16], &[0.0; 100]), [1e-5; 100]);
        assert_eq!(scales(&[], &[0.0; 3]), [1e-5; 3]);
    }

    #[test]
    fn the_scale_is_refreshed_at_doublings() {
        let contrasts: Vec<f64> = (0..200).map(|i| f64::from(i * i)).collect();
        let changes = |warmup: usize| {
            let warmup: Vec<f64> = (0..warmup).map(|i| i as f64).collect();
            let scales = scales(&warmup, &contrasts);
            (1..scales.len()).filter(|&i| scales[i] != scales[i - 1]).collect::<Vec<_>>()
        };
        assert_eq!(changes(16), [32, 64, 128]);
        assert_eq!(changes(2000), [32, 64, 128]);
        assert_eq!(changes(8), [8, 16, 32, 64, 128]);
        assert_eq!(changes(2), [4, 8, 16, 32, 64, 128]);
    }

    proptest! {
        #[test]
        fn no_scale_depends_on_its_own_duo_or_a_later_one(
            warmup in vec(-0.1..0.1, 0..20), contrasts in vec(-0.1..0.1, 1..150), changed in 0..150_usize,
            new in vec(-0.1..0.1, 150),
        ) {
            let changed = changed.min(contrasts.len() - 1);
            let mut other = contrasts.clone();
            other[changed..].copy_from_slice(&new[changed..contrasts.len()]);
            let (before, after) = (scales(&warmup, &contrasts), scales(&warmup, &other));
            prop_assert_eq!(&before[..=changed], &after[..=changed]);
        }
    }
}
