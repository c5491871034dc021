//! Only for generated code; not public API.

pub use bench_diff_macros::{
    __function_line as function_line, __rustc_call as rustc_call, __type_text as type_text,
};
pub use {core, inventory, std};

pub use crate::call::probe::{Probe, no_baseline, not_compared, shared};
pub use crate::call::value::{
    ByClone, ByCopy, Compared, Discarded, Duplicate, Finish, Kind, Never, Output, OutputOf, RunToEnd, Same,
    Shown, Text, accepted, compared, discard, fallback, output_0, output_1, output_2,
};
pub use crate::call::work::{amount, amount_by_path, amount_of, input_1, input_2};
pub use crate::register::{Arg, Cases, Location, PairEntry, infer_1, infer_2, submitted};
pub use crate::settings::{Target, written};
pub use crate::start::run;
pub use crate::{__bench_diff_place as place, __bench_diff_target as target};

/// The return value of a bench target's `main`: its exit code, in a type that no other function returns.
pub struct Ended(pub std::process::ExitCode);

impl std::process::Termination for Ended {
    fn report(self) -> std::process::ExitCode {
        self.0
    }
}

/// Implemented for the return type of the `main` that `main!()` wrote.
#[diagnostic::on_unimplemented(
    message = "`bench_diff_harness::main!()` is inside `fn main`, where nothing runs it",
    label = "write `bench_diff_harness::main!();` beside the functions, in place of `fn main`"
)]
pub trait ReturnedByMain {}

impl ReturnedByMain for Ended {}

/// Compiles if `main` is the function that `main!()` wrote.
pub const fn is_main<R: ReturnedByMain>(_: &impl Fn() -> R) {}

/// The source location of this code.
#[doc(hidden)]
#[macro_export]
macro_rules! __bench_diff_place {
    () => {
        $crate::__private::Location {
            module: $crate::__private::core::module_path!(),
            file: $crate::__private::core::file!(),
            line: $crate::__private::core::line!(),
            column: $crate::__private::core::column!(),
        }
    };
}

/// The bench target that contains this code.
#[doc(hidden)]
#[macro_export]
macro_rules! __bench_diff_target {
    () => {
        $crate::__private::Target {
            package: $crate::__private::core::env!("CARGO_PKG_NAME"),
            version: $crate::__private::core::env!("CARGO_PKG_VERSION"),
            crate_name: $crate::__private::core::env!("CARGO_CRATE_NAME"),
            file: $crate::__private::core::file!(),
            manifest_dir: $crate::__private::core::env!("CARGO_MANIFEST_DIR"),
            target_tmpdir: $crate::__private::core::option_env!("CARGO_TARGET_TMPDIR"),
            debug: $crate::__private::core::cfg!(debug_assertions),
            rustc_call: &$crate::__private::rustc_call!(),
            by_hand: false,
        }
    };
}
