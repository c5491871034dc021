//! Uses of the attribute that do not compile, and their errors. The one in `ui/pass` compiles,
//! and cargo runs it as a test.

#![expect(clippy::unwrap_used, reason = "what is missing fails the test")]

mod checked;
mod messages;
mod rustc_errors;
