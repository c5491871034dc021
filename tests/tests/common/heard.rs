//! The variables that a run, or a tool that it starts, listens to.

use std::process::Command;

/// Removes these variables. With those of a hook git would work on the repository of whoever runs the tests.
pub(crate) fn isolate(command: &mut Command) {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let heard = [
        "BENCH_DIFF_",
        "NEXTEST",
        "CARGO_BUILD_",
        "CARGO_PROFILE_",
        "CARGO_TERM_",
        "CI_MERGE_REQUEST_",
        "CLICOLOR",
        "GIT_",
        "GITHUB_",
    ];
    let words = [
        "CARGO",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_PKG_NAME",
        "CI",
        "FORCE_COLOR",
        "GITLAB_CI",
        "NO_COLOR",
        "RUST_BACKTRACE",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
    ];
    for name in names {
        if words.contains(&name.as_str()) || heard.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
}
