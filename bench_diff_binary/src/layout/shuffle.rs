//! The object format of the bench binary, which decides how it is linked in random layouts: its own linker
//! puts functions and data in a random order.

use std::path::Path;

use super::build::Build;
use super::shifts::{GRAIN, Layout};
use super::{elf, macho};

/// An object format whose binaries can be linked in random layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The format of Linux and most other systems.
    Elf,
    /// The format of macOS.
    MachO,
}

impl Format {
    /// The format of binaries for this system, a name in [`std::env::consts::OS`]. Layouts on macOS have to
    /// be asked for.
    ///
    /// # Errors
    ///
    /// The reason why there are no layouts.
    pub fn of(system: &str, on_macos: bool) -> Result<Self, String> {
        match system {
            "windows" => Err("bench_diff links no layouts on Windows".to_owned()),
            "macos" if !on_macos => {
                Err("layouts on macOS are untested: BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them".to_owned())
            }
            "macos" => Ok(Self::MachO),
            _ => Ok(Self::Elf),
        }
    }
}

/// A way to link a binary in random layouts.
pub(super) enum Shuffle {
    Elf(elf::Shuffle),
    MachO(macho::Shuffle),
}

impl Shuffle {
    /// Shuffles the joined object of a build, if it has one that can be shuffled.
    pub(super) fn joined(build: &Build) -> Option<Self> {
        elf::Shuffle::joined(build.joined.clone()?, &build.folder).map(Self::Elf)
    }

    /// Shuffles the kept objects of a build. Intermediate files go to `folder`.
    ///
    /// # Errors
    ///
    /// A tool is missing or fails.
    pub(super) fn whole(build: &Build, folder: &Path) -> Result<Self, String> {
        let Build { format, call, link, path, .. } = build;
        match format {
            Format::Elf => elf::Shuffle::by_compiler(&call.rustc, path, link, folder).map(Self::Elf),
            Format::MachO => macho::Shuffle::of(link, call, folder, GRAIN).map(Self::MachO),
        }
    }

    /// Links the binary of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing a file next to the binary.
    pub(super) fn link(&self, layout: &Layout) -> Result<(), String> {
        match self {
            Self::Elf(shuffle) => shuffle.link(layout),
            Self::MachO(shuffle) => shuffle.link(layout),
        }
    }

    /// Returns whether some code has a wider alignment than a shift preserves.
    pub(super) fn has_wide_code(&self) -> bool {
        match self {
            Self::Elf(shuffle) => shuffle.script.has_wide_code(),
            Self::MachO(shuffle) => shuffle.order.has_wide_code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn layouts_on_macos_have_to_be_asked_for_and_windows_has_none() {
        let of = |system| [false, true].map(|on_macos| Format::of(system, on_macos));
        assert_eq!(of("linux"), [Ok(Format::Elf), Ok(Format::Elf)]);
        let [unasked, asked] = of("macos");
        assert!(unasked.unwrap_err().ends_with("BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them"));
        assert_eq!(asked, Ok(Format::MachO));
        assert!(of("windows").iter().all(Result::is_err));
    }
}
