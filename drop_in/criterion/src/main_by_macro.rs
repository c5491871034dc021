//! Where no coroutine can run, `main` has to be that of [`criterion_main!`](crate::criterion_main).

use std::ptr::NonNull;

use bench_diff_harness::front_end::{Cases, Location, cannot_run};

/// Ends the process.
pub(crate) fn begin(_: Location) -> NonNull<Cases<'static>> {
    cannot_run(
        "write `criterion_main!(group, ...)` in place of `fn main`, which can only run on other systems",
    )
}

/// Does nothing.
pub(crate) fn end() {}
