//! A count of a total, and what it says of the rate behind it.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The 95 % bounds of Clopper & Pearson (1934) on the rate behind `k` of `n`, both between 0 and 1.
pub(crate) fn share_bounds(k: u64, n: u64) -> (f64, f64) {
    let binomial = |p: f64| Binomial::new(p, n).expect("p is between 0 and 1");
    let at_least_k = |p: f64| k.checked_sub(1).map_or(1.0, |below| binomial(p).sf(below));
    let at_most_k = |p: f64| binomial(p).cdf(k);
    let low = if k == 0 { 0.0 } else { turning_point(|p| at_least_k(p) < 0.025) };
    let high = if k >= n { 1.0 } else { turning_point(|p| at_most_k(p) > 0.025) };
    (low, high)
}

/// `k` of `n` in percent, with these bounds.
#[allow(dead_code, reason = "not every program that counts prints shares")]
pub(crate) fn share(k: u64, n: u64) -> String {
    let (low, high) = share_bounds(k, n);
    let percent = |share: f64| share * 100.0;
    format!("{:.1} % ({:.1}-{:.1})", percent(k as f64 / n as f64), percent(low), percent(high))
}

/// The point where a condition that holds at 0 ceases to hold.
fn turning_point(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
