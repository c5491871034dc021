//! The fuzz targets as plain tests.

#[path = "../../../fuzz/mutated.rs"]
mod mutated;

use mutated::assert_survives;

use super::*;

#[test]
fn flags_survive() {
    assert_survives("flags", 1024, flags);
}
