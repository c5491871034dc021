//! The random order of a binary's functions and data, which its linker makes.

use std::path::Path;

use super::build::Build;
use super::format::Format;
use super::shifts::Layout;
use super::{elf, macho};

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
            Format::MachO => macho::Shuffle::new(link, call, folder).map(Self::MachO),
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
            Self::MachO(shuffle) => shuffle.order.has_wide_code(),
        }
    }
}
