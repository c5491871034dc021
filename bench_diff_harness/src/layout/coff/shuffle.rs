//! The linker call that shuffles a program.

use std::fs;

use super::objects::Objects;
use crate::layout::link::Link;
use crate::layout::shifts::Layout;
use crate::system::files::make_folder;

/// A call of the binary's own linker, which sorts copies of the objects by the new names of their sections.
pub(in crate::layout) struct Shuffle {
    link: Link,
    pub(in crate::layout) objects: Objects,
}

impl Shuffle {
    /// Shuffles the objects of a linker call.
    ///
    /// # Errors
    ///
    /// An object cannot be read, or there is nothing to move.
    pub(in crate::layout) fn new(link: &Link) -> Result<Self, String> {
        Ok(Self { objects: Objects::of(link)?, link: link.clone() })
    }

    /// Links the binary of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing the copies next to the binary.
    pub(in crate::layout) fn link(&self, Layout { program, shifts, seed }: &Layout) -> Result<(), String> {
        let folder = program.with_extension("objects");
        make_folder(&folder)?;
        let mut arguments = self.link.arguments_to(program);
        self.objects.exchange(&mut arguments, &folder, *shifts, *seed)?;
        arguments.extend(OF_PROGRAMS.map(str::to_owned));
        let linked = self.link.run(&arguments, program);
        // They are as large as all objects, and a run links hundreds of binaries.
        let _ = fs::remove_dir_all(&folder);
        linked
    }
}

/// Options for fast links without debug information, with functions that are equal and not merged, and with
/// no date in the binary.
const OF_PROGRAMS: [&str; 4] = ["/DEBUG:NONE", "/INCREMENTAL:NO", "/OPT:NOICF", "/BREPRO"];

#[cfg(test)]
mod tests;
