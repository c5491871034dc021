//! Cargo in a crate of somebody else, as if nothing around it had set a variable.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output of cargo for these arguments in a folder, as [`command`] runs it.
#[allow(dead_code, reason = "not every program waits for what cargo says")]
pub(crate) fn cargo(folder: &Path, arguments: &str) -> Result<String, Box<dyn Error>> {
    let output = command(folder, arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("cargo {arguments} in {}: {}", folder.display(), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Cargo with these arguments in a folder, with a target directory of its own, without the variables that the
/// cargo of this process has set, and without a cache of compiled crates.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments.split_whitespace()).current_dir(folder);
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let kept = ["CARGO_HOME", "CARGO_BUILD_JOBS", "CARGO_HTTP_CAINFO", "CARGO_HTTP_PROXY"];
    for name in set.filter(|name| name.starts_with("CARGO") || name.starts_with("RUSTC_")) {
        if !kept.contains(&name.as_str()) && !name.starts_with("CARGO_REGISTRIES_") {
            command.env_remove(name);
        }
    }
    command.env("RUSTC_WRAPPER", "").env("CARGO_TARGET_DIR", folder.join("target"));
    command
}
