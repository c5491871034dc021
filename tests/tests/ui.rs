//! What the attribute says to those who write it: every message of ours, and uses that compile.
//!
//! Errors that rustc itself reports are in `rustc_errors.rs`: their text changes with the compiler.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
}
