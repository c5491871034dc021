//! The objects and libraries of a program, and their copies, whose sections have names in a random order.

use std::path::{Path, PathBuf};

use bench_diff_core::Seed;

use super::gap;
use super::sections::{self, CODE, MOVED, NAME, Section};
use crate::layout::link::Link;
use crate::layout::shifts::{GRAIN, Shifts};
use crate::system::files::{cannot, read, write};
use crate::system::order::in_order;

/// The objects and libraries of a linker call.
#[derive(Debug)]
pub(in crate::layout) struct Objects {
    files: Vec<File>,
    machine: [u8; 2],
}

/// An object or a library.
#[derive(Debug)]
struct File {
    /// The index of the argument that names it.
    argument: usize,
    path: PathBuf,
    sections: Vec<Section>,
}

impl Objects {
    /// The objects and libraries of a linker call that contain functions or data.
    ///
    /// # Errors
    ///
    /// One of them cannot be read, or none of them contains a function.
    pub(super) fn of(link: &Link) -> Result<Self, String> {
        let (mut files, mut machine) = (Vec::new(), None);
        for (argument, text) in link.arguments.iter().enumerate() {
            let path = Path::new(&link.folder).join(split(text).1);
            // The linker itself finds the libraries of the system, which stay as they are.
            if argument == link.output || !is_object(&path) {
                continue;
            }
            let bytes = read(&path)?;
            let (of_file, sections) =
                sections::of(&bytes, GRAIN).map_err(|error| cannot("read", &path, error))?;
            if !sections.is_empty() {
                machine = machine.or(of_file);
                files.push(File { argument, path, sections });
            }
        }
        let has_code = files.iter().flat_map(|file| &file.sections).any(|section| section.kind == CODE);
        let machine = machine.filter(|_| has_code).ok_or("none of its objects has a function to move")?;
        Ok(Self { files, machine })
    }

    /// Returns whether some code has a wider alignment than a shift preserves.
    pub(in crate::layout) fn has_wide_code(&self) -> bool {
        self.sections().any(|(.., section)| section.is_wide && section.kind == CODE)
    }

    /// Writes copies with the names of a layout to a folder, adds the object with the gaps, and makes the
    /// arguments of the linker call name these files.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub(super) fn exchange(
        &self,
        arguments: &mut Vec<String>,
        folder: &Path,
        shifts: Shifts,
        seed: Seed,
    ) -> Result<(), String> {
        let mut copies = Vec::new();
        for file in &self.files {
            copies.push(read(&file.path)?);
        }
        // What has a wider alignment comes first, since it would undo the shift of everything behind it.
        let key = |(file, index, section): (usize, usize, &Section)| {
            (!section.is_wide, seed.for_pair(&format!("{file} {index}")).0, file, index)
        };
        for (place, (is_shifted, _, file, index)) in
            in_order(self.sections().map(key)).into_iter().enumerate()
        {
            let Section { kind, start, .. } = self.files[file].sections[index];
            // The gaps come between.
            let name = name(kind, place + usize::from(is_shifted));
            let field = copies[file].get_mut(start..start + NAME).ok_or("one of its objects was rebuilt")?;
            field.copy_from_slice(&name);
        }
        let wide = self.sections().filter(|(.., section)| section.is_wide).count();
        let gaps = gap::object(self.machine, shifts, |kind| name(kind, wide));
        for (File { argument, path, .. }, copy) in self.files.iter().zip(copies) {
            // Linkers may not open long paths.
            let copied =
                folder.join(argument.to_string()).with_extension(path.extension().unwrap_or_default());
            write(&copied, copy)?;
            arguments[*argument] = format!("{}{}", split(&arguments[*argument]).0, copied.display());
        }
        let path = folder.join("gaps.obj");
        write(&path, gaps)?;
        arguments.push(path.display().to_string());
        Ok(())
    }

    /// The sections with the indices of their files, and their indices in these.
    fn sections(&self) -> impl Iterator<Item = (usize, usize, &Section)> {
        self.files.iter().enumerate().flat_map(|(file, File { sections, .. })| {
            sections.iter().enumerate().map(move |(index, section)| (file, index, section))
        })
    }
}

/// The name of a section, at which the linker places it.
fn name(kind: usize, mut place: usize) -> [u8; NAME] {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";
    let mut name = [b'.', MOVED[kind].letter, b'$', 0, 0, 0, 0, 0];
    for digit in name[3..].iter_mut().rev() {
        *digit = DIGITS[place % DIGITS.len()];
        place /= DIGITS.len();
    }
    name
}

/// An argument without the option in front of the path of a library, and that option.
fn split(argument: &str) -> (&str, &str) {
    const WHOLE: &str = "/WHOLEARCHIVE:";
    argument.split_at(if argument.starts_with(WHOLE) { WHOLE.len() } else { 0 })
}

fn is_object(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["o", "obj", "rlib", "lib", "a"].contains(&extension) && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_places() {
        let names = [0, 9, 10, 31, 32, 1_000, 1_000_000].map(|place| name(CODE, place));
        assert!(names.is_sorted() && &names[0] == b".t$00000" && &names[4] == b".t$00010", "{names:?}");
    }
}
