//! A model of noise that changes with time, what it says of the error of a comparison in duos, and
//! simulations of it.
//!
//! The model is that of the crate `bench_diff` 1.1.0 (Paulo Villela 2025): at time t a function f with the
//! ideal latency lambda takes L(f, t) = lambda alpha(t) beta(t), where alpha is a deterministic function of
//! time that the machine imposes on all that runs on it, between A_L and A_U and no steeper than A_D, and the
//! beta(t) are independent and log-normal with E ln beta = 0 and a standard deviation sigma of ln beta. Times
//! are milliseconds.
//!
//! ```
//! use bench_diff_original::noise_model::{Alpha, ModelFunction, NoiseModel};
//! use bench_diff_original::noise_model::{simulate_duos, simulate_traditional};
//! use bench_diff_core::{OrderPolicy, Seed};
//!
//! // The comparative example of the text: equal functions on a machine whose speed changes twofold a minute.
//! let f = ModelFunction { lambda: 12.0, sigma: 0.28 };
//! let model = NoiseModel { f1: f, f2: f, alpha: Alpha::sinusoid(1.5, 0.5, 60_000.0) };
//! let duos = simulate_duos(&model, 2_500, OrderPolicy::Coin, Seed(1));
//! let traditional = simulate_traditional(&model, 1_322, Seed(1));
//! assert!((duos.ratio_medians_f1_f2_from_lns() - 1.0).abs() < 0.03);
//! assert!(traditional.ratio_of_means() > 1.5);
//! ```
//!
//! The text's own figures for this example, what is wrong with them, and what holds are in
//! [`NOISE_MODEL.md`].
//!
//! [`NOISE_MODEL.md`]: https://docs.rs/crate/bench_diff_original/latest/source/NOISE_MODEL.md

mod alpha;
mod beta;
mod bounds;
mod harmonic_mean;
mod model;
mod simulation;

pub use alpha::Alpha;
pub use beta::Beta;
pub use harmonic_mean::HarmonicMeanEstimate;
pub use model::{ModelFunction, NoiseModel};
pub use simulation::{Traditional, simulate_duos, simulate_traditional};
