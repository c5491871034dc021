//! Fuzz targets: one function for each reader of input from outside, which panics if something goes wrong.
//! cargo-fuzz in `fuzz/` and the tests here call the same ones.

#[cfg(test)]
mod tests;

use std::ffi::OsString;

use bench_diff_system::exit::Misuse;

use crate::settings::{self, Config, Environment, Target, cli};

impl Target {
    /// A bench without a folder.
    pub(crate) const EXAMPLE: Self = Self {
        package: "my_package",
        version: "1.2.0",
        crate_name: "sorting",
        file: "benches/sorting.rs",
        manifest_dir: "/absent/my_package",
        target_tmpdir: None,
        debug: false,
        rustc_call: &[],
        by_hand: false,
    };
}

/// Parses a command line of one argument a line; a line `$NAME=value` is a variable. If it is valid, the
/// command line that repeats the run must mean the same.
pub fn flags(bytes: &[u8]) {
    let lines = || bytes.split(|byte| *byte == b'\n');
    let variables = lines().filter_map(|line| {
        let variable = line.strip_prefix(b"$")?;
        let equals = variable.iter().position(|byte| *byte == b'=')?;
        Some((os(&variable[..equals]), os(&variable[equals + 1..])))
    });
    let environment = Environment::new(variables);
    let arguments = lines().filter(|line| !line.starts_with(b"$")).map(os);
    let typed = match cli::parse(arguments) {
        Ok(typed) => typed,
        Err(Misuse(error)) => return assert!(!error.is_empty()),
    };
    if let Ok(help) = settings::help(&typed, &environment, Some(80)) {
        assert!(help.contains("--max-slowdown"));
    }
    match Config::new(typed, &environment) {
        Ok(config) => {
            let mut repeated = config.repeated();
            repeated.extend(config.against.name.map(|name| format!("--against={name}")));
            let typed = cli::parse(repeated.iter().map(OsString::from));
            let typed = typed.unwrap_or_else(|error| panic!("{repeated:?} are no arguments: {error:?}"));
            let again = Config::new(typed, &Environment::default());
            assert_eq!(again.expect("what was given can be given again").pairs, config.pairs);
        }
        Err(Misuse(error)) => assert!(!error.is_empty()),
    }
}

#[cfg(unix)]
fn os(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn os(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
