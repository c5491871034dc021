//! Loops on a simulated machine, whose costs and noise are known.

mod comparison;
mod machine;
mod single_call;

use bench_diff_core::Seed;
use bench_diff_original::loop_overhead::LoopPlan;

fn plan(turns: u64, duos: usize, seed: u64) -> LoopPlan {
    LoopPlan { turns, duos, seed: Seed(seed) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
}
