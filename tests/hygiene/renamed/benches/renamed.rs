//! The harness has another name in the manifest.

#![deny(warnings)]
#![warn(clippy::pedantic)]

use renamed::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, crate = renamed, judge = "welch")]
fn bare_path() {}

#[bench_diff(baseline = slow, crate = ::renamed, judge = "welch")]
fn absolute_path() {}

mod module {
    pub(crate) use renamed as harness;

    #[harness::bench_diff(baseline = super::slow, crate = self::harness)]
    fn relative_path() {}

    #[harness::bench_diff(baseline = super::slow, crate = crate::module::harness)]
    fn crate_path() {}
}

renamed::main!();
