//! The ancestors of this process.

#[cfg(any(target_os = "linux", target_os = "android"))]
use std::fs;
use std::path::PathBuf;

use super::executable::Variables;
#[cfg(any(target_os = "linux", target_os = "android"))]
use super::executable::variable;

/// An ancestor of this process, as it was called.
#[derive(Debug)]
pub struct Ancestor {
    /// Its executable.
    pub program: PathBuf,
    /// Its arguments; the first is the name by which it was called.
    pub arguments: Vec<String>,
    /// Its current directory.
    pub folder: PathBuf,
    /// The environment variables that it was started with.
    pub variables: Variables,
}

/// The ancestors that the system reports, from the parent on.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn ancestors() -> impl Iterator<Item = Ancestor> {
    let file = |process: u32, name: &str| PathBuf::from(format!("/proc/{process}/{name}"));
    let parent = |process: &u32| parent_of(*process).filter(|parent| *parent > 0);
    std::iter::successors(parent(&std::process::id()), parent).map_while(move |process| {
        let arguments = fs::read_to_string(file(process, "cmdline")).ok()?;
        Some(Ancestor {
            program: fs::read_link(file(process, "exe")).ok()?,
            arguments: arguments.split_terminator('\0').map(str::to_owned).collect(),
            folder: fs::read_link(file(process, "cwd")).ok()?,
            variables: fs::read(file(process, "environ"))
                .ok()?
                .split(|byte| *byte == 0)
                .filter_map(variable)
                .collect(),
        })
    })
}

/// The parent of a process, if the system reports it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // `NUMBER (NAME) STATE PARENT ...`, where the name may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1)?.parse().ok()
}

/// No ancestors: the commands of other systems show arguments without their boundaries.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn ancestors() -> impl Iterator<Item = Ancestor> {
    std::iter::empty()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::process::Command;

    use super::*;

    #[test]
    fn ancestors_are_found() {
        const IS_CHILD: &str = "BENCH_DIFF_TEST_OF_ANCESTORS";

        if env::var_os(IS_CHILD).is_some() {
            println!("{:?}", ancestors().collect::<Vec<_>>());
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let here = env::current_exe().unwrap();
        // Because of the second command, the shell does not replace itself by the first.
        let script = "\"$0\" ancestors_are_found --nocapture; true";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(&here).args(["a b", ""]).env(IS_CHILD, "1").current_dir(&folder);
        let output = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        let arguments = format!("arguments: {:?}", ["sh", "-c", script, here.to_str().unwrap(), "a b", ""]);
        assert!(output.contains(&arguments), "{output}");
        assert!(output.contains(&format!("folder: {folder:?}")), "{output}");
        assert!(output.contains(&format!("program: {here:?}")), "this process as well: {output}");
        assert!(output.contains(&format!("({IS_CHILD:?}, \"1\")")), "{output}");
    }
}
