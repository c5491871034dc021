//! The processes that this one was started by.

use std::path::PathBuf;

/// A process that this one comes from, as it was called.
#[derive(Debug)]
pub(crate) struct Ancestor {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The folder that it works in.
    pub(crate) folder: PathBuf,
}

/// Those that the system tells of, from the parent on.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn ancestors() -> impl Iterator<Item = Ancestor> {
    use std::fs;

    let file = |process: u32, name: &str| PathBuf::from(format!("/proc/{process}/{name}"));
    let parent = move |process: &u32| {
        let stat = fs::read_to_string(file(*process, "stat")).ok()?;
        // `1 (name) S 0`, where the name may hold anything.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        (parent > 0).then_some(parent)
    };
    std::iter::successors(parent(&std::process::id()), parent).map_while(move |process| {
        let arguments = fs::read_to_string(file(process, "cmdline")).ok()?;
        Some(Ancestor {
            program: fs::read_link(file(process, "exe")).ok()?,
            arguments: arguments.split_terminator('\0').map(str::to_owned).collect(),
            folder: fs::read_link(file(process, "cwd")).ok()?,
        })
    })
}

/// Other systems have a command for it, whose words cannot be told apart.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn ancestors() -> impl Iterator<Item = Ancestor> {
    std::iter::empty()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_knows_who_called_it() {
        const ASKED: &str = "BENCH_DIFF_TEST_OF_ANCESTORS";

        if env::var_os(ASKED).is_some() {
            println!("{:?}", ancestors().collect::<Vec<_>>());
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let here = env::current_exe().unwrap();
        // The second command keeps the shell from becoming the first.
        let script = "\"$0\" a_process_knows_who_called_it --nocapture; true";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(&here).args(["a b", ""]).env(ASKED, "1").current_dir(&folder);
        let said = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        let arguments = format!("arguments: {:?}", ["sh", "-c", script, here.to_str().unwrap(), "a b", ""]);
        assert!(said.contains(&arguments), "{said}");
        assert!(said.contains(&format!("folder: {folder:?}")), "{said}");
        assert!(said.contains(&format!("program: {here:?}")), "this process as well: {said}");
    }
}
