//! Tails and quantiles of Student's t distribution that stay accurate however many degrees of freedom there
//! are.
//!
//! Welch's degrees of freedom grow with the number of observations, so a long run has millions of them.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

/// With at least this many degrees of freedom, the expansion around the normal distribution is more accurate
/// than the tail of the library, whose log-gamma terms cancel.
const NEARLY_NORMAL: f64 = 1e4;

/// With more degrees of freedom, the tail of the library is no better than the tail of the normal
/// distribution.
const NORMAL: f64 = 2e8;

/// P(T > `t`) for Student's t with `df` degrees of freedom; `df` may be fractional or infinite (the normal
/// distribution).
///
/// This is the tail of the `statrs` library. Up to a million degrees of freedom, its relative error is below
/// 1e-8 for results from 1e-12 to 0.4, beyond that below 1e-5; close to `t` = 0 it may be off by 1e-5.
///
/// An infinite `t` has a tail of 0 or 1. The result is NaN if `t` is NaN, or if `df` is NaN or below 1.
pub fn t_upper_tail(t: f64, df: f64) -> f64 {
    let df = if df > NORMAL { f64::INFINITY } else { df };
    match StudentsT::new(0.0, 1.0, df) {
        Ok(distribution) if df >= 1.0 && !t.is_nan() => match t {
            f64::INFINITY => 0.0,
            f64::NEG_INFINITY => 1.0,
            _ => distribution.sf(t),
        },
        _ => f64::NAN,
    }
}

/// The `t` with P(T > `t`) = `tail` for Student's t with `df` degrees of freedom; `df` may be fractional or
/// infinite (the normal distribution).
///
/// The relative error is below 1e-9 for tails from 1e-12 to 0.4. From there to 0.5, where `t` is 0, the
/// absolute error is below 1e-5. A `tail` above 0.5 has the negative quantile of `1 - tail`.
///
/// The result is NaN if `tail` is not strictly between 0 and 1, or if `df` is NaN or below 1. It may be NaN
/// or infinite for tails below 1e-150, which no test reaches.
///
/// Below 10 000 degrees of freedom, Newton's method inverts the tail. Beyond that, the expansion of Cornish &
/// Fisher (1937) is used, as given by Abramowitz & Stegun (1964), 26.7.5. The function always returns, after
/// at most 100 steps.
pub fn t_quantile_upper(tail: f64, df: f64) -> f64 {
    let is_defined = tail > 0.0 && tail < 1.0 && df >= 1.0;
    if !is_defined {
        f64::NAN
    } else if tail > 0.5 {
        -magnitude_of_tail(1.0 - tail, df)
    } else {
        magnitude_of_tail(tail, df)
    }
}

/// The `t >= 0` with P(T > `t`) = `tail`, for `tail <= 0.5`.
fn magnitude_of_tail(tail: f64, df: f64) -> f64 {
    if tail == 0.5 {
        0.0
    } else if df >= NEARLY_NORMAL {
        cornish_fisher(normal_quantile_upper(tail), df)
    } else {
        invert_tail(tail, df)
    }
}

/// Newton's method for ln P(T > t) = ln `tail` in the variable ln t.
///
/// The density of ln T given T > 0 is log-concave, hence so is its upper tail (Bagnoli & Bergstrom 2005).
/// Newton's method for a decreasing concave function needs no bracket: the first step may overshoot the root
/// to the right, and every later step goes down without reaching it.
fn invert_tail(tail: f64, df: f64) -> f64 {
    const MAX_STEPS: usize = 100;
    const CONVERGED: f64 = 1e-10;

    let Ok(distribution) = StudentsT::new(0.0, 1.0, df) else {
        return f64::NAN;
    };
    let mut t = normal_quantile_upper(tail);
    for _ in 0..MAX_STEPS {
        let upper = t_upper_tail(t, df);
        let elasticity = t * distribution.pdf(t) / upper;
        let step = (upper / tail).ln() / elasticity;
        t *= step.exp();
        // The error after a step is of the order of its square.
        if step.abs() < CONVERGED {
            break;
        }
    }
    t
}

/// Abramowitz & Stegun 26.7.5: the t quantile of the probability whose normal quantile is `z`.
fn cornish_fisher(z: f64, df: f64) -> f64 {
    let z2 = z * z;
    let g1 = z * (z2 + 1.0) / 4.0;
    let g2 = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let g3 = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let g4 = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0;
    z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df
}

/// The quantile of the standard normal distribution that leaves this tail above it.
#[expect(
    clippy::disallowed_methods,
    reason = "disallowed for Student's t; the normal's is a closed approximation"
)]
pub(crate) fn normal_quantile_upper(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{t_quantile_upper, t_upper_tail};

    /// The quantiles of a table of somebody else's, each with its upper tail and degrees of freedom.
    fn reference() -> Vec<(f64, f64, f64)> {
        let rows = include_str!("student_quantiles.csv").lines().filter(|line| !line.starts_with('#'));
        let mut rows = rows.map(|row| row.split(',').map(|cell| cell.parse::<f64>().unwrap_or(f64::NAN)));
        let tails: Vec<f64> = rows.next().unwrap().skip(1).collect();
        let of_row = |mut row: Vec<f64>| {
            let df = row.remove(0);
            tails.clone().into_iter().zip(row).map(move |(tail, t)| (tail, df, t))
        };
        rows.map(Iterator::collect).flat_map(of_row).collect()
    }

    fn assert_relative(actual: f64, expected: f64, tolerance: f64, what: &str) {
        let error = (actual - expected).abs() / expected.abs();
        assert!(error <= tolerance, "{what}: {actual} is not {expected}: relative error {error:e}");
    }

    #[test]
    fn quantiles_agree_with_the_reference() {
        assert_eq!(reference().len(), 16 * 11);
        for (tail, df, t) in reference() {
            assert_relative(t_quantile_upper(tail, df), t, 1e-9, &format!("tail {tail:e}, df {df:e}"));
        }
    }

    /// The tolerance that the documentation of [`t_upper_tail`] promises.
    fn tail_tolerance(df: f64) -> f64 {
        if df <= 1e6 || df.is_infinite() { 1e-8 } else { 1e-5 }
    }

    #[test]
    fn tails_of_the_reference_quantiles_are_the_tails() {
        for (tail, df, t) in reference() {
            assert_relative(t_upper_tail(t, df), tail, tail_tolerance(df), &format!("t {t}, df {df:e}"));
        }
    }

    /// Computed like the table of [`reference`].
    #[test]
    fn tails_agree_with_the_reference() {
        let cases = [
            (0.001, 1.0, 0.499_681_690_219_919_4),
            (0.5, 5.0, 0.319_149_435_820_464_5),
            (1e6, 1.5, 3.770_852_432_013_216e-10),
            (12.0, 30.0, 2.790_092_707_599_628e-13),
            (1e-5, 9999.0, 0.499_996_010_676_940_35),
            (3.0, 9999.0, 0.001_353_224_427_856_174_9),
            (3.0, 1e4, 0.001_353_224_094_998_833_1),
            (1e-5, 1e4, 0.499_996_010_676_930_4),
            (8.0, 1e6, 6.227_531_716_601_26e-16),
            (0.3, 1e8, 0.382_088_578_122_831_9),
            (2.0, 1e12, 0.022_750_131_948_314_185),
        ];
        for (t, df, expected) in cases {
            assert_relative(t_upper_tail(t, df), expected, tail_tolerance(df), &format!("t {t}, df {df:e}"));
        }
    }

    /// Critical values as printed, to three decimals, in the NIST/SEMATECH e-Handbook of Statistical Methods,
    /// 1.3.6.7.2.
    #[test]
    fn quantiles_agree_with_the_printed_table() {
        let cases = [
            (0.025, 10.0, 2.228),
            (0.05, 10.0, 1.812),
            (0.025, 1.0, 12.706),
            (0.01, 4.0, 3.747),
            (0.025, 30.0, 2.042),
            (0.05, 100.0, 1.660),
            (0.025, f64::INFINITY, 1.960),
        ];
        for (tail, df, printed) in cases {
            let t = t_quantile_upper(tail, df);
            assert!((t - printed).abs() <= 0.000_5, "tail {tail}, df {df}: {t} is not {printed}");
        }
    }

    /// The textbook inversion of the incomplete beta function would not return here.
    #[test]
    fn quantiles_return_for_any_degrees_of_freedom() {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for df in [9_999.999, 1e4, 2e7, 1e8, 1e15, 1e300, f64::MAX, f64::INFINITY] {
                for tail in [5e-324, 1e-300, 1e-12, 0.025, 0.499_999_999, 0.5, 0.975] {
                    t_quantile_upper(tail, df);
                }
                sender.send((df, t_quantile_upper(0.025, df))).unwrap();
            }
        });
        for _ in 0..8 {
            let (df, t) = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
            assert_relative(t, 1.959_963_984_540_054_2, 1e-3, &format!("df {df:e}"));
        }
    }

    #[test]
    fn the_median_is_zero_and_its_neighbourhood_is_smooth() {
        for df in [1.0, 1.5, 2.0, 7.0, 9999.0, 1e4, 1e8, f64::INFINITY] {
            assert_eq!(t_quantile_upper(0.5, df), 0.0);
            assert_eq!(t_upper_tail(0.0, df), 0.5);
            for distance in [1e-3, 1e-6, 1e-9, 1e-12] {
                let t = t_quantile_upper(0.5 - distance, df);
                assert!(t > 0.0, "df {df}, {distance} from the median");
                assert!(
                    (t_upper_tail(t, df) - (0.5 - distance)).abs() < 1e-5,
                    "df {df}, {distance} from the median"
                );
            }
        }
    }

    #[test]
    fn infinite_t_has_an_empty_or_a_full_tail() {
        for df in [1.0, 3.0, 1e4, 1e300, f64::INFINITY] {
            for t in [f64::INFINITY, 1e300] {
                assert_eq!(t_upper_tail(t, df), 0.0, "df {df}");
                assert_eq!(t_upper_tail(-t, df), 1.0, "df {df}");
            }
        }
    }

    #[test]
    fn outside_the_domain_is_nan() {
        for tail in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(t_quantile_upper(tail, 10.0).is_nan(), "tail {tail}");
        }
        for df in [0.999, 0.0, -3.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(t_quantile_upper(0.025, df).is_nan(), "df {df}");
            assert!(t_upper_tail(2.0, df).is_nan(), "df {df}");
            assert!(t_upper_tail(-2.0, df).is_nan(), "df {df}");
        }
        assert!(t_upper_tail(f64::NAN, 10.0).is_nan());
    }

    fn degrees_of_freedom() -> impl Strategy<Value = f64> {
        prop_oneof![
            1.0..10.0,
            (0.0..9.0_f64).prop_map(|exponent| 10.0_f64.powf(exponent)),
            9_990.0..10_010.0,
            Just(f64::INFINITY)
        ]
    }

    fn tails() -> impl Strategy<Value = f64> {
        prop_oneof![0.000_1..0.4, (-12.0..-0.4_f64).prop_map(|exponent| 10.0_f64.powf(exponent))]
    }

    proptest! {
        #[test]
        fn the_tail_of_a_quantile_is_the_original_tail(tail in tails(), df in degrees_of_freedom()) {
            let there_and_back = t_upper_tail(t_quantile_upper(tail, df), df);
            let error = (there_and_back / tail - 1.0).abs();
            prop_assert!(error < tail_tolerance(df), "{there_and_back} is not {tail}");
        }

        #[test]
        fn a_smaller_tail_is_further_out(tail in tails(), share in 0.0..0.999, df in degrees_of_freedom()) {
            prop_assume!(tail * share > 0.0);
            prop_assert!(t_quantile_upper(tail * share, df) > t_quantile_upper(tail, df));
        }

        #[test]
        fn more_degrees_of_freedom_are_further_in(tail in tails(), df in 1.0..1e5, factor in 1.01..10.0) {
            prop_assert!(t_quantile_upper(tail, df * factor) < t_quantile_upper(tail, df));
        }

        #[test]
        fn quantiles_are_symmetric(tail in 0.001..0.999, df in degrees_of_freedom()) {
            let (upper, lower) = (t_quantile_upper(tail, df), t_quantile_upper(1.0 - tail, df));
            prop_assert!((upper + lower).abs() <= 1e-9 * upper.abs().max(1e-3));
        }

        #[test]
        fn tails_are_symmetric_probabilities(t in -1e3..1e3, df in degrees_of_freedom()) {
            let (upper, lower) = (t_upper_tail(t, df), t_upper_tail(-t, df));
            prop_assert!((0.0..=1.0).contains(&upper));
            prop_assert!((upper + lower - 1.0).abs() < 1e-15);
        }
    }
}
