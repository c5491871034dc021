//! The old bench binary, and what is known of its build.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use bench_diff_system::executable::{Executable, Variables, variable};
use bench_diff_system::files::cannot;
use bench_diff_system::lifeline;

/// The flag with which a bench binary prints its environment variables and how it was compiled.
pub const CALL_FLAG: &str = "--bench-diff-rustc-call";

/// The word in front of the variables.
const VARIABLES: &str = "--bench-diff-variables";

/// The reason why a tree has no bench binary to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It has no package of this name.
    NoPackage,
    /// Its package has no bench of this name.
    NoBench,
    /// It has neither, and git shows that the bench came later.
    NewBench,
    /// The working tree's bench was copied into it and does not compile.
    Uncompilable,
    /// It has this bench for another harness.
    OtherHarness,
}

/// The result of building the old bench.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "only on Windows, where paths are larger; a run has few values")]
pub enum Built {
    /// The binary.
    Program(Program),
    /// The old revision has no such bench, or no binary that could be compared.
    Missing(Missing),
}

/// The old bench binary.
#[derive(Debug, Default)]
pub struct Program {
    /// The file, and the environment variables of its processes.
    pub executable: Executable,
    /// The folder of its package, as cargo passed it to the compiler.
    pub(super) package: PathBuf,
    /// The time of the build.
    pub(super) took: Duration,
    /// The rustc call that it recorded.
    pub call: Vec<String>,
    /// The compiler settings in which the sides differ, according to profiles, config files or toolchains,
    /// and a note if the old one uses its own harness.
    pub settings: Vec<String>,
    /// The dependencies whose versions differ between the sides.
    pub dependencies: Vec<String>,
    /// The crates of the old workspace, if the compiler splits them into codegen units: compiled as
    /// one unit each, their machine code may differ.
    pub divided: Vec<String>,
    /// The environment variables that differ between the sides at run time, if any: with them, equal code may
    /// do different work.
    pub other_variables: Option<String>,
    /// Those that differ only by the paths of the trees, each with whether it is a path in the tree, and not
    /// in the target directory.
    pub(super) moved_variables: Vec<(String, bool)>,
}

impl Program {
    /// A line about the build: `built its bench in 41.0 s (kept); same compiler and flags; Cargo.lock: memchr
    /// 2.7.4 -> 2.7.5`.
    pub fn summary(&self) -> String {
        let took = self.took.as_secs_f64();
        let settings = self.settings.join("; ");
        let settings = if settings.is_empty() { "same compiler and flags" } else { &settings };
        let lock = self.dependencies.join(", ");
        let lock = if lock.is_empty() { lock } else { format!("; Cargo.lock: {lock}") };
        format!("built its bench in {took:.1} s (kept); {settings}{lock}")
    }
}

/// The rustc call that a bench binary recorded; `None` if its harness has another version.
///
/// # Errors
///
/// If the binary panicked or was ended without printing it.
pub(super) fn recorded_call(
    program: &Executable,
    version: Option<&str>,
) -> Result<Option<Vec<String>>, String> {
    let ended = lifeline::output(program.command().arg(CALL_FLAG))
        .map_err(|error| cannot("start", &program.path, error))?;
    // Code of `main` that runs before the harness may print, too.
    let said = String::from_utf8_lossy(&ended.stdout);
    let Some(start) = said.find(&format!("{CALL_FLAG}\0")) else {
        let words = String::from_utf8_lossy(&ended.stderr);
        let panic = words.lines().skip_while(|line| !line.contains(" panicked at ")).nth(1);
        // Another harness may refuse the flag. The loader ends with 127 if a library is missing.
        if panic.is_none() && ended.status.code().is_some_and(|code| code != 127) {
            return Ok(None);
        }
        let words = panic.or(words.trim().lines().last()).map(|line| format!(": {line}")).unwrap_or_default();
        return Err(format!("{} was ended by {}{words}", program.path.display(), ended.status));
    };
    let mut call = said[start..].split_terminator('\0').skip(1).map(str::to_owned);
    let is_same = call.next().as_deref() == version;
    Ok(is_same.then(|| call.collect()))
}

/// The output of a bench binary for this flag.
pub fn answer(recorded: &[&str]) -> Vec<u8> {
    let mut answer = format!("{VARIABLES}\0").into_bytes();
    for (name, value) in env::vars_os() {
        answer.extend([name.as_encoded_bytes(), b"=", value.as_encoded_bytes(), b"\0"].concat());
    }
    for text in [CALL_FLAG, env!("CARGO_PKG_VERSION")].iter().chain(recorded) {
        answer.extend_from_slice(text.as_bytes());
        answer.push(0);
    }
    answer
}

/// The environment variables in such answers, each those of one program, among what others have printed.
pub(super) fn variables_in(said: &[u8]) -> Vec<Variables> {
    let mut found = Vec::new();
    let mut words = said.split(|byte| *byte == 0);
    while words.any(|word| word.ends_with(VARIABLES.as_bytes())) {
        let of_program = words.by_ref().take_while(|word| *word != CALL_FLAG.as_bytes());
        found.push(of_program.filter_map(variable).collect());
    }
    found
}
