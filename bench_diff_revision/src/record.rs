//! The rustc call of a bench in which no macro recorded it, since its `main` is written by hand. The bench
//! stands in front of the compiler while cargo builds it, and keeps the call beside the binary.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use bench_diff_system::exit::replace_by;
use bench_diff_system::lifeline;
use bench_diff_system::rustc_call::RustcCall;

use super::bench::{Bench, value_of};
use super::cargo_output::shortened;

/// The variable with the program that cargo starts in place of the compiler.
pub(super) const WRAPPER: &str = "RUSTC_WRAPPER";

/// The environment variable with which a bench that is started in place of the compiler records its call.
pub const RECORDS: &str = "BENCH_DIFF_RECORDS_CALLS";

/// The extension of the file beside a binary with the call that compiled it.
const RECORDED: &str = "rustc_call";

/// Lets cargo start this program in place of the compiler.
pub(super) fn record_by(cargo: &mut Command, recorder: &Path) {
    cargo.env(WRAPPER, recorder).env(RECORDS, "1");
}

/// Records this call of the compiler, which cargo starts in this folder, if it makes a program, and becomes
/// the compiler. Returns only if that fails.
pub fn record(call: &[OsString], folder: &Path) -> io::Error {
    let [rustc, arguments @ ..] = call else { return io::ErrorKind::InvalidInput.into() };
    let texts = [rustc, folder.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str));
    let texts: Option<Vec<&str>> = texts.map(|text| text.to_str()).collect();
    if let Some(call) = texts.and_then(|texts| RustcCall::of(&texts))
        && call.value("--crate-type").is_none_or(|kind| kind == "bin")
        && let Some(dep_info) = call.dep_info()
    {
        // Without it, the run says that the call is not known.
        let _ = fs::write(dep_info.with_extension(RECORDED), call.recorded());
    }
    replace_by(Command::new(rustc).args(arguments))
}

/// The call that was recorded while this binary was compiled; empty if none was.
pub fn recorded_beside(program: &Path) -> Vec<String> {
    let recorded = fs::read_to_string(program.with_extension(RECORDED)).unwrap_or_default();
    recorded.split_terminator('\0').map(str::to_owned).collect()
}

impl Bench<'_> {
    /// Lets cargo compile the binary of this bench again, by the user's own words, so that its call is
    /// recorded.
    ///
    /// # Errors
    ///
    /// Cargo's output, or what is not known.
    pub fn record(&self, program: &Path) -> Result<(), String> {
        let call = self.cargo_call.as_ref().ok_or("only cargo can start it")?;
        // Cargo compiles a binary that is gone, and nothing else.
        let recorder = program.with_extension("recorder");
        fs::rename(program, &recorder).map_err(|error| error.to_string())?;
        let mut cargo = Command::new(value_of(&self.variables, "CARGO").unwrap_or("cargo".as_ref()));
        cargo.current_dir(&call.folder).args(&call.words).arg("--no-run");
        cargo.env_clear().envs(call.variables.iter().map(|(name, value)| (name, value)));
        record_by(&mut cargo, &recorder);
        let built = lifeline::output(&mut cargo).map_err(|error| error.to_string());
        if program.exists() {
            let _ = fs::remove_file(recorder);
        } else {
            let _ = fs::rename(recorder, program);
        }
        let built = built?;
        if recorded_beside(program).is_empty() {
            return Err(shortened(&String::from_utf8_lossy(&built.stderr)));
        }
        Ok(())
    }
}
