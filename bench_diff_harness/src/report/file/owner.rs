//! Which binary of a run of cargo wrote a file: two that write one would leave only what the last one said.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::report::subject::Subject;
use crate::system::input;

/// More than the names of the files of a run take, in bytes.
const LONGEST_NOTE: u64 = 1 << 20;

/// The reports that the binaries of this run of cargo have written, in a note that a later run begins anew.
#[derive(Debug)]
pub(super) struct Owners {
    note: PathBuf,
    run: String,
    binary: String,
}

impl Owners {
    /// None where a run cannot be told from another one.
    pub(super) fn of_this_run(note: &Path, subject: &Subject) -> Option<Self> {
        let (run, binary) = (this_run()?, format!("{}::{}", subject.package, subject.bench));
        Some(Self { note: note.to_owned(), run, binary })
    }

    /// The other binary that has written this file.
    pub(super) fn other(&self, file: &Path) -> Option<String> {
        let note = self.note_of_this_run()?;
        let path = file.to_string_lossy();
        let written = note.lines().filter_map(|line| line.split_once('\t')).filter(|(_, file)| *file == path);
        written.map(|(binary, _)| binary.to_owned()).find(|binary| *binary != self.binary)
    }

    /// Makes this binary the owner of these files.
    pub(super) fn claim<'a>(&self, files: impl Iterator<Item = &'a Path>) {
        let mut note = self.note_of_this_run().unwrap_or_else(|| format!("{}\n", self.run));
        for file in files {
            let _ = writeln!(note, "{}\t{}", self.binary, file.display());
        }
        // Without a note the mistake is not found, which is no reason not to measure.
        let folder = self.note.parent().unwrap_or(Path::new("."));
        let _ = fs::create_dir_all(folder).and_then(|()| fs::write(&self.note, note));
    }

    fn note_of_this_run(&self) -> Option<String> {
        let note = String::from_utf8(input::read(&self.note, LONGEST_NOTE).ok()?).ok()?;
        (note.lines().next() == Some(&self.run)).then_some(note)
    }
}

/// The process that started this one, and when it was started where the system tells.
fn this_run() -> Option<String> {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        let stat = fs::read_to_string(format!("/proc/{parent}/stat")).unwrap_or_default();
        Some(format!("{parent} {}", start_time(&stat).unwrap_or_default()))
    }
    #[cfg(not(unix))]
    None
}

/// The 22nd field. The second one is a name in parentheses, which may hold blanks and parentheses.
#[cfg(unix)]
fn start_time(stat: &str) -> Option<&str> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_one_binary_of_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("notes/note");
        let other = |run: &str, binary: &str, file: &str| {
            let owners = Owners { note: note.clone(), run: run.to_owned(), binary: binary.to_owned() };
            let other = owners.other(Path::new(file));
            if other.is_none() {
                owners.claim([Path::new(file)].into_iter());
            }
            other
        };
        assert_eq!(other("1 5", "a::x", "/f"), None);
        assert_eq!(other("1 5", "a::x", "/f"), None, "itself");
        assert_eq!(other("1 5", "a::y", "/g"), None);
        assert_eq!(other("1 5", "a::y", "/f"), Some("a::x".to_owned()));
        assert_eq!(other("1 6", "a::y", "/f"), None, "another run");
        assert_eq!(other("1 6", "a::x", "/f"), Some("a::y".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn the_start_of_a_process_is_found_behind_any_name() {
        let fields: Vec<String> = (3..=52).map(|field| field.to_string()).collect();
        let stat = format!("77 (a) b (c)) {}\n", fields.join(" "));
        assert_eq!(start_time(&stat), Some("22"));
        assert_eq!(start_time(""), None);
    }
}
