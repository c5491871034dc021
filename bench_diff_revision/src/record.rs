//! The rustc call of a bench in which no macro recorded it, since its `main` is written by hand. The bench
//! stands in front of the compiler while cargo builds it, and keeps the call beside the binary.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use bench_diff_system::exit::replace_by;
use bench_diff_system::lifeline;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::stderr;

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

/// Records this call of the compiler, which cargo starts in this folder and finds in this `PATH`, if it makes
/// a program, and becomes the compiler. Returns only if that fails.
pub fn record(call: &[OsString], folder: &Path, path: &OsStr) -> io::Error {
    let [rustc, arguments @ ..] = call else { return io::ErrorKind::InvalidInput.into() };
    // Without rustup it may be a name alone. Linkers are looked for in its folder.
    let found = env::split_paths(path).map(|folder| folder.join(rustc)).find(|path| path.is_file());
    let rustc = &found.map_or_else(|| rustc.clone(), OsString::from);
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

/// The call that was recorded while this binary was compiled, kept for good; empty if none was.
pub fn recorded_beside(program: &Path) -> Vec<&'static str> {
    let recorded = fs::read_to_string(program.with_extension(RECORDED)).unwrap_or_default();
    recorded.leak().split_terminator('\0').collect()
}

impl Bench<'_> {
    /// Lets cargo compile the binary of this bench again, by the user's own words, so that its call is
    /// recorded, and returns the binary. `None` if no call is missing, or cargo did not start this bench.
    ///
    /// # Errors
    ///
    /// Cargo's output.
    pub fn record(&self) -> Result<Option<&Path>, String> {
        let (Some(program), Some(call), []) = (self.recorder.as_deref(), &self.cargo_call, self.rustc_call)
        else {
            return Ok(None);
        };
        // It may be that of another checkout.
        let _ = fs::remove_file(program.with_extension(RECORDED));
        stderr::say("compiling the bench again, to see how cargo does: its `main` is written by hand");
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
        Ok(Some(program))
    }
}
