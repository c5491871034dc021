//! The noise model of the texts, beside the sampler that it is about. Everything is seeded and takes no real
//! time.

mod bounds;
mod example;
mod harmonic_mean;

use bench_diff_original::noise_model::{Alpha, ModelFunction, NoiseModel};

/// The machine of the text's comparative example: alpha = 1.5 + sin(2 pi t / 60000) / 2.
fn machine() -> Alpha {
    Alpha::sinusoid(1.5, 0.5, 60_000.0)
}

/// The text's comparative example: equal functions of this latency in milliseconds, with sigma = 0.28.
fn example(lambda: f64) -> NoiseModel {
    let f = ModelFunction { lambda, sigma: 0.28 };
    NoiseModel { f1: f, f2: f, alpha: machine() }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn stdev(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
}
