//! A program that rustc compiles for another system, whose objects tests link with rust-lld.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::fixture::skipped;

/// A program with constants and variables of all kinds. With `--cfg=wide`, it has the assembly code `WIDE`.
const SOURCE: &str = "use std::collections::HashMap;
    use std::sync::atomic::{AtomicU64, Ordering};
    static ZERO: AtomicU64 = AtomicU64::new(0);
    static FIVE: AtomicU64 = AtomicU64::new(5);
    static TEXTS: [&str; 3] = [\"one\", \"two\", \"three\"];
    #[cfg(wide)]
    std::arch::global_asm!(WIDE);
    #[unsafe(no_mangle)]
    #[inline(never)]
    fn counted(number: u64) -> u64 {
        ZERO.fetch_add(number, Ordering::Relaxed) + FIVE.fetch_add(1, Ordering::Relaxed)
    }
    fn main() {
        let words: HashMap<String, u64> =
            std::env::args().map(|word| { let size = word.len() as u64; (word, counted(size)) }).collect();
        println!(\"{words:?} {}\", TEXTS[words.len() % 3]);
    }";

/// The compiled program.
pub(super) struct Compiled {
    pub(super) folder: TempDir,
    pub(super) lld: PathBuf,
    /// The objects and libraries, in the order of the linker call.
    pub(super) inputs: Vec<String>,
}

impl Compiled {
    /// The program for a target, with these lines of assembly code whose alignment is wide; `None` if rustc
    /// cannot compile it here, which is reported.
    pub(super) fn new(target: &str, wide: &[&str], options: &[&str]) -> Option<Self> {
        let sysroot = PathBuf::from(printed(Command::new("rustc").args(["--print", "sysroot"])).trim());
        let host = printed(Command::new("rustc").args(["--print", "host-tuple"]));
        let libraries = sysroot.join("lib/rustlib");
        let lld = libraries.join(host.trim()).join("bin/rust-lld");
        for needed in [&lld, &libraries.join(target).join("lib")] {
            if !needed.exists() {
                skipped(&format!("layouts on {target}: there is no {}", needed.display()));
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let source = SOURCE.replace("WIDE", &format!("{:?}", wide.join("\n")));
        fs::write(folder.path().join("main.rs"), source).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.current_dir(&folder).args(["main.rs", "-O", "--edition=2024", "--target", target]);
        rustc.args(["-Csave-temps", "-Clinker=true", "--print=link-args"]).args(options);
        let call = printed(&mut rustc);
        let is_input = |word: &&str| word.ends_with(".o") || word.ends_with(".rlib");
        let inputs = call.split('"').filter(is_input).map(str::to_owned).collect();
        Some(Self { folder, lld, inputs })
    }
}

fn printed(command: &mut Command) -> String {
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// The name of a symbol, and a number if there are several of that name.
pub(super) type Name = (String, usize);

/// Adds the address of a symbol under the first number that its name has left.
pub(super) fn add(found: &mut BTreeMap<Name, u64>, name: &str, address: u64) {
    let number = (0..).find(|number| !found.contains_key(&(name.to_owned(), *number))).unwrap();
    found.insert((name.to_owned(), number), address);
}
