//! What a linker can put into another order, and the arguments that ask for it.

use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_core::Seed;

use super::cut::CUT;
use super::link::Link;
use super::shifts::{GRAIN, Shifts};
use super::wide::wide;
use super::{Layout, cannot, image};
use crate::system::input;

/// The sections that are put into another order: of functions, constants, variables, and variables of
/// threads.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// Whether programs of this system are of the kind that lld puts into another order, and whose linkers mind
/// in which order libraries come.
const IS_ELF: bool = !cfg!(any(windows, target_vendor = "apple"));

/// What is put into another order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shuffle {
    /// Every function, constant and variable, by lld.
    Sections { lld: Lld, script: Script },
    /// The objects and libraries that are linked, by any linker: functions of one object stay together.
    /// Whether an object in front moves them all.
    Objects { gap: bool },
}

/// The sections that a script moves: code, constants, variables that cannot be written once the program runs,
/// and others.
const MOVED: [&str; 5] = [".text", ".rodata", ".data.rel.ro", ".data", ".bss"];

/// What a linker script says of a program, but for the places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// What cannot be moved by less than a boundary of its own in each of these sections, as the patterns of
    /// a script.
    wide: [String; MOVED.len()],
    /// Whether some of the data cannot be written once the program runs, behind which the rest begins.
    has_relro: bool,
}

impl Script {
    /// Where the first function of a program, its first constant and its first variable lie, all in the order
    /// in which they come. What asks for a wider boundary than compilers give to functions stands in front:
    /// it would take up the shift of all that is behind it.
    fn text(&self, Shifts { code, data, .. }: Shifts) -> String {
        let section = |index: usize, shift: u64| {
            let (name, wide) = (MOVED[index], &self.wide[index]);
            // Those that the linker merges have no file.
            let merged = if name == ".rodata" { "*(.rodata.cst32 .rodata.cst64) " } else { "" };
            format!("{name} : {{ {wide}{merged}. = ALIGN(64) + {shift}; *({name} {name}.*) }}")
        };
        let mut script = format!(
            "SECTIONS {{ {} }} INSERT AFTER .rodata;\nSECTIONS {{ {} }} INSERT BEFORE .eh_frame_hdr;\n",
            section(0, code),
            section(1, data)
        );
        if self.has_relro {
            script.push_str(&format!(
                "SECTIONS {{ {} }} INSERT BEFORE .dynamic;\nSECTIONS {{ {} {} }} INSERT AFTER .relro_padding;\n",
                section(2, data),
                section(3, data),
                section(4, data)
            ));
        }
        script
    }
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
    /// What can be tried with this rustc and this call of the linker, the best first. What is needed to find
    /// that out goes to a folder.
    pub(super) fn all(rustc: &Path, link: &Link, program: &Path, folder: &Path) -> Vec<Result<Self, String>> {
        let lld = || Lld::of(rustc).or_else(|| link.is_lld().then_some(Lld::Installed));
        let best = match IS_ELF.then(lld) {
            None => Err("nothing else was tried on this system".to_owned()),
            Some(None) => Err("lld is missing, which comes with rustc from rustup".to_owned()),
            Some(Some(lld)) => {
                lld.script_for(link, program, folder).map(|script| Self::Sections { lld, script })
            }
        };
        vec![best, Ok(Self::Objects { gap: takes_a_gap(link, program) })]
    }

    /// What of the place of a function is the same in every layout, where that is so.
    pub(super) fn stays(&self) -> Option<&'static str> {
        match self {
            Self::Sections { .. } => None,
            Self::Objects { .. } => {
                Some("layouts here move whole objects, in which functions keep their distance")
            }
        }
    }

    /// Whether every function lies at each of four places once in a round.
    pub(super) fn is_balanced(&self) -> bool {
        matches!(self, Self::Sections { .. } | Self::Objects { gap: true })
    }

    /// Links the program into this file, in an order that follows from the seed, moved to its places.
    ///
    /// # Errors
    ///
    /// What the linker says, or what could not be written beside the file.
    pub(super) fn link(&self, link: &Link, layout: &Layout, seed: Seed) -> Result<(), String> {
        link.run(&self.arguments(link, layout, seed)?, &layout.program)
    }

    fn arguments(&self, link: &Link, layout: &Layout, seed: Seed) -> Result<Vec<String>, String> {
        let Layout { program, shifts } = layout;
        let mut arguments = link.arguments_to(program)?;
        let written = |extension: &str, text: String| {
            let path = program.with_extension(extension);
            fs::write(&path, text).map_err(|error| cannot("write", &path, error))?;
            Ok::<_, String>(path.display().to_string())
        };
        match self {
            Self::Sections { lld, script } => {
                lld.use_for(link, &mut arguments);
                // It takes 32 bits.
                let seed = seed.0 as u32;
                let shuffles = SHUFFLED.map(|sections| format!("--shuffle-sections={sections}={seed}"));
                let script = format!("--script={}", written("script", script.text(*shifts))?);
                for option in shuffles.iter().map(String::as_str).chain([
                    "--call-graph-profile-sort=none",
                    CUT,
                    &script,
                ]) {
                    arguments.extend(link.passed(option));
                }
            }
            Self::Objects { gap: false } => {
                // The programs of a round differ in nothing else.
                shuffle_objects(&mut arguments, seed.for_round(shifts.code as usize), link);
            }
            Self::Objects { gap: true } => {
                shuffle_objects(&mut arguments, seed, link);
                let first = arguments.iter().position(|argument| is_object(argument)).unwrap_or_default();
                arguments.insert(first, written("s", gap(*shifts))?);
                for name in (0..GAPS.len()).map(name_of_gap) {
                    // Nothing else needs it, and what nothing needs is left out.
                    arguments.extend([link.passed("-u"), link.passed(&name)].concat());
                }
            }
        }
        Ok(arguments)
    }
}

/// The sections in which linkers without a script gather the functions of a program, each of which begins
/// with a gap. Those of the data have one as well.
const GAPS: [(&str, &str); 7] = [
    (".text", "ax"),
    (".text.unlikely", "ax"),
    (".text.hot", "ax"),
    (".text.startup", "ax"),
    (".rodata", "a"),
    (".data", "aw"),
    (".data.rel.ro", "aw"),
];

fn name_of_gap(index: usize) -> String {
    format!("bench_diff_gap_{index}")
}

/// An object in front of all others that moves what comes after it, in assembler.
fn gap(Shifts { code, data, .. }: Shifts) -> String {
    let section = |(index, (section, flags)): (usize, &(&str, &str))| {
        let size = 64 + if flags.contains('x') { code } else { data };
        let name = name_of_gap(index);
        format!(".section {section},\"{flags}\",%progbits\n.balign 64\n.globl {name}\n{name}: .skip {size}\n")
    };
    GAPS.iter()
        .enumerate()
        .map(section)
        .chain([".section .note.GNU-stack,\"\",%progbits\n".to_owned()])
        .collect()
}

/// Whether such an object moves this program: a compiler that calls the linker makes it on the way, and code
/// that asks for a wider boundary would take up the gap.
fn takes_a_gap(link: &Link, program: &Path) -> bool {
    let is_narrow = || image::alignments(program, [".text"]).is_ok_and(|[widest]| widest <= GRAIN);
    IS_ELF && !link.is_called_directly() && is_narrow()
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

    /// What its script has to say of this program.
    fn script_for(&self, link: &Link, program: &Path, folder: &Path) -> Result<Script, String> {
        let has_relro =
            link.arguments.iter().any(|argument| argument.contains("relro") && !argument.contains("norelro"));
        let widest = image::alignments(program, MOVED).map_err(|error| cannot("read", program, error))?;
        if widest.iter().all(|widest| *widest <= GRAIN) {
            return Ok(Script { wide: MOVED.map(|_| String::new()), has_relro });
        }
        let (plain, map) = (folder.join("plain"), folder.join("map"));
        let mut arguments = link.arguments_to(&plain)?;
        self.use_for(link, &mut arguments);
        arguments.extend(link.passed(&format!("--Map={}", map.display())));
        link.run(&arguments, &plain)?;
        let _ = fs::remove_file(&plain);
        let map = fs::read_to_string(&map).map_err(|error| cannot("read", &map, error))?;
        Ok(Script { wide: MOVED.map(|section| wide(&map, section)), has_relro })
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

fn is_object(argument: &str) -> bool {
    let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
    !argument.starts_with('-') && matches!(extension, Some("o" | "obj" | "rlib"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::layout::link::tests::link;

    fn layout(folder: &Path) -> Layout {
        Layout { program: folder.join("new"), shifts: Shifts { code: 32, data: 48, heap: 0, stack: 0 } }
    }

    fn arguments(link: &Link, folder: &Path) -> Vec<String> {
        let wide = MOVED.map(|section| format!("*wide.o({section}) "));
        let script = Script { wide, has_relro: true };
        let shuffle = Shuffle::Sections { lld: Lld::In("/lld".into()), script };
        shuffle.arguments(link, &layout(folder), Seed(7)).unwrap()
    }

    #[test]
    fn lld_is_told_an_order_and_a_place() {
        let folder = tempfile::tempdir().unwrap();
        let cc = link("cc", &["-o", "old", "a.o", "-fuse-ld=lld"]);
        let [new, script] = ["new", "new.script"].map(|name| folder.path().join(name).display().to_string());
        let script_option = format!("--script={script}");
        let shuffled = [
            "--strip-debug",
            "--shuffle-sections=.text*=7",
            "--shuffle-sections=.rodata*=7",
            "--shuffle-sections=.data*=7",
            "--shuffle-sections=.bss*=7",
            "--shuffle-sections=.tdata*=7",
            "--shuffle-sections=.tbss*=7",
            "--call-graph-profile-sort=none",
            CUT,
            &script_option,
        ]
        .map(|option| ["-Xlinker", option]);
        let arguments = arguments(&cc, folder.path());
        assert_eq!(arguments[..4], ["-o", &new, "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments[4..], *shuffled.as_flattened());
        let text = fs::read_to_string(script).unwrap();
        assert!(text.contains(".text : { *wide.o(.text) . = ALIGN(64) + 32; *(.text .text.*) }"), "{text}");
        for section in [".rodata", ".data.rel.ro", ".data", ".bss"] {
            assert!(text.contains(&format!(". = ALIGN(64) + 48; *({section} {section}.*) }}")), "{text}");
        }
    }

    #[test]
    fn what_cannot_shuffle_is_replaced() {
        let gcc = link("/usr/bin/gcc", &["-o", "old", "-fuse-ld=mold"]);
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new").display().to_string();
        assert_eq!(arguments(&gcc, folder.path())[..4], ["-o", &new, "-fuse-ld=lld", "-B/lld"]);
        let direct = link("/toolchain/rust-lld", &["-o", "old"]);
        assert_eq!(arguments(&direct, folder.path())[2..4], ["--strip-debug", "--shuffle-sections=.text*=7"]);
        let mut used = direct.arguments_to(Path::new("new")).unwrap();
        Lld::Installed.use_for(&direct, &mut used);
        assert_eq!(used[2..], ["--strip-debug"]);
    }

    #[test]
    fn any_linker_takes_its_objects_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let link = link("gcc", &["-o", "old", "a.o", "-la", "b.o", "c.o", "d.rlib", "-lc"]);
        let orders: HashSet<Vec<String>> = (0..200)
            .map(|seed| {
                Shuffle::Objects { gap: true }.arguments(&link, &layout(folder.path()), Seed(seed)).unwrap()
            })
            .collect();
        assert_eq!(orders.len(), 24);
        for order in orders {
            if IS_ELF {
                let gap = folder.path().join("new.s").display().to_string();
                assert_eq!(
                    [&order[3], &order[4], &order[11]],
                    ["--start-group", &gap, "--end-group"],
                    "{order:?}"
                );
                assert_eq!([&order[6], &order[12]], ["-la", "-lc"], "{order:?}");
                assert_eq!(order[13..17], ["-Xlinker", "-u", "-Xlinker", "bench_diff_gap_0"], "{order:?}");
            }
        }
    }

    #[test]
    fn without_a_gap_the_programs_of_a_round_have_orders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let objects: Vec<String> = (0..20).map(|object| format!("{object}.o")).collect();
        let words: Vec<&str> = ["-o", "old"].into_iter().chain(objects.iter().map(String::as_str)).collect();
        let link = link("ld", &words);
        let order = |gap, code| {
            let shifts = Shifts { code, ..layout(folder.path()).shifts };
            let layout = Layout { shifts, ..layout(folder.path()) };
            let mut arguments = Shuffle::Objects { gap }.arguments(&link, &layout, Seed(7)).unwrap();
            arguments.retain(|argument| argument.ends_with(".o"));
            arguments
        };
        let orders = |gap| HashSet::from([0, 16, 32, 48].map(|code| order(gap, code))).len();
        assert_eq!([orders(false), orders(true)], [4, 1]);
    }
}
