//! BE, BA and BC: those of the text, computed once more outside of this crate (NumPy 2.4), and what holds of
//! them.

use bench_diff_core::{OrderPolicy, Seed};
use bench_diff_original::noise_model::{Alpha, ModelFunction, NoiseModel, simulate_duos};
use proptest::prelude::*;

use crate::{assert_near, example, machine};

#[test]
fn the_bounds_for_large_n_are_those_of_the_text() {
    // The text: 0.00277 with the factor 1.00278, and 0.0284 with 1.0289.
    assert_near(example(12.0).bc_asymptotic(), 0.002_77, 5e-6);
    assert_near(example(12.0).bc_asymptotic().exp(), 1.002_78, 5e-6);
    assert_near(example(120.0).bc_asymptotic(), 0.028_4, 5e-5);
    assert_near(example(120.0).bc_asymptotic().exp(), 1.028_9, 5e-5);
}

#[test]
fn the_bounds_for_the_n_of_the_text_are_much_wider() {
    let short = example(12.0);
    assert_near(short.be(), 0.000_655_284_950_588_474_5, 1e-17);
    assert_eq!(short.ba_asymptotic(), short.be());
    assert_near(short.ba(2_500.0) - short.be(), 2.0 * 0.28 / (2_500.0 * std::f64::consts::PI).sqrt(), 1e-15);
    assert_near(short.bc(2_500.0), 0.023_21, 5e-6);
    assert_near(short.bc_direct(2_500.0), 0.021_09, 5e-6);
    assert_near(short.ba(2_500.0), 0.006_97, 5e-6);

    let long = example(120.0);
    assert_near(long.be(), 0.006_72, 5e-6);
    assert_near(long.ba(250.0), 0.026_70, 5e-6);
    assert_near(long.bc(250.0), 0.093_06, 5e-6);
    assert_near(long.bc_direct(250.0), 0.071_33, 5e-6);

    let left_out = short.bc(2_500.0) - short.bc_asymptotic();
    assert_near(left_out, 0.020_43, 5e-6);
    assert_near(left_out / short.bc_asymptotic(), 7.4, 0.05);
    // From here on the term that is left out is the smaller one.
    let large = 136_000.0;
    assert_near(short.bc(large) / short.bc_asymptotic(), 2.0, 0.002);
}

#[test]
fn half_a_percent_takes_42_000_executions() {
    let errors_at_99_percent = |n| 2.58 * example(12.0).standard_error(n);
    assert!(errors_at_99_percent(42_000.0) < 0.005 && errors_at_99_percent(41_500.0) > 0.005);
}

#[test]
fn unequal_functions_have_the_bounds_of_the_text_as_well() {
    let [f1, f2] = [12.0, 10.0].map(|lambda| ModelFunction { lambda, sigma: 0.28 });
    let model = NoiseModel { f1, f2, alpha: machine() };
    assert_near(model.be(), 0.000_600_549_592_654_853, 1e-17);
    assert_near(model.ba(1_000.0), 0.010_591_644_643_110_373, 1e-16);
    assert_near(model.bc(1_000.0), 0.034_849_167_151_725_965, 1e-16);
}

/// Section "Reasonable Parameter Values" of the text: 5 % a second, twofold, sigma below 0.3.
#[test]
fn the_reasonable_parameters_of_the_text_have_its_bounds() {
    for (lambda, bound) in [(12.0, 0.003), (120.0, 0.028)] {
        let f = ModelFunction { lambda, sigma: 0.3 };
        let model = NoiseModel { f1: f, f2: f, alpha: Alpha::new(|_| 1.0, 1.0, 2.0, 5e-5) };
        assert!(model.bc_asymptotic() < bound, "{}", model.bc_asymptotic());
    }
}

/// The biases of pairs with f1 first and of pairs with f2 first cancel, so that the bias of duos is far below
/// BE.
#[test]
fn the_bias_of_duos_is_of_second_order() {
    for (lambda, exec_count, expected) in [(12.0, 2_500, 2.5e-7), (120.0, 250, 2.5e-5)] {
        let f = ModelFunction { lambda, sigma: 0.0 };
        let model = NoiseModel { f1: f, f2: f, alpha: machine() };
        let bias = simulate_duos(&model, exec_count, OrderPolicy::Fixed, Seed(1)).mean_diff_ln_f1_f2();
        assert_near(bias, expected, expected * 0.1);
        assert!(bias < model.be() / 250.0);
    }
}

proptest! {
    #[test]
    fn no_bound_is_below_what_it_bounds(
        lambda in 0.001..100.0, ratio in 0.5..2.0_f64, sigma in 0.0..0.5, other_sigma in 0.0..0.5, slope in 0.0..1e-4,
        n in 1.0..1e7,
    ) {
        let f1 = ModelFunction { lambda, sigma };
        let f2 = ModelFunction { lambda: lambda * ratio, sigma: other_sigma };
        let model = NoiseModel { f1, f2, alpha: Alpha::new(|_| 1.0, 1.0, 2.0, slope) };
        prop_assert!(model.be() >= 0.0);
        prop_assert!(model.ba(n) >= model.ba_asymptotic() && model.bc(n) >= model.bc_asymptotic());
        prop_assert!(model.bc(n) >= model.bc_direct(n) && model.bc_direct(n) >= model.be());
        prop_assert!(model.ba(n) >= model.ba(4.0 * n) && model.bc(n) >= model.bc(4.0 * n));
        prop_assert!((model.standard_error(n) / model.standard_error(4.0 * n) - 2.0).abs() < 1e-9 || sigma + other_sigma == 0.0);
        prop_assert!((model.ln_ratio() + ratio.ln()).abs() < 1e-12);
    }
}
