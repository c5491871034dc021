//! The random order of a binary's functions and data, which lld makes, and the run left out.

use std::ffi::OsStr;
use std::path::Path;

use bench_diff_system::files::write;

use super::joined;
use super::lld::Lld;
use super::script::Script;
use crate::layout::link::Link;
use crate::layout::shifts::Layout;

/// A call of lld that shuffles every function, constant and variable of a binary.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::layout) struct Shuffle {
    link: Link,
    pub(in crate::layout) script: Script,
}

impl Shuffle {
    /// Shuffles the joined object in the folder of a build, which this call links, if a linker script can be
    /// made for it.
    pub(in crate::layout) fn joined(link: Link, folder: &Path) -> Option<Self> {
        let script = Script::of_object(&link, &folder.join(joined::OBJECT)).ok()?;
        Some(Self { link, script })
    }

    /// Shuffles the objects of this call, by a compiler that calls lld. Intermediate files go to `folder`.
    ///
    /// # Errors
    ///
    /// lld is missing, or a link fails.
    pub(in crate::layout) fn by_compiler(
        rustc: &Path,
        path: &OsStr,
        link: &Link,
        folder: &Path,
    ) -> Result<Self, String> {
        let link = Lld::for_calls(rustc, path, link)
            .ok_or("layouts need lld, which is missing; rustc from rustup brings it")?;
        let script = Script::of_call(&link, folder)?;
        Ok(Self { link, script })
    }

    /// Links the binary of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing a file next to the binary.
    pub(in crate::layout) fn link(&self, layout: &Layout) -> Result<(), String> {
        self.link.run(&self.arguments(layout)?, &layout.program)
    }

    fn arguments(&self, Layout { program, shifts, seed }: &Layout) -> Result<Vec<String>, String> {
        let path = program.with_extension("script");
        write(&path, self.script.text(*shifts))?;
        let script = format!("--script={}", path.display());
        // lld takes a seed of 32 bits.
        let order = order(seed.0 as u32);
        let options = OF_PROGRAMS.map(str::to_owned).into_iter().chain(order);
        let mut arguments = self.link.arguments_to(program);
        for option in options.chain([CUT.to_owned(), script]) {
            arguments.extend(self.link.passed(&option));
        }
        Ok(arguments)
    }
}

/// Options for fast links: no debug information, and one thread, since several links run at the same time.
const OF_PROGRAMS: [&str; 3] = ["--strip-debug", "--build-id=none", "--threads=1"];

/// The sections that lld shuffles: functions, constants, variables, and thread-local variables.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// The seed that reverses the order.
pub(super) const REVERSED: u32 = u32::MAX;

/// Keeps code as it was compiled. On aarch64, lld would otherwise shorten the instructions that load a near
/// address, so the instructions of a function would depend on the order.
const AS_COMPILED: &[&str] = if cfg!(target_arch = "aarch64") { &["--no-relax"] } else { &[] };

/// The options for the order of this seed.
pub(super) fn order(seed: u32) -> impl Iterator<Item = String> {
    let shuffles = SHUFFLED.iter().map(move |sections| format!("--shuffle-sections={sections}={seed}"));
    let others = ["--call-graph-profile-sort=none"].iter().chain(AS_COMPILED);
    shuffles.chain(others.map(|option| (*option).to_owned()))
}

/// The symbol of a function at which binaries are cut, as a literal: `symbol!("the_run")` is the function
/// that lists, measures and reports, and `symbol!("no_run")` replaces it in the binaries of a round. The
/// symbol contains the version, since a binary with two versions of the harness has two such functions.
///
/// ```
/// assert!(bench_diff_binary::symbol!("the_run").starts_with("bench_diff_the_run_"));
/// ```
#[macro_export]
macro_rules! symbol {
    ($name:literal) => {
        concat!(
            "bench_diff_",
            $name,
            "_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH")
        )
    };
}

/// The symbol of the function that lists, measures and reports. The binaries of a round are linked without
/// it, and the addresses of functions are distances from it.
pub(crate) const THE_RUN: &str = symbol!("the_run");

/// The linker option that replaces the run by an empty function, so that nothing refers to the run.
pub(super) const CUT: &str = concat!("--defsym=", symbol!("the_run"), "=", symbol!("no_run"));

#[cfg(test)]
mod tests {
    use std::fs;

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
        let of_all = "--strip-debug --build-id=none --threads=1 --shuffle-sections=.text*=7 \
            --shuffle-sections=.rodata*=7 --shuffle-sections=.data*=7 --shuffle-sections=.bss*=7 \
            --shuffle-sections=.tdata*=7 --shuffle-sections=.tbss*=7 --call-graph-profile-sort=none";
        let of_machine = if cfg!(target_arch = "aarch64") { Some("--no-relax") } else { None };
        let options = of_all.split(' ').chain(of_machine).chain([CUT, &script_option]);
        let options: Vec<&str> = options.flat_map(|option| ["-Xlinker", option]).collect();
        let shuffle = Shuffle { link: cc, script: Script::default() };
        let arguments = shuffle.arguments(&layout(folder.path(), 7)).unwrap();
        assert_eq!(arguments[..4], ["-o", &new, "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments[4..], options);
        assert!(fs::read_to_string(script).unwrap().contains(". = ALIGN(64) + 32; *(.text .text.*)"));
    }
}
