//! The rustc call of a bench in which no macro recorded it, since its `main` is written by hand. The bench
//! stands in front of the compiler while cargo builds it, and keeps the call beside the binary.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_revision::{Bench, RECORDS, shortened};
use bench_diff_system::copy;
use bench_diff_system::exit::{Exit, replace_by};
use bench_diff_system::files::read_text;
use bench_diff_system::lifeline;
use bench_diff_system::replace::replace;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::stderr;

/// The variable in which cargo names the folder of a package.
const PACKAGE: &str = "CARGO_MANIFEST_DIR";

/// The extension of the file beside a binary with the call that compiled it.
const RECORDED: &str = "rustc_call";

/// Becomes the compiler, if cargo has started this process in its place, and records the call that makes this
/// bench.
pub(crate) fn compile_if_asked(call: &[OsString]) {
    let ([rustc, arguments @ ..], Some(_)) = (call, env::var_os(RECORDS)) else { return };
    // A flag is what cargo gives a bench that it starts.
    if rustc.as_encoded_bytes().starts_with(b"-") {
        return;
    }
    if let Some((path, text)) = record(rustc, arguments)
        && copy::did_the_rest()
    {
        // Only now, so that the record is younger than the binary. Without one, the run says so.
        let _ = replace(&path, text.as_bytes());
        Exit::Success.leave();
    }
    let error = replace_by(Command::new(rustc).args(arguments));
    stderr::error(format_args!("cannot start {}: {error}", rustc.display()));
    Exit::Error.leave()
}

/// The record of a call of the compiler, behind its path beside the program that the call makes. `None` if it
/// makes no program.
fn record(rustc: &OsString, arguments: &[OsString]) -> Option<(PathBuf, String)> {
    // Without rustup it may be a name alone. Linkers are looked for in its folder.
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(rustc)).find(|path| path.is_file());
    let start = [found.map_or_else(|| rustc.clone(), OsString::from), env::current_dir().ok()?.into()];
    let texts: Option<Vec<&str>> = start.iter().chain(arguments).map(|text| text.to_str()).collect();
    let call = RustcCall::of(&texts?)?;
    let path = call.dep_info()?.with_extension(RECORDED);
    let package = env::var_os(PACKAGE).unwrap_or_default();
    let makes_program = call.value("--crate-type").is_none_or(|kind| kind == "bin");
    makes_program.then(|| (path, format!("{}\0{}", package.display(), call.recorded())))
}

/// The call that was recorded when this binary of the package in this folder was compiled, kept for good;
/// empty if none was: another call may have compiled it since, perhaps for another checkout.
pub(crate) fn recorded_beside(program: &Path, package: &Path) -> Vec<&'static str> {
    let path = program.with_extension(RECORDED);
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    if time(program) > time(&path) {
        return Vec::new();
    }
    let mut words = read_text(&path).unwrap_or_default().leak().split_terminator('\0');
    if words.next().map(OsStr::new) == Some(package.as_os_str()) { words.collect() } else { Vec::new() }
}

/// Lets cargo compile the binary of a bench again, by the user's own words, so that its call is recorded, and
/// returns the binary. `None` if no call is missing, or cargo did not start this bench.
///
/// # Errors
///
/// Cargo's output.
pub(crate) fn recorded<'b>(bench: &'b Bench<'_>) -> Result<Option<&'b Path>, String> {
    let (Some(program), Some(call), []) = (bench.recorder.as_deref(), &bench.cargo_call, bench.rustc_call)
    else {
        return Ok(None);
    };
    stderr::say("compiling the bench again, to see how cargo does: its `main` is written by hand");
    // Cargo compiles a binary that is gone, and nothing else.
    let recorder = program.with_extension("recorder");
    fs::rename(program, &recorder).map_err(|error| error.to_string())?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = lifeline::output(&mut call.recorded_by(&recorder, &cargo)).map_err(|error| error.to_string());
    if program.exists() {
        let _ = fs::remove_file(recorder);
    } else {
        let _ = fs::rename(recorder, program);
    }
    let built = built?;
    if recorded_beside(program, bench.folder).is_empty() {
        return Err(shortened(&String::from_utf8_lossy(&built.stderr)));
    }
    Ok(Some(program))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_record_holds_for_its_package_until_the_binary_is_compiled_again() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("varint-1f");
        fs::write(&program, "").unwrap();
        let recorded = || recorded_beside(&program, Path::new("/work/prost"));
        assert_eq!(recorded(), [""; 0]);
        fs::write(program.with_extension(RECORDED), "/work/prost\0rustc\0/work\0").unwrap();
        assert_eq!(recorded(), ["rustc", "/work"]);
        assert_eq!(recorded_beside(&program, Path::new("/other/prost")), [""; 0]);
        let later = SystemTime::now() + Duration::from_secs(60);
        File::options().append(true).open(&program).unwrap().set_modified(later).unwrap();
        assert_eq!(recorded(), [""; 0]);
    }
}
