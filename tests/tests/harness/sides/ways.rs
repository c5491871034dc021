//! The ways of breaking.

/// The ways that end soon.
pub(crate) const WAYS: [&str; 9] = [
    "panics",
    "returns_an_error",
    "exits",
    "aborts",
    "crashes",
    "becomes_another_program",
    "closes_files",
    "is_killed",
    "is_terminated",
];

/// The ways that a time limit ends.
pub(crate) const ENDLESS: [&str; 2] = ["hangs", "is_stopped"];
