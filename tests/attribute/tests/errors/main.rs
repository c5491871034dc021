//! Uses of the attribute that do not compile, and their errors. Those in `ui/pass` compile, and cargo runs each
//! as a test.

#![expect(clippy::unwrap_used, reason = "what is missing fails the test")]

mod checked;
mod messages;
mod rustc_errors;
