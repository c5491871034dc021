//! The only code that registers pairs, where a run compiles a bench for one attribute alone: what the others
//! call is then called by nothing.

use std::env;

/// The variable with the line and the digest of that attribute. Attributes that one macro makes have one
/// line.
const ALONE: &str = "BENCH_DIFF_ALONE";

/// The line and the digest of the attribute, if there is only one.
pub(crate) fn alone() -> Option<(u32, u64)> {
    let alone = env::var(ALONE).ok()?;
    let (line, digest) = alone.split_once(' ')?;
    Some((line.parse().ok()?, digest.parse().ok()?))
}
