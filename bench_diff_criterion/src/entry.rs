//! The entries that the macros make for targets and groups.

use std::process::ExitCode;

use bench_diff_harness::front_end::{self, Cases, Location, PairEntry, Target};

/// Runs the entries of these groups.
#[must_use]
pub fn main(target: Target, groups: &[Vec<PairEntry>]) -> ExitCode {
    front_end::run(target, groups.concat())
}

/// The entry of a function. It gets the digest of its work, its line (0 if unknown), and its file (empty if
/// it is the file of its group).
pub const fn entry(
    (digest, line, file): (u64, u32, &'static str),
    group: Location,
    function: &'static str,
    cases: fn(&mut Cases<'_>),
) -> PairEntry {
    let file = if file.is_empty() { group.file } else { file };
    let location = if line == 0 { group } else { Location { line, column: 1, file, ..group } };
    PairEntry::new(location, function, cases).digest(digest).may_be_empty()
}

/// The entry of a function. The closure runs the function.
#[doc(hidden)]
#[macro_export]
macro_rules! __bench_diff_entry {
    ($function:path, $run:expr) => {{
        // This uses no other items: `$run` may use any name, and constants in a macro are not hygienic.
        const __BENCH_DIFF_WORK: (u64, u32, &str, bool) = $crate::__private::function_work!($function);
        $crate::__private::entry(
            (__BENCH_DIFF_WORK.0, __BENCH_DIFF_WORK.1, __BENCH_DIFF_WORK.2),
            $crate::__private::place!(),
            $crate::__private::stringify!($function),
            |cases| {
                if const { __BENCH_DIFF_WORK.3 } {
                    $crate::__private::register(cases, $run);
                }
            },
        )
    }};
}
