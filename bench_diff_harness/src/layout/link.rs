//! How the program was linked, and how it is linked in another order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cannot;
use crate::json;
use crate::lifeline;
use crate::system::input;

/// The call of the linker that made a program, with what it was made of.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Link {
    pub(super) linker: String,
    pub(super) folder: String,
    /// The variable `PATH`, among whose folders linkers look for their parts.
    pub(super) path: Option<String>,
    pub(super) arguments: Vec<String>,
    /// Which of the arguments is the path of the program.
    pub(super) output: usize,
}

/// In which order the functions of a program stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order<'a> {
    AsLinked,
    /// In an order that follows from the seed, each on a boundary of 64 bytes.
    Random {
        seed: u32,
        script: &'a Path,
        lld: &'a Path,
    },
    /// Those of the same machine code in one place.
    Folded {
        lld: &'a Path,
    },
}

/// Of each function, on a boundary of 64 bytes: a loop runs faster or slower by where it begins on a cache line.
pub(super) const SCRIPT: &str =
    "SECTIONS { .text : SUBALIGN(64) { *(.text .text.*) } } INSERT AFTER .rodata;\n";

/// The largest file of a call, in bytes.
const LARGEST: u64 = 64 << 20;

impl Link {
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        fs::write(path, json::to_string(self)).map_err(|error| cannot("write", path, error))
    }

    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = input::read(path, LARGEST).map_err(|error| cannot("read", path, error))?;
        let link: Self =
            json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot("read", path, error))?;
        if link.output >= link.arguments.len() {
            return Err(cannot("read", path, "it has no output"));
        }
        Ok(link)
    }

    /// Links the program into this file.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(super) fn make(&self, output: &Path, order: Order<'_>) -> Result<(), String> {
        let output = output.to_str().ok_or_else(|| format!("{} is no text in UTF-8", output.display()))?;
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.args(self.arguments_for(output, order));
        if let Some(path) = &self.path {
            command.env("PATH", path);
        }
        lifeline::tie(&mut command);
        let ended = command.output().map_err(|error| format!("cannot start {}: {error}", self.linker))?;
        if ended.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
        Err(format!("{} ended with {}: {}", self.linker, ended.status, first.unwrap_or_default()))
    }

    fn arguments_for(&self, output: &str, order: Order<'_>) -> Vec<String> {
        let mut arguments = self.arguments.clone();
        output.clone_into(&mut arguments[self.output]);
        let lld = match order {
            Order::AsLinked => return arguments,
            Order::Random { lld, .. } | Order::Folded { lld } => lld,
        };
        let passed = |text: String| if self.is_called_directly() { text } else { format!("-Wl,{text}") };
        if !self.is_called_directly() && !self.is_lld() {
            arguments.retain(|argument| !argument.starts_with("-fuse-ld="));
            arguments.push("-fuse-ld=lld".to_owned());
            arguments.push(format!("-B{}", lld.display()));
        }
        // Nobody debugs it, and most of the bytes of a program are for that.
        arguments.push(passed("--strip-debug".to_owned()));
        match order {
            Order::AsLinked => {}
            Order::Folded { .. } => arguments.push(passed("--icf=all".to_owned())),
            Order::Random { seed, script, .. } => arguments.extend([
                passed(format!("--shuffle-sections=.text*={seed}")),
                passed("--call-graph-profile-sort=none".to_owned()),
                passed(format!("--script={}", script.display())),
            ]),
        }
        arguments
    }

    /// Whether it is the linker itself, and no compiler that calls one.
    fn is_called_directly(&self) -> bool {
        let name = Path::new(&self.linker).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        ["ld", "lld", "rust-lld", "mold", "wild"].contains(&name)
    }

    fn is_lld(&self) -> bool {
        self.arguments.iter().rev().find_map(|argument| argument.strip_prefix("-fuse-ld=")) == Some("lld")
    }
}

/// The folder of the linker that comes with this rustc, under the names by which compilers look for one.
pub(super) fn lld_of(rustc: &Path) -> Option<PathBuf> {
    let libraries = rustc.parent()?.parent()?.join("lib/rustlib");
    let hosts = fs::read_dir(libraries).ok()?.flatten();
    hosts.map(|host| host.path().join("bin/gcc-ld")).find(|folder| folder.join("ld.lld").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(linker: &str, arguments: &[&str]) -> Link {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Link { linker: linker.to_owned(), folder: "/".to_owned(), path: None, arguments, output: 1 }
    }

    fn arguments(link: &Link) -> Vec<String> {
        let order = Order::Random { seed: 7, script: Path::new("/s"), lld: Path::new("/lld") };
        link.arguments_for("new", order)
    }

    #[test]
    fn lld_is_told_an_order() {
        let cc = link("cc", &["-o", "old", "a.o", "-fuse-ld=lld"]);
        let shuffled = [
            "-Wl,--strip-debug",
            "-Wl,--shuffle-sections=.text*=7",
            "-Wl,--call-graph-profile-sort=none",
            "-Wl,--script=/s",
        ];
        assert_eq!(arguments(&cc)[..4], ["-o", "new", "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments(&cc)[4..], shuffled);
        assert_eq!(cc.arguments_for("new", Order::AsLinked), ["-o", "new", "a.o", "-fuse-ld=lld"]);
    }

    #[test]
    fn what_cannot_shuffle_is_replaced() {
        let gcc = link("/usr/bin/gcc", &["-o", "old", "-fuse-ld=mold"]);
        assert_eq!(arguments(&gcc)[..4], ["-o", "new", "-fuse-ld=lld", "-B/lld"]);
        let direct = link("/toolchain/rust-lld", &["-o", "old"]);
        assert_eq!(arguments(&direct)[2..4], ["--strip-debug", "--shuffle-sections=.text*=7"]);
        let folded = direct.arguments_for("new", Order::Folded { lld: Path::new("/lld") });
        assert_eq!(folded[2..], ["--strip-debug", "--icf=all"]);
    }

    #[test]
    fn a_call_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.json");
        let written = link("cc", &["-o", "old"]);
        written.write(&path).unwrap();
        assert_eq!(Link::read(&path).unwrap(), written);
        Link { output: 9, ..written }.write(&path).unwrap();
        assert!(Link::read(&path).unwrap_err().ends_with("link.json: it has no output"));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_linker_says_is_told() {
        let failing = link("ls", &["-d", "old"]);
        let error = failing.make(Path::new("/absent"), Order::AsLinked).unwrap_err();
        assert!(error.starts_with("ls ended with exit status: 2: ") && error.contains("/absent"), "{error}");
        let absent = link("/absent/cc", &["-o", "old"]);
        let error = absent.make(Path::new("/absent"), Order::AsLinked).unwrap_err();
        assert!(error.starts_with("cannot start /absent/cc: "), "{error}");
    }
}
