//! The entries that the macros make for targets and groups.

use std::process::ExitCode;

use bench_diff_harness::front_end::{self, Cases, Location, PairEntry, Target};

/// Runs the entries of these groups.
#[must_use]
pub fn main(target: Target, groups: &[Vec<PairEntry>]) -> ExitCode {
    front_end::run(target, groups.concat())
}

/// The entry of a function in this line, or 0 if its line is unknown.
pub const fn entry(
    line: u32,
    group: Location,
    function: &'static str,
    cases: fn(&mut Cases<'_>),
) -> PairEntry {
    let location = if line == 0 { group } else { Location { line, column: 1, ..group } };
    PairEntry::new(location, function, cases).may_be_empty()
}

/// The entry of a function. The closure runs the function.
#[doc(hidden)]
#[macro_export]
macro_rules! __bench_diff_entry {
    ($function:path, $run:expr) => {
        $crate::__private::entry(
            $crate::__private::function_line!($function),
            $crate::__private::place!(),
            $crate::__private::stringify!($function),
            |cases| $crate::__private::register(cases, $run),
        )
    };
}
