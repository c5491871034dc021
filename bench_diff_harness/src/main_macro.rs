//! `main!()`.

/// Writes the `main` function of a bench target with `harness = false`.
///
/// It runs the pairs that `#[bench_diff]` registered in this target and in the libraries that it names, and
/// returns the exit code. Where `harness = false` is missing the target does not compile, since the standard
/// harness would run nothing and report success.
///
/// ```no_run
/// # #![allow(clippy::needless_doctest_main)]
/// use bench_diff_harness::bench_diff;
///
/// fn shift() -> u64 { std::hint::black_box(20_u64) << 3 }
///
/// #[bench_diff(baseline = shift)]
/// fn multiply() -> u64 { std::hint::black_box(20_u64) * 8 }
///
/// bench_diff_harness::main!();
/// ```
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> $crate::__private::std::process::ExitCode {
            $crate::__private::run_target($crate::__private::target!())
        }

        // Removed unless the standard harness is on, and then not even compiled.
        #[test]
        fn __bench_diff_needs_harness_false() {
            const _: () = $crate::__private::core::panic!(
                "this bench target has the standard harness: add `harness = false` to its [[bench]] section in Cargo.toml"
            );
        }
    };
}
