//! The contrasts with the scales that they are judged by.

/// Contrasts in the order in which they were counted, each with its scale.
///
/// The scale changes when the number of contrasts has doubled, so only its changes are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Scored {
    contrasts: Vec<f64>,
    /// Each scale with the number of contrasts before it.
    scales: Vec<(usize, f64)>,
}

impl Scored {
    pub(super) fn push(&mut self, contrast: f64, scale: f64) {
        if self.scales.last().is_none_or(|(_, last)| *last != scale) {
            self.scales.push((self.contrasts.len(), scale));
        }
        self.contrasts.push(contrast);
    }

    pub(super) fn len(&self) -> usize {
        self.contrasts.len()
    }

    pub(super) fn contrasts(&self) -> &[f64] {
        &self.contrasts
    }

    /// The contrasts of each scale.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&[f64], f64)> {
        let ends = self.scales.iter().skip(1).map(|(start, _)| *start).chain([self.contrasts.len()]);
        self.scales.iter().zip(ends).map(|((start, scale), end)| (&self.contrasts[*start..end], *scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl FromIterator<(f64, f64)> for Scored {
        fn from_iter<I: IntoIterator<Item = (f64, f64)>>(duos: I) -> Self {
            let mut scored = Self::default();
            duos.into_iter().for_each(|(contrast, scale)| scored.push(contrast, scale));
            scored
        }
    }

    #[test]
    fn each_contrast_keeps_its_scale() {
        let duos = [(0.1, 1.0), (0.2, 1.0), (0.3, 2.0), (0.4, 1.0), (0.5, 1.0)];
        let scored: Scored = duos.into_iter().collect();
        let again: Vec<(f64, f64)> = scored
            .runs()
            .flat_map(|(run, scale)| run.iter().map(move |contrast| (*contrast, scale)))
            .collect();
        assert_eq!(again, duos);
        assert_eq!((scored.len(), scored.runs().count()), (5, 3));
        assert_eq!(Scored::default().runs().count(), 0);
    }
}
