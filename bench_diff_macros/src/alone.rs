//! The restriction to a single attribute. A run may compile a bench for one attribute, with only the code
//! that registers its pairs. The functions of the other attributes are then not called.

use std::env;

/// The variable with the line and the digest of that attribute. The line is not enough, since a macro may
/// make several attributes on one line.
const ALONE: &str = "BENCH_DIFF_ALONE";

/// The line and the digest of the attribute, if the bench is compiled for a single one.
pub(crate) fn alone() -> Option<(u32, u64)> {
    let alone = env::var(ALONE).ok()?;
    let (line, digest) = alone.split_once(' ')?;
    Some((line.parse().ok()?, digest.parse().ok()?))
}
