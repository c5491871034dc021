//! What a linker can put into another order, and the arguments that ask for it.

use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_core::Seed;

use super::cannot;
use super::image;
use super::link::Link;
use crate::system::input;

/// The boundary on which each function and each constant is put, in bytes: a loop runs faster or slower by
/// where it begins on a cache line, and so does one that reads a table.
const BOUNDARY: u64 = 64;

/// No program is moved that asks for more, since each of its functions would take so much room.
const WIDEST: u64 = 4096;

/// The script that asks for these boundaries. What asks for a wider one by itself, in this program, gets
/// that: the linker would give it less (LLD manual, `SUBALIGN`).
fn script_of(program: &Path) -> Result<String, String> {
    let widest =
        image::alignments(program, [".text", ".rodata"]).map_err(|error| cannot("read", program, error))?;
    let [code, constants] = widest.map(|alignment| alignment.max(BOUNDARY));
    if code.max(constants) > WIDEST {
        return Err(format!("it has code or constants on boundaries of {} bytes", code.max(constants)));
    }
    Ok(format!(
        "SECTIONS {{ .text : SUBALIGN({code}) {{ *(.text .text.*) }} }} INSERT AFTER .rodata;\n\
         SECTIONS {{ .rodata : SUBALIGN({constants}) {{ *(.rodata .rodata.*) }} }} INSERT BEFORE .eh_frame_hdr;\n"
    ))
}

/// The sections that are put into another order: of functions, constants, variables, and variables of
/// threads.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// Whether programs of this system are of the kind that lld puts into another order, and whose linkers mind
/// in which order libraries come.
const IS_ELF: bool = !cfg!(any(windows, target_vendor = "apple"));

/// What is put into another order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shuffle {
    /// Every function, constant and variable, functions and constants on boundaries of 64 bytes, by lld.
    Sections { lld: Lld, script: PathBuf },
    /// The objects and libraries that are linked, by any linker: functions of one object stay together, where
    /// they fall.
    Objects,
}

/// Where lld is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lld {
    /// In this folder, under the names by which compilers look for one.
    In(PathBuf),
    /// Where compilers look by themselves.
    Installed,
}

impl Shuffle {
    /// What can be tried with this rustc and this call of the linker, the best first. What is written for it
    /// goes to a folder.
    pub(super) fn all(rustc: &Path, link: &Link, program: &Path, folder: &Path) -> Vec<Result<Self, String>> {
        let lld = || Lld::of(rustc).or_else(|| link.is_lld().then_some(Lld::Installed));
        let best = match IS_ELF.then(lld) {
            None => Err("nothing else was tried on this system".to_owned()),
            Some(None) => Err("lld is missing, which comes with rustc from rustup".to_owned()),
            Some(Some(lld)) => script_of(program).and_then(|text| {
                let script = folder.join("script");
                fs::write(&script, text).map_err(|error| cannot("write", &script, error))?;
                Ok(Self::Sections { lld, script })
            }),
        };
        vec![best, Ok(Self::Objects)]
    }

    /// What of the place of a function is the same in every layout, where that is so.
    pub(super) fn stays(&self) -> Option<&'static str> {
        match self {
            Self::Sections { .. } => None,
            Self::Objects => Some("layouts here move whole objects, in which functions keep their distance"),
        }
    }

    /// Links the program into this file, in an order that follows from the seed.
    ///
    /// # Errors
    ///
    /// What the linker says, or what could not be written beside the file.
    pub(super) fn link(&self, link: &Link, output: &Path, seed: Seed) -> Result<(), String> {
        link.run(&self.arguments(link, output, seed)?, output)
    }

    fn arguments(&self, link: &Link, output: &Path, seed: Seed) -> Result<Vec<String>, String> {
        let mut arguments = link.arguments_to(output)?;
        match self {
            Self::Sections { lld, script } => {
                lld.use_for(link, &mut arguments);
                // It takes 32 bits.
                let seed = seed.0 as u32;
                let shuffles = SHUFFLED.map(|sections| format!("--shuffle-sections={sections}={seed}"));
                let script = format!("--script={}", script.display());
                for option in
                    shuffles.iter().map(String::as_str).chain(["--call-graph-profile-sort=none", &script])
                {
                    arguments.extend(link.passed(option));
                }
            }
            Self::Objects => shuffle_objects(&mut arguments, seed, link),
        }
        Ok(arguments)
    }
}

impl Lld {
    /// That of this rustc, or one that is installed.
    fn of(rustc: &Path) -> Option<Self> {
        let libraries = rustc.parent()?.parent()?.join("lib/rustlib");
        let has_lld = |folder: &PathBuf| folder.join("ld.lld").is_file();
        let of_rustc =
            input::entries(&libraries).iter().map(|host| host.path().join("bin/gcc-ld")).find(has_lld);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let installed =
            || std::env::split_paths(&path).any(|folder| has_lld(&folder)).then_some(Self::Installed);
        of_rustc.map(Self::In).or_else(installed)
    }

    /// Links the program into this file, with functions of the same machine code in one place.
    ///
    /// # Errors
    ///
    /// What it says.
    pub(super) fn fold(&self, link: &Link, output: &Path) -> Result<(), String> {
        let mut arguments = link.arguments_to(output)?;
        self.use_for(link, &mut arguments);
        arguments.extend(link.passed("--icf=all"));
        link.run(&arguments, output)
    }

    /// Has the compiler that links call it.
    fn use_for(&self, link: &Link, arguments: &mut Vec<String>) {
        if !link.is_called_directly() && !link.is_lld() {
            arguments.retain(|argument| !argument.starts_with("-fuse-ld="));
            arguments.push("-fuse-ld=lld".to_owned());
            if let Self::In(folder) = self {
                arguments.push(format!("-B{}", folder.display()));
            }
        }
        // Nobody debugs it, and most of the bytes of a program are for that.
        arguments.extend(link.passed("--strip-debug"));
    }
}

/// The same texts in an order that follows from the seed.
fn shuffled(texts: &[String], seed: Seed) -> Vec<&str> {
    let mut shuffled: Vec<&str> = texts.iter().map(String::as_str).collect();
    shuffled.sort_by_cached_key(|text| seed.for_pair(text).0);
    shuffled
}

/// Puts the objects and libraries into another order, in the places where they stand.
fn shuffle_objects(arguments: &mut Vec<String>, seed: Seed, link: &Link) {
    let is_object = |argument: &str| {
        let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
        !argument.starts_with('-') && matches!(extension, Some("o" | "obj" | "rlib"))
    };
    let places: Vec<usize> = (0..arguments.len()).filter(|&place| is_object(&arguments[place])).collect();
    let objects: Vec<String> = places.iter().map(|&place| arguments[place].clone()).collect();
    for (&place, object) in places.iter().zip(shuffled(&objects, seed)) {
        object.clone_into(&mut arguments[place]);
    }
    // A library may come before those that need it now, which only linkers of ELF mind.
    if let [first, .., last] = places[..]
        && IS_ELF
    {
        arguments.splice(last + 1..last + 1, link.passed("--end-group"));
        arguments.splice(first..first, link.passed("--start-group"));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::layout::link::tests::link;

    fn arguments(link: &Link) -> Vec<String> {
        let shuffle = Shuffle::Sections { lld: Lld::In("/lld".into()), script: "/a, b".into() };
        shuffle.arguments(link, Path::new("new"), Seed(7)).unwrap()
    }

    #[test]
    fn lld_is_told_an_order() {
        let cc = link("cc", &["-o", "old", "a.o", "-fuse-ld=lld"]);
        let shuffled = [
            "--strip-debug",
            "--shuffle-sections=.text*=7",
            "--shuffle-sections=.rodata*=7",
            "--shuffle-sections=.data*=7",
            "--shuffle-sections=.bss*=7",
            "--shuffle-sections=.tdata*=7",
            "--shuffle-sections=.tbss*=7",
            "--call-graph-profile-sort=none",
            "--script=/a, b",
        ]
        .map(|option| ["-Xlinker", option]);
        assert_eq!(arguments(&cc)[..4], ["-o", "new", "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments(&cc)[4..], *shuffled.as_flattened());
        assert_eq!(cc.arguments_to(Path::new("new")).unwrap(), ["-o", "new", "a.o", "-fuse-ld=lld"]);
    }

    #[test]
    fn what_cannot_shuffle_is_replaced() {
        let gcc = link("/usr/bin/gcc", &["-o", "old", "-fuse-ld=mold"]);
        assert_eq!(arguments(&gcc)[..4], ["-o", "new", "-fuse-ld=lld", "-B/lld"]);
        let direct = link("/toolchain/rust-lld", &["-o", "old"]);
        assert_eq!(arguments(&direct)[2..4], ["--strip-debug", "--shuffle-sections=.text*=7"]);
        let mut used = direct.arguments_to(Path::new("new")).unwrap();
        Lld::Installed.use_for(&direct, &mut used);
        assert_eq!(used[2..], ["--strip-debug"]);
    }

    #[test]
    fn any_linker_takes_its_objects_in_any_order() {
        let link = link("gcc", &["-o", "old", "a.o", "-la", "b.o", "c.o", "d.rlib", "-lc"]);
        let orders: HashSet<Vec<String>> = (0..200)
            .map(|seed| Shuffle::Objects.arguments(&link, Path::new("new"), Seed(seed)).unwrap())
            .collect();
        assert_eq!(orders.len(), 24);
        for order in orders {
            if cfg!(target_os = "linux") {
                assert_eq!([&order[3], &order[10]], ["--start-group", "--end-group"], "{order:?}");
                assert_eq!([&order[5], &order[11]], ["-la", "-lc"], "{order:?}");
            }
        }
    }
}
