//! Evidence against one bound: the winnings of bets on the side on which the contrasts fall.

use std::f64::consts::LN_2;

use crate::stats::robust::score;

/// How many duos the first bet counts for while the second one learns.
const PRIOR_DUOS: f64 = 20.0;

/// The second bet starts no bolder than this.
const BOLDEST_START: f64 = 0.5;

/// A one-sided test martingale (Ville 1939) against "delta is at the bound or before it".
///
/// At the bound, the sign of every score is a fair coin, given its size and the past. A bet of lambda on a
/// score psi multiplies the stake by `2 / (1 + exp(-2 lambda psi))`, which is 1 on average over the two
/// signs, for any noise. Two bets hold half of the stake each: one follows the sequential probability ratio
/// test (Wald 1945), the other one the past.
#[derive(Clone, Debug, Default)]
pub(super) struct Martingale {
    bound: f64,
    sign: f64,
    width: f64,
    sum: f64,
    sum_of_squares: f64,
    ln_stakes: [f64; 2],
    /// The largest ln E so far. It is at least 0, the value at the start.
    pub(super) largest_ln_e: f64,
    /// True if every contrast so far was evidence for it.
    pub(super) unanimous: bool,
}

impl Martingale {
    /// Evidence that delta times `sign` lies above the bound times `sign`, in a zone of this width.
    pub(super) fn new(bound: f64, sign: f64, width: f64) -> Self {
        Self { bound, sign, width, unanimous: true, ..Self::default() }
    }

    /// Counts a contrast; the scale must not depend on it.
    pub(super) fn add(&mut self, contrast: f64, scale: f64) {
        let score = self.sign * score(contrast, self.bound, scale);
        let bets = self.bets(scale);
        for (ln_stake, bet) in self.ln_stakes.iter_mut().zip(bets) {
            *ln_stake += LN_2 - softplus(-2.0 * bet * score);
        }
        self.sum += score;
        self.sum_of_squares += score * score;
        self.largest_ln_e = self.largest_ln_e.max(self.ln_e());
        self.unanimous &= score > 0.0;
    }

    fn bets(&self, scale: f64) -> [f64; 2] {
        let planned = self.width / scale;
        let learned =
            (PRIOR_DUOS * planned.min(BOLDEST_START) + self.sum) / (PRIOR_DUOS + self.sum_of_squares);
        [planned.min(1.0), learned.clamp(0.0, 1.0)]
    }

    /// The current ln E.
    pub(super) fn ln_e(&self) -> f64 {
        ln_sum_exp(&self.ln_stakes) - LN_2
    }

    /// The p-value, valid whenever the measurement stops: 1 over the largest E so far (Ville 1939).
    pub(super) fn p(&self) -> f64 {
        (-self.largest_ln_e).exp()
    }
}

/// ln of the sum of e^x without overflow.
pub(super) fn ln_sum_exp(logarithms: &[f64]) -> f64 {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logarithms.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

/// ln(1 + e^x) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::judge::sequential::scale::Scale;
    use crate::simulation::Noise;

    const CONTRASTS: [f64; 10] = [0.012, -0.004, 0.021, 0.007, 0.015, -0.009, 0.018, 0.011, 0.025, 0.003];

    fn series(mut martingale: Martingale, scale: f64) -> Vec<f64> {
        let ln_e = |contrast: &f64| {
            martingale.add(*contrast, scale);
            martingale.ln_e()
        };
        CONTRASTS.iter().map(ln_e).collect()
    }

    fn assert_near(actual: &[f64], expected: &[f64]) {
        assert_eq!(actual.len(), expected.len());
        for (actual, expected) in actual.iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-6, "{actual} is not {expected}");
        }
    }

    #[test]
    fn sums_of_huge_and_of_tiny_numbers_stay_finite() {
        assert!((ln_sum_exp(&[-1e6, -1e6]) - (-1e6 + LN_2)).abs() < 1e-9);
        assert!((ln_sum_exp(&[0.0, -1e300]) - 0.0).abs() < 1e-15);
    }

    /// Values from an independent implementation in numpy.
    #[test]
    fn evidence_of_known_contrasts() {
        let fail = [
            0.521_974, 0.164_424, 0.732_783, 1.125_177, 1.713_135, 0.769_233, 1.329_303, 1.828_002,
            2.407_683, 2.616_412,
        ];
        assert_near(&series(Martingale::new(0.0, 1.0, 0.01), 0.01), &fail);
        let pass = [
            -0.160_781, 0.388_261, -0.684_943, -0.520_982, -0.876_445, -0.378_236, -0.947_572, -0.999_271,
            -1.902_532, -1.694_73,
        ];
        assert_near(&series(Martingale::new(0.01, -1.0, 0.01), 0.01), &pass);
        let wider_noise = [
            0.138_792, 0.084_91, 0.319_03, 0.410_667, 0.600_213, 0.457_975, 0.680_947, 0.831_762, 1.144_688,
            1.192_572,
        ];
        assert_near(&series(Martingale::new(0.0, 1.0, 0.005), 0.02), &wider_noise);
    }

    #[test]
    fn the_second_bet_learns() {
        let mut martingale = Martingale::new(0.0, 1.0, 0.01);
        let bets = CONTRASTS.map(|contrast| {
            let [planned, learned] = martingale.bets(0.01);
            assert_eq!(planned, 1.0);
            martingale.add(contrast, 0.01);
            learned
        });
        let expected =
            [0.5, 0.522_388, 0.5, 0.515_723, 0.534_1, 0.545_318, 0.496_35, 0.509_275, 0.524_951, 0.534_582];
        assert_near(&bets, &expected);
    }

    #[test]
    fn one_bet_alone() {
        let ln_stakes = CONTRASTS.iter().scan(0.0, |ln_stake, contrast| {
            *ln_stake += LN_2 - softplus(-2.0 * 0.5 * score(*contrast, 0.0, 0.01));
            Some(*ln_stake)
        });
        let ln_stakes: Vec<f64> = ln_stakes.collect();
        assert_near(&[ln_stakes[0], ln_stakes[9]], &[0.429_865, 2.463_49]);
    }

    #[test]
    fn the_largest_evidence_is_remembered() {
        let mut martingale = Martingale::new(0.0, 1.0, 0.01);
        assert_eq!((martingale.ln_e(), martingale.p()), (0.0, 1.0));
        martingale.add(-1.0, 0.01);
        assert_eq!((martingale.largest_ln_e, martingale.p()), (0.0, 1.0), "the start counts");
        (0..20).for_each(|_| martingale.add(1.0, 0.01));
        let largest = martingale.ln_e();
        (0..20).for_each(|_| martingale.add(-1.0, 0.01));
        assert!(martingale.ln_e() < largest);
        assert_eq!((martingale.largest_ln_e, martingale.p()), (largest, (-largest).exp()));
    }

    #[test]
    fn one_contrast_at_most_doubles_the_evidence() {
        let mut martingale = Martingale::new(0.0, 1.0, 1.0);
        martingale.add(f64::MAX, 1e-5);
        assert!(martingale.ln_e() < LN_2);
        martingale.add(-f64::MAX, 1e-5);
        assert!(martingale.ln_e() > -2.0 * 2.4, "{}", martingale.ln_e());
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        assert_eq!(softplus(1e300), 1e300);
        assert_eq!(softplus(-1e300), 0.0);
    }

    /// At the bound, alpha holds for every noise and whenever the measurement stops. Here, the sizes of the
    /// contrasts change by a factor of 1000, have outliers and depend on the past, and the scale follows
    /// them.
    #[test]
    fn fair_signs_reach_a_hundred_once_in_a_hundred_times() {
        let (runs, duos, bound) = (3000, 300, 0.01);
        let reached = |seed| {
            let noise = Noise::new(seed);
            let mut scale = Scale::new(&[0.01, -0.01], 1e-5);
            let mut martingale = Martingale::new(bound, 1.0, 0.02);
            let (mut past, mut size) = (Vec::new(), 0.01);
            for i in 0..duos {
                size =
                    10_f64.powf(f64::from(i).sin() * 1.5 - 3.0) + if i % 17 == 0 { 3.0 } else { size / 2.0 };
                let coin = (noise.log_normal(1.0, 1.0) - 1.0).signum();
                let (contrast, scale) = (bound + coin * size, scale.after(&past));
                martingale.add(contrast, scale);
                past.push((contrast, scale));
            }
            martingale.largest_ln_e >= 100.0_f64.ln()
        };
        let reached = (1..=runs).filter(|&seed| reached(seed * 7919)).count();
        // At most binomial (3000, .01): mean 30, standard deviation 5.4. The limit is 3 standard deviations.
        assert!((1..=46).contains(&reached), "{reached} of {runs}");
    }

    fn scored() -> impl Strategy<Value = (f64, f64)> {
        (-0.1..0.1, 1e-5..0.1)
    }

    proptest! {
        #[test]
        fn the_mirror_image_has_the_same_evidence(
            duos in vec(scored(), 1..100), bound in -0.05..0.05, width in 1e-4..0.1,
        ) {
            let mut above = Martingale::new(bound, 1.0, width);
            let mut mirrored = Martingale::new(-bound, -1.0, width);
            for (contrast, scale) in duos {
                above.add(contrast, scale);
                mirrored.add(-contrast, scale);
                prop_assert_eq!(above.ln_e(), mirrored.ln_e());
            }
        }

        #[test]
        fn a_larger_contrast_is_more_evidence_of_a_slowdown(
            past in vec(scored(), 0..100), scale in 1e-5..0.1, contrast in -0.1..0.1, more in 0.0..0.1,
        ) {
            let mut above = Martingale::new(0.01, 1.0, 0.02);
            let mut below = Martingale::new(0.03, -1.0, 0.02);
            for (contrast, scale) in past {
                above.add(contrast, scale);
                below.add(contrast, scale);
            }
            let (mut more_above, mut less_below) = (above.clone(), below.clone());
            above.add(contrast, scale);
            below.add(contrast, scale);
            more_above.add(contrast + more, scale);
            less_below.add(contrast + more, scale);
            prop_assert!(more_above.ln_e() >= above.ln_e());
            prop_assert!(less_below.ln_e() <= below.ln_e());
        }

        /// The theorem behind all of this: at the bound, the two signs of a score make E a fair game.
        #[test]
        fn the_average_over_the_coin_is_the_stake(
            past in vec(scored(), 0..100), scale in 1e-5..0.1, distance in 0.0..0.1,
        ) {
            let mut martingale = Martingale::new(0.01, 1.0, 0.02);
            past.iter().for_each(|&(contrast, scale)| martingale.add(contrast, scale));
            let toss = |side: f64| {
                let mut next = martingale.clone();
                next.add(0.01 + side * distance, scale);
                next.ln_e()
            };
            let average = ln_sum_exp(&[toss(1.0), toss(-1.0)]) - LN_2;
            prop_assert!((average - martingale.ln_e()).abs() < 1e-9);
        }
    }
}
