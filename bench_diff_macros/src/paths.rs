//! The path by which generated code names the harness.

use syn::{Path, parse_quote};

pub(crate) fn harness() -> Path {
    parse_quote!(::bench_diff_harness)
}
