//! The pages of measurements, and the program that makes them again.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "../../benches/figures/bounds.rs"]
mod bounds;
#[path = "../../benches/figures/make.rs"]
mod make;
mod making;
#[path = "../../benches/figures/numbers.rs"]
mod numbers;
#[path = "../../benches/figures/output.rs"]
mod output;
#[path = "../../benches/figures/page.rs"]
mod page;
mod pages;
mod rivals;
#[path = "../../benches/share.rs"]
mod share;
#[path = "../../benches/figures/study.rs"]
mod study;
mod variants;
