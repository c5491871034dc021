//! The messages of the attribute to its users: every one of ours.
//!
//! Uses that compile are in `ui/pass`, each a program that cargo builds and runs as a test. Errors that rustc
//! itself reports are in `rustc_errors.rs`: their text changes with the compiler.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/fail/*.rs");
}
