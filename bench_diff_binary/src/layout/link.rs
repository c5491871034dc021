//! The linker call that made the bench binary, and its repetition. A compiler or a linker that fails is
//! reported by the line of its output that says most.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use bench_diff_system::files::{cannot, write};
use bench_diff_system::{json, lifeline};

/// The linker call that made a binary, with its inputs.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Link {
    pub(crate) linker: String,
    pub(crate) folder: String,
    /// The environment variable that says where a compiler finds its parts.
    pub(super) path: Option<String>,
    pub(crate) arguments: Vec<String>,
    /// The index of the argument with the path of the binary.
    pub(super) output: usize,
    /// The sizes and times of the linked files when bench_diff checked that they make the binary.
    pub(super) checked: String,
}

/// The environment variable that names the folder for temporary files.
pub(super) const TEMPORARY_FILES: &str = "TMPDIR";

/// The environment variable with the folders of programs.
pub(super) const PATH: &str = "PATH";

/// The name under which compilers look for lld.
pub(super) const LLD: &str = "ld.lld";

/// The largest file with a call or its arguments, in bytes.
pub(super) const LARGEST: u64 = 64 << 20;

impl Link {
    /// A linker call; the argument with the index `output` names its output.
    pub(crate) fn new(linker: String, folder: String, arguments: Vec<String>, output: usize) -> Self {
        Self { linker, folder, path: None, arguments, output, checked: String::new() }
    }

    /// Adds the current state of the files to the call.
    pub(super) fn checked(self) -> Self {
        Self { checked: self.files(), ..self }
    }

    /// An error if a library or an object was rebuilt since its files were checked: what is read or linked
    /// now may come from other sources than the binary.
    pub(crate) fn require_unchanged(&self) -> Result<(), String> {
        let rebuilt = "an object or a library of this binary was rebuilt during the run";
        if self.is_unchanged() { Ok(()) } else { Err(rebuilt.to_owned()) }
    }

    /// Returns whether its files still have the sizes and times that were checked.
    pub(super) fn is_unchanged(&self) -> bool {
        self.checked == self.files()
    }

    /// The inputs that are files, with their sizes and times.
    fn files(&self) -> String {
        let inputs = self.arguments.iter().enumerate().filter(|(index, _)| *index != self.output);
        let states = inputs.filter_map(|(index, argument)| {
            let file = fs::metadata(Path::new(&self.folder).join(argument)).ok().filter(Metadata::is_file)?;
            let written = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
            Some(format!("{index}:{}:{written} ", file.len()))
        });
        states.collect()
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        write(path, json::to_string(self))
    }

    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let link: Self = json::read(path, LARGEST)?;
        if link.output >= link.arguments.len() {
            return Err(cannot("read", path, "it has no output"));
        }
        Ok(link)
    }

    /// The words of its arguments, of which the compiler passes on several in one: `-Wl,-z,now`.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().flat_map(|argument| match argument.strip_prefix("-Wl,") {
            Some(words) => words.split(',').collect(),
            None => vec![&**argument],
        })
    }

    /// Links the binary into this file as it was linked before.
    ///
    /// # Errors
    ///
    /// The linker's error.
    pub(super) fn make(&self, output: &Path) -> Result<(), String> {
        self.run(&self.arguments_to(output), output)
    }

    /// The arguments that link the binary into this file.
    pub(crate) fn arguments_to(&self, output: &Path) -> Vec<String> {
        let mut arguments = self.arguments.clone();
        arguments[self.output] = output.display().to_string();
        arguments
    }

    /// The path of the binary that the call makes.
    pub(super) fn binary(&self) -> PathBuf {
        Path::new(&self.folder).join(&self.arguments[self.output])
    }

    /// Calls the linker with these arguments; `output`, which they contain, is the path of the binary.
    ///
    /// # Errors
    ///
    /// The linker's error.
    pub(crate) fn run(&self, arguments: &[String], output: &Path) -> Result<(), String> {
        run_tool(self.command(arguments, output))
    }

    /// The linker command with these arguments; `output`, which they contain, is the path of the binary.
    pub(super) fn command(&self, arguments: &[String], output: &Path) -> Command {
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).args(arguments);
        command.envs(self.path.iter().map(|path| (PATH, path)));
        // So that the leftovers of a killed linker are removed with the folder of the binary.
        command.envs(output.parent().map(|folder| (TEMPORARY_FILES, folder)));
        command
    }

    /// The arguments that pass an option to the linker, directly or through a compiler.
    pub(crate) fn passed(&self, option: &str) -> Vec<String> {
        // `-Wl,` would split the option at its commas.
        let prefix = (!self.is_called_directly()).then_some("-Xlinker");
        prefix.into_iter().chain([option]).map(str::to_owned).collect()
    }

    fn name(&self) -> &str {
        Path::new(&self.linker).file_stem().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Returns whether the call is to a linker itself, not to a compiler that calls one.
    pub(super) fn is_called_directly(&self) -> bool {
        ["ld", "lld", "rust-lld", "mold", "wild"].contains(&self.name())
    }

    /// Returns whether the call is to lld, or to a compiler that calls lld.
    pub(super) fn is_lld(&self) -> bool {
        let chosen = self.arguments.iter().rev().find_map(|argument| argument.strip_prefix("-fuse-ld="));
        let is_named_so = Path::new(&self.linker).file_name().is_some_and(|name| name == LLD);
        is_named_so || ["lld", "rust-lld"].contains(&self.name()) || chosen == Some("lld")
    }
}

/// Returns whether this argument names an object or a library by its path.
pub(super) fn is_object(argument: &str) -> bool {
    !argument.starts_with('-') && [".o", ".rlib", ".a"].iter().any(|extension| argument.ends_with(extension))
}

/// The prefix of the reason why this process, as the linker, cannot link. It makes the reason easy to find in
/// the long output of rustc.
pub(super) const CANNOT_LINK: &str = "cannot link it again: ";

/// Runs a compiler or a linker until it ends.
///
/// # Errors
///
/// The error message of the tool, or the reason why it cannot be started and the remedy.
pub(super) fn run_tool(mut command: Command) -> Result<(), String> {
    let ended = lifeline::output(&mut command).map_err(|error| {
        let program = command.get_program().display();
        format!("cannot start {program}: {error}: build the bench again, with tools that can be executed")
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let name = command.get_program().display();
    Err(format!("{name} ended with {}: {}", ended.status, cause_in(&String::from_utf8_lossy(&ended.stderr))))
}

/// The most informative line of an output.
fn cause_in(said: &str) -> &str {
    let line = |is_wanted: fn(&str) -> bool| said.lines().map(str::trim).find(|line| is_wanted(line));
    let of_linker = said.lines().find_map(|line| Some(line.split_once(CANNOT_LINK)?.1));
    let error = line(|line| line.starts_with("error")).or_else(|| line(|line| line.contains("error")));
    of_linker.or(error).or_else(|| line(|line| !line.is_empty())).unwrap_or("no error message")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A call whose second argument is the output.
    pub(in crate::layout) fn link(linker: &str, arguments: &[&str]) -> Link {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Link {
            linker: linker.to_owned(),
            folder: "/".to_owned(),
            path: None,
            arguments,
            output: 1,
            checked: String::new(),
        }
    }

    #[test]
    fn a_call_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.json");
        let written = link("cc", &["-o", "old"]);
        written.write(&path).unwrap();
        assert_eq!(Link::read(&path).unwrap(), written);
        Link { output: 9, ..written }.write(&path).unwrap();
        assert!(Link::read(&path).unwrap_err().to_string().ends_with("link.json: it has no output"));
    }

    #[cfg(unix)]
    #[test]
    fn the_error_of_a_linker_is_reported() {
        let failing = link("ls", &["-d", "old"]);
        let error = failing.make(Path::new("/absent")).unwrap_err();
        assert!(error.starts_with("ls ended with exit status: 2: ") && error.contains("/absent"), "{error}");
        let absent = link("/absent/cc", &["-o", "old"]);
        let error = absent.make(Path::new("/absent")).unwrap_err();
        assert!(error.starts_with("cannot start /absent/cc: "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn temporary_files_of_a_linker_are_next_to_its_output() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("program");
        let linker = link("sh", &["-c", "OUTPUT"]);
        let words = ["-c", "touch \"$TMPDIR/left\""].map(str::to_owned);
        linker.run(&words, &output).unwrap();
        assert!(folder.path().join("left").exists());
    }

    #[test]
    fn exchanged_files_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let object = folder.path().join("a.o");
        fs::write(&object, "object").unwrap();
        let call = link("cc", &["-o", "old", object.to_str().unwrap(), "-lc"]).checked();
        assert!(call.is_unchanged());
        let written = fs::metadata(&object).unwrap().modified().unwrap();
        fs::write(&object, "another").unwrap();
        assert!(!call.is_unchanged());
        fs::write(&object, "object").unwrap();
        fs::File::options().write(true).open(&object).unwrap().set_modified(written).unwrap();
        assert!(call.is_unchanged());
        fs::remove_file(&object).unwrap();
        assert!(!call.is_unchanged());
    }

    #[cfg(unix)]
    fn refusal(program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(arguments);
        run_tool(command).unwrap_err()
    }

    #[cfg(unix)]
    #[test]
    fn the_error_of_a_tool_is_reported() {
        let reported = |text: &str| refusal("sh", &["-c", &format!("printf '{text}' >&2; exit 3")]);
        assert_eq!(reported("a\\nld: error: b\\nerror: c\\n"), "sh ended with exit status: 3: error: c");
        assert_eq!(reported("a\\nld: error: b\\n"), "sh ended with exit status: 3: ld: error: b");
        assert_eq!(reported("\\n a\\n"), "sh ended with exit status: 3: a");
        assert_eq!(reported(""), "sh ended with exit status: 3: no error message");
        let of_linker = format!("error: linking failed\\n = note: error: {CANNOT_LINK}disk full\\n");
        assert_eq!(reported(&of_linker), "sh ended with exit status: 3: disk full");
    }

    #[cfg(unix)]
    #[test]
    fn a_tool_that_cannot_be_started_is_reported_with_a_remedy() {
        let missing = refusal("/absent/rustc", &[]);
        assert!(missing.ends_with(": build the bench again, with tools that can be executed"), "{missing}");
    }
}
