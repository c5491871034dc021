//! The figures of nine pairs of latencies, beside those of NumPy and SciPy 1.17.1.

#![expect(deprecated, reason = "the paired test stays for its users")]

use super::{assert_near, result_of};
use crate::interface::stats_types::{AltHyp, Ci, Hyp, PositionWrtCi};
use crate::interface::{DiffOut, LatencyUnit};

const F1: [u64; 9] = [21_310, 20_870, 22_950, 21_040, 20_990, 24_700, 21_220, 21_500, 20_930];
const F2: [u64; 9] = [20_140, 20_480, 19_950, 23_800, 20_010, 20_300, 20_260, 19_870, 20_110];
const ALTERNATIVES: [AltHyp; 3] = [AltHyp::Lt, AltHyp::Gt, AltHyp::Ne];

fn result(f1: [u64; 9], f2: [u64; 9]) -> DiffOut {
    let pairs: Vec<[u64; 2]> = f1.into_iter().zip(f2).map(|(f1, f2)| [f1, f2]).collect();
    result_of(LatencyUnit::Micro, 1, &pairs)
}

fn assert_interval(Ci(low, high): Ci, expected_low: f64, expected_high: f64) {
    assert_near(low, expected_low, 1e-9);
    assert_near(high, expected_high, 1e-9);
}

/// `mean`, `std(ddof=1)` and `percentile(..., method='inverted_cdf')` of numpy.
#[test]
fn the_description_is_that_of_numpy() {
    let out = result(F1, F2);
    assert_eq!((out.n(), out.nf()), (9, 9.0));
    assert_near(out.mean_f1(), 21.723_333_333_333_333, 1e-14);
    assert_near(out.mean_f2(), 20.546_666_666_666_667, 1e-14);
    assert_near(out.summary_f1().stdev, 1.284_601_105_401_984_2, 1e-14);
    assert_near(out.summary_f2().stdev, 1.234_382_436_686_458_9, 1e-14);
    assert_eq!((out.median_f1(), out.median_f2()), (21.22, 20.14));
    assert_near(out.diff_medians_f1_f2(), 1.08, 1e-14);
    assert_near(out.ratio_medians_f1_f2(), 21.22 / 20.14, 1e-15);

    assert_near(out.mean_ln_f1(), 3.076_918_052_646_614_7, 1e-14);
    assert_near(out.stdev_ln_f1(), 0.056_684_445_296_229_18, 1e-13);
    assert_near(out.mean_ln_f2(), 3.021_222_356_143_026, 1e-14);
    assert_near(out.stdev_ln_f2(), 0.056_447_777_869_403_59, 1e-13);

    assert_near(out.mean_diff_f1_f2(), 1.176_666_666_666_666_7, 1e-14);
    assert_near(out.stdev_diff_f1_f2(), 1.944_511_506_780_045, 1e-14);
    assert_near(out.mean_diff_ln_f1_f2(), 0.055_695_696_503_589_076, 1e-14);
    assert_near(out.stdev_diff_ln_f1_f2(), 0.087_446_215_760_660_14, 1e-13);
    assert_near(out.ratio_medians_f1_f2_from_lns(), 1.057_275_902_025_787_1, 1e-14);
    assert_eq!((out.count_f1_lt_f2(), out.count_f1_eq_f2(), out.count_f1_gt_f2()), (1, 0, 8));

    let summary = out.summary_f1();
    assert_eq!(summary.count, 9);
    // 20.87, 20.99, 21.22, 21.50 and 24.70 us, in whole ones.
    assert_eq!([summary.min, summary.p1, summary.p5, summary.p10], [21; 4]);
    assert_eq!([summary.p25, summary.median, summary.p75], [21, 21, 22]);
    assert_eq!([summary.p90, summary.p95, summary.p99, summary.max], [25; 4]);
}

/// `ttest_ind(ln(f1), ln(f2), equal_var=False)`.
#[test]
fn welch_is_that_of_scipy() {
    let out = result(F1, F2);
    assert_near(out.welch_ln_t(), 2.088_673_805_072_225_3, 1e-12);
    assert_near(out.welch_ln_df(), 15.999_719_925_928_204, 1e-12);
    let p = ALTERNATIVES.map(|alternative| out.welch_ln_test(alternative, 0.05).p());
    for (p, expected) in
        p.into_iter().zip([0.973_462_190_264_746_9, 0.026_537_809_735_253_1, 0.053_075_619_470_506_2])
    {
        assert_near(p, expected, 1e-8);
    }
    let accepted = ALTERNATIVES.map(|alternative| out.welch_ln_test(alternative, 0.05).accepted());
    assert_eq!(accepted, [Hyp::Null, Hyp::Alt(AltHyp::Gt), Hyp::Null]);

    let (low, high) = (-0.000_832_886_298_449_936_3, 0.112_224_279_305_628_09);
    assert_interval(out.welch_ln_ci(0.05), low, high);
    assert_interval(out.welch_ratio_ci(0.05), low.exp(), high.exp());
    assert_interval(out.welch_ln_ci(0.01), -0.022_188_816_966_916_658, 0.133_580_209_974_094_8);
    let positions = [0.9, 1.05, 1.2].map(|value| out.welch_value_position_wrt_ratio_ci(value, 0.05));
    assert_eq!(positions, [PositionWrtCi::Below, PositionWrtCi::In, PositionWrtCi::Above]);
}

/// `ttest_rel(ln(f1), ln(f2))`.
#[test]
fn student_is_that_of_scipy() {
    let out = result(F1, F2);
    assert_near(out.student_diff_ln_t(), 1.910_741_225_990_656_7, 1e-12);
    assert_eq!(out.student_diff_ln_df(), 8.0);
    let p = ALTERNATIVES.map(|alternative| out.student_diff_ln_test(alternative, 0.05).p());
    for (p, expected) in
        p.into_iter().zip([0.953_787_228_002_755_1, 0.046_212_771_997_244_884, 0.092_425_543_994_489_77])
    {
        assert_near(p, expected, 1e-8);
    }
    assert_eq!(out.student_diff_ln_test(AltHyp::Gt, 0.05).accepted(), Hyp::Alt(AltHyp::Gt));
    let (low, high) = (-0.011_521_415_213_756_922, 0.122_912_808_220_935_07);
    assert_interval(out.student_diff_ln_ci(0.05), low, high);
    assert_interval(out.student_ratio_ci(0.05), low.exp(), high.exp());
    assert_eq!(out.student_value_position_wrt_ratio_ci(1.2, 0.05), PositionWrtCi::Above);
}

#[test]
fn exchanged_functions_have_the_opposite_difference() {
    let (out, exchanged) = (result(F1, F2), result(F2, F1));
    assert_eq!(out.mean_diff_f1_f2(), -exchanged.mean_diff_f1_f2());
    assert_eq!(out.mean_diff_ln_f1_f2(), -exchanged.mean_diff_ln_f1_f2());
    assert_eq!(out.welch_ln_t(), -exchanged.welch_ln_t());
    assert_eq!(out.student_diff_ln_t(), -exchanged.student_diff_ln_t());
    assert_eq!(out.count_f1_lt_f2(), exchanged.count_f1_gt_f2());
    assert_eq!(out.welch_ln_test(AltHyp::Gt, 0.05).p(), exchanged.welch_ln_test(AltHyp::Lt, 0.05).p());
}
