//! A duo: four slots, two of each function, in one of two mirrored orders. Of long functions a process may
//! measure half a duo.

/// The order of the slots of a duo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// B C C B.
    BaselineFirst,
    /// C B B C.
    CandidateFirst,
    /// B C, half a duo.
    BaselineOnce,
    /// C B, half a duo.
    CandidateOnce,
}

impl Order {
    /// The order that the first of these bits decides.
    pub(crate) fn of(drawn: u64) -> Self {
        if drawn >> 63 == 1 { Self::CandidateFirst } else { Self::BaselineFirst }
    }

    /// The other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::CandidateFirst => Self::BaselineFirst,
            Self::BaselineFirst => Self::CandidateFirst,
            Self::BaselineOnce => Self::CandidateOnce,
            Self::CandidateOnce => Self::BaselineOnce,
        }
    }

    /// The order of the first half of a duo.
    pub(crate) fn halved(self) -> Self {
        if self.is_candidate_first() { Self::CandidateOnce } else { Self::BaselineOnce }
    }

    /// Returns whether it is that of half a duo.
    #[must_use]
    pub fn is_half(self) -> bool {
        matches!(self, Self::BaselineOnce | Self::CandidateOnce)
    }

    /// Returns whether the candidate goes first.
    #[must_use]
    pub fn is_candidate_first(self) -> bool {
        matches!(self, Self::CandidateFirst | Self::CandidateOnce)
    }
}

/// The raw slot times of a duo, in nanoseconds. The two slots of a function are in the order of measurement.
///
/// The orders of four slots are palindromes, so that a linear drift of the machine adds the same to both
/// functions. Half a duo has each of its two slots twice here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duo {
    /// The order in which the slots were measured.
    pub order: Order,
    /// The two slots of the candidate.
    pub candidate: [u64; 2],
    /// The two slots of the baseline.
    pub baseline: [u64; 2],
}

impl Duo {
    /// The duo of these four slots, in the order in which they were measured.
    pub(crate) fn measured(order: Order, [first, second, third, fourth]: [u64; 4]) -> Self {
        let (outer, inner) = ([first, fourth], [second, third]);
        match order.is_candidate_first() {
            true => Self { order, candidate: outer, baseline: inner },
            false => Self { order, candidate: inner, baseline: outer },
        }
    }

    /// Half a duo of these two slots, in the order in which they were measured.
    pub(crate) fn half(order: Order, [first, second]: [u64; 2]) -> Self {
        Self::measured(order.halved(), [first, second, second, first])
    }

    /// The contrast: `((ln c1 + ln c2) - (ln b1 + ln b2)) / 2`, one estimate of ln(candidate / baseline).
    ///
    /// Infinite or NaN if a slot took no time.
    #[must_use]
    pub fn contrast(&self) -> f64 {
        let ln_sum = |slots: [u64; 2]| ln(slots[0]) + ln(slots[1]);
        (ln_sum(self.candidate) - ln_sum(self.baseline)) / 2.0
    }

    /// The mean of the logarithms of all four slots.
    pub(crate) fn ln_slot(&self) -> f64 {
        self.slots().into_iter().map(ln).sum::<f64>() / 4.0
    }

    /// The time of all slots together, in nanoseconds.
    #[must_use]
    pub fn total(&self) -> u64 {
        let all = self.slots().into_iter().fold(0, u64::saturating_add);
        if self.order.is_half() { all / 2 } else { all }
    }

    /// The four slots, the candidate's first.
    pub(crate) fn slots(&self) -> [u64; 4] {
        let ([c1, c2], [b1, b2]) = (self.candidate, self.baseline);
        [c1, c2, b1, b2]
    }
}

/// The slots of one function in all of these duos, in nanoseconds: two of each duo, and one of half a duo.
pub fn slots_of(duos: &[Duo], side: fn(&Duo) -> [u64; 2]) -> Vec<u64> {
    let slots = |duo: &Duo| side(duo).into_iter().take(if duo.order.is_half() { 1 } else { 2 });
    duos.iter().flat_map(slots).collect()
}

// Exact up to 2^53 ns, a slot of 104 days.
fn ln(nanoseconds: u64) -> f64 {
    (nanoseconds as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duo(candidate: [u64; 2], baseline: [u64; 2]) -> Duo {
        Duo { order: Order::BaselineFirst, candidate, baseline }
    }

    #[test]
    fn the_contrast_is_the_mean_log_ratio() {
        let contrast = duo([110, 130], [100, 120]).contrast();
        // (ln 110 + ln 130 - ln 100 - ln 120) / 2
        assert!((contrast - 0.087_676_443_1).abs() < 1e-9, "{contrast}");
        assert_eq!(duo([100, 120], [120, 100]).contrast(), 0.0);
    }

    #[test]
    fn swapping_the_functions_mirrors_the_contrast() {
        assert_eq!(duo([110, 130], [100, 120]).contrast(), -duo([100, 120], [110, 130]).contrast());
    }

    #[test]
    fn a_slot_without_time_has_no_contrast() {
        assert!(!duo([0, 130], [100, 120]).contrast().is_finite());
        assert!(!duo([0, 130], [0, 120]).contrast().is_finite());
    }

    #[test]
    fn half_a_duo_has_each_slot_once() {
        let half = Duo::half(Order::CandidateFirst, [110, 100]);
        assert_eq!((half.order, half.total()), (Order::CandidateOnce, 210));
        assert!((half.contrast() - 1.1_f64.ln()).abs() < 1e-12);
        let both = [half, duo([1, 2], [3, 4])];
        assert_eq!(slots_of(&both, |duo| duo.candidate), [110, 1, 2]);
        assert_eq!(slots_of(&both, |duo| duo.baseline), [100, 3, 4]);
        assert_eq!(Duo::half(Order::BaselineFirst, [100, 110]).contrast(), half.contrast());
    }

    #[test]
    fn the_total_saturates() {
        assert_eq!(duo([1, 2], [3, 4]).total(), 10);
        assert_eq!(duo([u64::MAX, 2], [3, 4]).total(), u64::MAX);
    }
}
