//! The rustc call of a bench in which no macro recorded it, since its `main` is written by hand. The bench
//! stands in front of the compiler while cargo builds it, and keeps the call beside the binary.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use bench_diff_system::exit::replace_by;
use bench_diff_system::lifeline;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::stderr;

use super::bench::{Bench, value_of};
use super::cargo_output::shortened;

/// The variable with the program that cargo starts in place of the compiler.
pub(super) const WRAPPER: &str = "RUSTC_WRAPPER";

/// The variable with which a bench that cargo starts in place of the compiler records its call.
pub(super) const RECORDS: &str = "BENCH_DIFF_RECORDS_CALLS";

/// The variable in which cargo names the folder of a package.
const PACKAGE: &str = "CARGO_MANIFEST_DIR";

/// The extension of the file beside a binary with the call that compiled it.
const RECORDED: &str = "rustc_call";

/// Lets cargo start this program in place of the compiler.
pub(super) fn record_by(cargo: &mut Command, recorder: &Path) {
    cargo.env(WRAPPER, recorder).env(RECORDS, "1");
}

/// Records this call of the compiler and becomes the compiler, if cargo has started this process in its
/// place. Returns why it cannot, or `None` in any other process. `here` and `variable` give the current
/// directory and an environment variable, as the standard library does.
pub fn act_as_compiler(
    call: &[OsString],
    here: impl FnOnce() -> io::Result<PathBuf>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<io::Error> {
    variable(RECORDS)?;
    // A flag is what cargo gives a bench that it starts.
    let ([rustc, arguments @ ..], Ok(folder)) = (call, here()) else { return None };
    if rustc.as_encoded_bytes().starts_with(b"-") {
        return None;
    }
    // Without rustup it may be a name alone. Linkers are looked for in its folder.
    let path = variable("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(rustc)).find(|path| path.is_file());
    let rustc = found.map_or_else(|| rustc.clone(), OsString::from);
    let texts = [&*rustc, folder.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str));
    let texts: Option<Vec<&str>> = texts.map(|text| text.to_str()).collect();
    if let Some(call) = texts.and_then(|texts| RustcCall::of(&texts))
        && call.value("--crate-type").is_none_or(|kind| kind == "bin")
        && let Some(dep_info) = call.dep_info()
    {
        let package = variable(PACKAGE).unwrap_or_default();
        // Without it, the run says that the call was not recorded.
        let _ = fs::write(
            dep_info.with_extension(RECORDED),
            format!("{}\0{}", package.display(), call.recorded()),
        );
    }
    Some(replace_by(Command::new(rustc).args(arguments)))
}

/// Keeps the record of this binary for as long as the binary is not compiled again.
pub(super) fn renew(program: &Path) {
    // There is none if a macro recorded the call.
    if let Ok(record) = File::options().append(true).open(program.with_extension(RECORDED)) {
        let _ = record.set_modified(SystemTime::now());
    }
}

/// The call that was recorded while this binary of the package in this folder was compiled, kept for good;
/// empty if none was: another call may have compiled it since, perhaps for another checkout.
pub fn recorded_beside(program: &Path, package: &str) -> Vec<&'static str> {
    let path = program.with_extension(RECORDED);
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    if time(program) > time(&path) {
        return Vec::new();
    }
    let mut words = fs::read_to_string(path).unwrap_or_default().leak().split_terminator('\0');
    if words.next() == Some(package) { words.collect() } else { Vec::new() }
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
        renew(program);
        let package = value_of(&self.variables, PACKAGE).and_then(OsStr::to_str).unwrap_or_default();
        if recorded_beside(program, package).is_empty() {
            return Err(shortened(&String::from_utf8_lossy(&built.stderr)));
        }
        Ok(Some(program))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_record_holds_for_its_package_until_the_binary_is_compiled_again() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("varint-1f");
        fs::write(&program, "").unwrap();
        let recorded = || recorded_beside(&program, "/work/prost");
        assert_eq!(recorded(), [""; 0]);
        fs::write(program.with_extension(RECORDED), "/work/prost\0rustc\0/work\0").unwrap();
        assert_eq!(recorded(), ["rustc", "/work"]);
        assert_eq!(recorded_beside(&program, "/other/prost"), [""; 0]);
        let later = SystemTime::now() + Duration::from_secs(60);
        File::options().append(true).open(&program).unwrap().set_modified(later).unwrap();
        assert_eq!(recorded(), [""; 0]);
        File::options().append(true).open(&program).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        renew(&program);
        assert_eq!(recorded(), ["rustc", "/work"]);
    }
}
