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

/// The quantile of the standard normal distribution.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    normal_quantile_upper(1.0 - probability)
}

#[expect(
    clippy::disallowed_methods,
    reason = "disallowed for Student's t; the normal's is a closed approximation"
)]
fn normal_quantile_upper(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{t_quantile_upper, t_upper_tail};

    /// The upper tails of [`QUANTILES`].
    const TAILS: [f64; 11] = [1e-12, 1e-9, 1e-6, 1e-4, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.4];

    /// Quantiles at [`TAILS`] by degrees of freedom, computed with mpmath 1.3.0 at 90 digits: Newton's method
    /// on 1/2 - t c ₂F₁(1/2, (df + 1)/2; 3/2; -t²/df), with c the density at 0, and on erfc for infinite df.
    #[rustfmt::skip]
    const QUANTILES: [(f64, [f64; 11]); 16] = [
        (1.0, [
            318_309_886_183.790_65, 318_309_886.183_790_6, 318_309.886_182_743_5,
            3_183.098_757_118_151, 63.656_741_162_871_58, 31.820_515_953_773_956,
            12.706_204_736_174_705, 6.313_751_514_675_043, 3.077_683_537_175_253,
            1.0, 0.324_919_696_232_906_23,
        ]),
        (1.5, [
            52_194_694.273_446_35, 521_946.942_733_437_23, 5_219.469_324_706_946,
            242.264_098_846_506_3, 17.820_310_514_462_808, 11.197_316_179_568_398,
            6.016_663_104_427_931_5, 3.705_180_820_096_751_3, 2.196_398_417_565_537,
            0.872_594_662_541_570_6, 0.300_745_392_569_795_4,
        ]),
        (2.0, [
            707_106.781_185_486_8, 22_360.679_741_456_875, 707.105_720_525_933_9,
            70.700_071_074_964_27, 9.924_843_200_918_293, 6.964_556_734_283_274,
            4.302_652_729_749_464, 2.919_985_580_353_725_6, 1.885_618_083_164_126_7,
            0.816_496_580_927_726, 0.288_675_134_594_812_8,
        ]),
        (3.0, [
            10_331.108_244_292_485, 1_033.109_674_503_807_8, 103.299_467_780_419_35,
            22.203_742_273_204_18, 5.840_909_309_733_357, 4.540_702_858_568_133_5,
            3.182_446_305_283_709_5, 2.353_363_434_801_823_8, 1.637_744_353_696_21,
            0.764_892_328_404_345_3, 0.276_670_662_332_689_83,
        ]),
        (5.0, [
            393.956_959_577_603_75, 98.937_224_648_369_95, 24.771_029_720_515_944,
            9.677_566_300_882_59, 4.032_142_983_555_228, 3.364_929_998_907_218_8,
            2.570_581_835_636_315_5, 2.015_048_373_333_024_2, 1.475_884_048_824_481,
            0.726_686_843_800_422_7, 0.267_180_865_704_145_07,
        ]),
        (30.0, [
            11.397_217_523_311_411, 8.445_862_796_274_243, 5.871_117_120_418_883,
            4.233_985_957_272_021, 2.749_995_653_567_225_4, 2.457_261_542_400_591_5,
            2.042_272_456_301_238, 1.697_260_886_593_957_8, 1.310_415_025_391_395_5,
            0.682_755_693_321_292_6, 0.255_605_364_951_912_7,
        ]),
        (200.0, [
            7.503_247_657_072_683, 6.286_347_426_852_263, 4.897_302_102_826_782,
            3.789_120_788_747_73, 2.600_634_436_191_558, 2.345_137_082_259_468_4,
            1.971_896_223_633_909_3, 1.652_508_100_910_877_5, 1.285_798_793_994_801,
            0.675_718_411_404_220_2, 0.253_684_379_190_147_64,
        ]),
        (1_234.5, [
            7.107_032_235_971_044, 6.043_006_454_950_45, 4.776_232_476_256_314,
            3.730_216_477_768_785, 2.579_817_729_733_322, 2.329_372_347_029_993_4,
            1.961_887_483_331_345_5, 1.646_088_880_269_020_1, 1.282_237_711_663_375_6,
            0.674_688_534_572_904_7, 0.253_401_708_788_132_06,
        ]),
        (1e4, [
            7.043_371_602_055_775_5, 6.003_355_447_947_142, 4.756_229_685_056_779,
            3.720_395_869_117_640_4, 2.576_321_046_668_528_7, 2.326_720_838_669_475_5,
            1.960_201_239_890_626_3, 1.645_006_018_069_243, 1.281_636_229_730_477_5,
            0.674_514_284_483_592_4, 0.253_353_843_445_726_8,
        ]),
        (2e4, [
            7.038_925_322_416_714_5, 6.000_580_129_490_437, 4.754_826_635_620_626,
            3.719_706_062_884_869, 2.576_075_153_017_255, 2.326_534_342_053_274,
            1.960_082_605_158_135_3, 1.644_929_818_959_481_6, 1.281_593_896_210_215_4,
            0.674_502_017_141_113_7, 0.253_350_473_264_062_6,
        ]),
        (2.1e4, [
            7.038_713_714_151_574, 6.000_448_026_458_4, 4.754_759_841_770_994,
            3.719_673_220_676_82, 2.576_063_444_897_906, 2.326_525_461_975_539,
            1.960_076_956_237_234_7, 1.644_926_190_607_592_5, 1.281_591_880_399_504_1,
            0.674_501_432_991_861_7, 0.253_350_312_780_553_4,
        ]),
        (1e5, [
            7.035_371_742_393_576, 5.998_361_461_679_076, 4.753_704_716_391_288,
            3.719_154_382_641_344_5, 2.575_878_469_908_375, 2.326_385_165_355_268,
            1.959_987_707_534_609_7, 1.644_868_864_784_969_6, 1.281_560_031_449_361,
            0.674_492_203_553_292_2, 0.253_347_777_157_179_9,
        ]),
        (1e6, [
            7.034_572_608_411_256, 5.997_862_455_710_895, 4.753_452_348_279_681,
            3.719_030_274_762_543_4, 2.575_834_220_105_334_4, 2.326_351_603_120_805_6,
            1.959_966_356_814_107, 1.644_855_150_722_040_4, 1.281_552_412_129_938_4,
            0.674_489_995_531_087_3, 0.253_347_170_537_841_6,
        ]),
        (1e7, [
            7.034_492_703_526_16, 5.997_812_559_038_371, 4.753_427_112_755_577,
            3.719_017_864_382_25, 2.575_829_795_203_748_8, 2.326_348_246_948_322_5,
            1.959_964_221_767_205_5, 1.644_853_779_328_401_7, 1.281_551_650_203_082_8,
            0.674_489_774_729_575_2, 0.253_347_109_876_002_95,
        ]),
        (1e8, [
            7.034_484_713_122_775, 5.997_807_569_410_359, 4.753_424_589_216_037,
            3.719_016_623_348_296_4, 2.575_829_352_714_377_4, 2.326_347_911_331_584,
            1.959_964_008_262_766_7, 1.644_853_642_189_164_4, 1.281_551_574_010_448_2,
            0.674_489_752_649_431, 0.253_347_103_809_820_06,
        ]),
        (f64::INFINITY, [
            7.034_483_825_301_132, 5.997_807_015_007_686_5, 4.753_424_308_822_899,
            3.719_016_485_455_680_4, 2.575_829_303_548_901, 2.326_347_874_040_841,
            1.959_963_984_540_054_3, 1.644_853_626_951_472_6, 1.281_551_565_544_600_4,
            0.674_489_750_196_081_7, 0.253_347_103_135_799_7,
        ]),
    ];

    fn assert_relative(actual: f64, expected: f64, tolerance: f64, what: &str) {
        let error = (actual - expected).abs() / expected.abs();
        assert!(error <= tolerance, "{what}: {actual} is not {expected}: relative error {error:e}");
    }

    #[test]
    fn quantiles_agree_with_the_reference() {
        for (df, quantiles) in QUANTILES {
            for (tail, expected) in TAILS.into_iter().zip(quantiles) {
                let what = format!("tail {tail:e}, df {df:e}");
                assert_relative(t_quantile_upper(tail, df), expected, 1e-9, &what);
            }
        }
    }

    /// The tolerance that the documentation of [`t_upper_tail`] promises.
    fn tail_tolerance(df: f64) -> f64 {
        if df <= 1e6 || df.is_infinite() { 1e-8 } else { 1e-5 }
    }

    #[test]
    fn tails_of_the_reference_quantiles_are_the_tails() {
        for (df, quantiles) in QUANTILES {
            for (tail, t) in TAILS.into_iter().zip(quantiles) {
                assert_relative(t_upper_tail(t, df), tail, tail_tolerance(df), &format!("t {t}, df {df:e}"));
            }
        }
    }

    /// Computed like [`QUANTILES`].
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
