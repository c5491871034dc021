//! A confidence interval on any scale.

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The confidence level, strictly between 0 and 1: 0.95 for a 95 % interval.
    pub level: f64,
    /// The lower end, in the unit of the estimate.
    pub low: f64,
    /// The upper end, in the unit of the estimate.
    pub high: f64,
}

impl Interval {
    /// Maps an interval of a difference of logarithms to the interval of the ratio.
    ///
    /// The exponential is increasing, so the level stays the same.
    #[must_use]
    pub fn exp(self) -> Self {
        Self { level: self.level, low: self.low.exp(), high: self.high.exp() }
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;

    #[test]
    fn a_log_interval_becomes_an_interval_of_ratios() {
        let ratio = Interval { level: 0.95, low: -std::f64::consts::LN_2, high: 0.0 }.exp();
        assert_eq!(ratio.level, 0.95);
        assert!((ratio.low - 0.5).abs() < 1e-15);
        assert_eq!(ratio.high, 1.0);
    }
}
