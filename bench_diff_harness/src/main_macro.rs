//! `main!()`.

/// Writes the `main` function of a bench target with `harness = false`.
///
/// It runs the pairs that `#[bench_diff]` registered in this target and in the libraries that it uses, and
/// returns the exit code. Without `harness = false`, the target does not compile, since the standard harness
/// would run nothing and report success.
///
/// ```no_run
/// # #[cfg(any())] fn main() {} // Else rustdoc would write one around it all.
/// use bench_diff_harness::bench_diff;
///
/// fn shift() -> u64 { std::hint::black_box(20_u64) << 3 }
///
/// #[bench_diff(baseline = shift)]
/// fn multiply() -> u64 { std::hint::black_box(20_u64) * 8 }
///
/// bench_diff_harness::main!();
/// ```
///
/// Inside another `fn main`, nothing would run it, so it does not compile there:
///
/// ```compile_fail,E0277
/// fn main() {
///     bench_diff_harness::main!();
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn main() -> std::process::ExitCode {
///     bench_diff_harness::main!();
///     std::process::ExitCode::SUCCESS
/// }
/// ```
#[macro_export]
#[expect(clippy::crate_in_macro_def, reason = "this means the crate of the benchmark")]
macro_rules! main {
    () => {
        fn main() -> $crate::__private::Ended {
            $crate::__private::Ended($crate::__private::run(
                $crate::__private::target!(),
                $crate::__private::submitted(),
            ))
        }

        // Inside another `main`, it would be a function that is never called.
        const _: () = $crate::__private::is_main(&crate::main);

        // This is compiled only with the standard harness.
        #[test]
        fn __bench_diff_needs_harness_false() {
            const _: () = $crate::__private::core::panic!(
                "this bench target has the standard harness: add `harness = false` to its [[bench]] section in Cargo.toml"
            );
        }
    };
}
