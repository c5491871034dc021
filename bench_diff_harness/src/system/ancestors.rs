//! The processes that this one was started by.

use std::path::PathBuf;

use super::executable::Variables;

/// A process that this one comes from, as it was called.
#[derive(Debug)]
pub(crate) struct Ancestor {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The folder that it works in.
    pub(crate) folder: PathBuf,
    /// Those that it was started with.
    pub(crate) variables: Variables,
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
            variables: variables(&fs::read(file(process, "environ")).ok()?),
        })
    })
}

/// The variables as Linux shows them: `NAME=VALUE`, each with a NUL behind it.
#[cfg(unix)]
pub(crate) fn variables(environ: &[u8]) -> Variables {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let text = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
    let entries = environ.split(|byte| *byte == 0);
    let pair = |entry: &[u8]| {
        let end = entry.iter().position(|byte| *byte == b'=')?;
        Some((text(&entry[..end]), text(&entry[end + 1..])))
    };
    entries.filter_map(pair).collect()
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
        assert!(said.contains(&format!("({ASKED:?}, \"1\")")), "{said}");
    }

    #[test]
    fn variables_may_hold_anything() {
        let expected =
            [("A", "1=2"), ("B", ""), ("C", "x\ny")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(variables(b"A=1=2\0B=\0odd\0C=x\ny\0"), expected);
    }
}
