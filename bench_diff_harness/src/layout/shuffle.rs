//! The ways to shuffle a program, and the linker arguments for them.

use std::fs;
use std::path::Path;

use super::build::Build;
use super::cut::CUT;
use super::joined;
use super::link::Link;
use super::lld::Lld;
use super::objects::{self, IS_ELF};
use super::order;
use super::script::Script;
use super::shifts::Layout;
use crate::system::text::cannot;

/// A way to shuffle a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shuffle {
    /// Every function, constant and variable, by a call of lld.
    Sections { link: Link, script: Script },
    /// The linked objects and libraries, by any linker: functions of one object stay together. With `gap`, an
    /// object in front moves them all.
    Objects { link: Link, gap: bool },
}

/// Returns a way to shuffle a build of the program in this file, if it is worth a try. Intermediate files go
/// to the folder.
pub(super) type Way = fn(&Build, &Path, &Path) -> Option<Result<Shuffle, String>>;

impl Shuffle {
    /// The ways to shuffle, best first. Each is tried only after the ones before it were refused, since it
    /// may have to link to find its parameters.
    pub(super) const BEST_FIRST: [Way; 4] =
        [Self::joined, Self::by_compiler, Self::behind_gap, Self::in_order];

    fn joined(build: &Build, _: &Path, _: &Path) -> Option<Result<Self, String>> {
        let link = build.joined.clone()?;
        let script = Script::of_object(&link, &build.folder.join(joined::OBJECT));
        Some(script.map(|script| Self::Sections { link, script }))
    }

    fn by_compiler(build: &Build, _: &Path, folder: &Path) -> Option<Result<Self, String>> {
        Some(match IS_ELF.then(|| Lld::for_calls(&build.call.rustc, &build.link)) {
            None => Err("this system has no better way to shuffle".to_owned()),
            Some(None) => Err("lld is missing, which comes with rustc from rustup".to_owned()),
            Some(Some(link)) => Script::of_call(&link, folder).map(|script| Self::Sections { link, script }),
        })
    }

    fn behind_gap(build: &Build, program: &Path, _: &Path) -> Option<Result<Self, String>> {
        objects::take_a_gap(&build.link, program)
            .then(|| Ok(Self::Objects { link: build.link.clone(), gap: true }))
    }

    fn in_order(build: &Build, _: &Path, _: &Path) -> Option<Result<Self, String>> {
        Some(Ok(Self::Objects { link: build.link.clone(), gap: false }))
    }

    /// What the layouts cannot move, if anything.
    pub(super) fn limitation(&self) -> Option<&'static str> {
        matches!(self, Self::Objects { .. })
            .then_some("layouts here move whole objects, in which functions keep their distance")
    }

    /// Returns whether every function is at each of the four offsets once per round.
    pub(super) fn is_balanced(&self) -> bool {
        matches!(self, Self::Sections { .. } | Self::Objects { gap: true, .. })
    }

    /// Returns whether some code has a wider alignment, and so fewer possible offsets.
    pub(super) fn has_wide(&self) -> bool {
        matches!(self, Self::Sections { script, .. } if script.has_wide_code())
    }

    /// Links the program of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing a file next to the program.
    pub(super) fn link(&self, layout: &Layout) -> Result<(), String> {
        let (Self::Sections { link, .. } | Self::Objects { link, .. }) = self;
        link.run(&self.arguments(layout)?, &layout.program)
    }

    fn arguments(&self, Layout { program, shifts, seed }: &Layout) -> Result<Vec<String>, String> {
        match self {
            Self::Sections { link, script } => {
                let path = program.with_extension("script");
                fs::write(&path, script.text(*shifts)).map_err(|error| cannot("write", &path, error))?;
                let script = format!("--script={}", path.display());
                // // lld takes a seed of 32 bits.
                let order = order::options(seed.0 as u32);
                let options = OF_PROGRAMS.map(str::to_owned).into_iter().chain(order);
                let mut arguments = link.arguments_to(program)?;
                for option in options.chain([CUT.to_owned(), script]) {
                    arguments.extend(link.passed(&option));
                }
                Ok(arguments)
            }
            Self::Objects { link, gap } => {
                let mut arguments = link.arguments_to(program)?;
                if *gap {
                    let path = program.with_extension("s");
                    objects::shuffle_behind_gap(&mut arguments, link, *seed, *shifts, &path)?;
                } else {
                    // // Without a gap, the programs of a round differ only in their order.
                    objects::shuffle(&mut arguments, link, seed.for_round(shifts.code as usize));
                }
                Ok(arguments)
            }
        }
    }
}

/// Options for fast links: nobody debugs these programs, and several links run at the same time.
const OF_PROGRAMS: [&str; 3] = ["--strip-debug", "--build-id=none", "--threads=1"];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use bench_diff_core::Seed;

    use super::*;
    use crate::layout::link::tests::link;
    use crate::layout::shifts::Shifts;

    fn layout(folder: &Path, seed: u64) -> Layout {
        let shifts = Shifts { code: 32, data: 48, heap: 0, stack: 0 };
        Layout { program: folder.join("new"), shifts, seed: Seed(seed) }
    }

    #[test]
    fn lld_gets_an_order_and_an_offset() {
        let folder = tempfile::tempdir().unwrap();
        let cc = link("cc", &["-o", "old", "a.o", "-fuse-ld=lld"]);
        let [new, script] = ["new", "new.script"].map(|name| folder.path().join(name).display().to_string());
        let script_option = format!("--script={script}");
        let options = [
            "--strip-debug",
            "--build-id=none",
            "--threads=1",
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
        let shuffle = Shuffle::Sections { link: cc, script: Script::default() };
        let arguments = shuffle.arguments(&layout(folder.path(), 7)).unwrap();
        assert_eq!(arguments[..4], ["-o", &new, "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments[4..], *options.as_flattened());
        assert!(fs::read_to_string(script).unwrap().contains(". = ALIGN(64) + 32; *(.text .text.*)"));
    }

    #[test]
    fn any_linker_takes_its_objects_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let link =
            link("gcc", &["-o", "old", "crt1.o", "a.o", "-la", "b.o", "c.o", "d.rlib", "-lc", "crtn.o"]);
        let orders: HashSet<Vec<String>> = (0..200)
            .map(|seed| {
                let shuffle = Shuffle::Objects { link: link.clone(), gap: true };
                shuffle.arguments(&layout(folder.path(), seed)).unwrap()
            })
            .collect();
        assert_eq!(orders.len(), 24);
        for order in orders {
            if IS_ELF {
                let gap = folder.path().join("new.s").display().to_string();
                assert_eq!(
                    [&order[4], &order[5], &order[12]],
                    ["--start-group", &gap, "--end-group"],
                    "{order:?}"
                );
                assert_eq!(
                    [2, 7, 13, 14].map(|place| &order[place]),
                    ["crt1.o", "-la", "-lc", "crtn.o"],
                    "{order:?}"
                );
                assert_eq!(order[15..19], ["-Xlinker", "-u", "-Xlinker", "bench_diff_gap_0"], "{order:?}");
            }
        }
    }

    #[test]
    fn without_a_gap_the_programs_of_a_round_have_different_orders() {
        let folder = tempfile::tempdir().unwrap();
        let objects: Vec<String> = (0..20).map(|object| format!("{object}.o")).collect();
        let words: Vec<&str> = ["-o", "old"].into_iter().chain(objects.iter().map(String::as_str)).collect();
        let link = link("ld", &words);
        let order = |gap, code| {
            let mut layout = layout(folder.path(), 7);
            layout.shifts.code = code;
            let shuffle = Shuffle::Objects { link: link.clone(), gap };
            let mut arguments = shuffle.arguments(&layout).unwrap();
            arguments.retain(|argument| argument.ends_with(".o"));
            arguments
        };
        let orders = |gap| HashSet::from([0, 16, 32, 48].map(|code| order(gap, code))).len();
        assert_eq!([orders(false), orders(true)], [4, 1]);
    }
}
