//! Which binary of a run of cargo wrote a file: two that write one would leave only what the last one said.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::report::Subject;
use crate::settings::{Config, Target, paths};
use crate::system::input;

/// More than the names of a package and a bench take, in bytes.
const LONGEST_NOTE: u64 = 4096;

/// Who wrote which file in this run of cargo, in notes that a later run ignores.
#[derive(Debug)]
pub(super) struct Owners {
    folder: PathBuf,
    run: String,
    binary: String,
    /// Whether what this binary writes is worth a note.
    writes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Or this binary.
    Nobody,
    Other(String),
}

impl Owners {
    /// None where a run cannot be told from another one.
    pub(super) fn of_this_run(folder: &Path, subject: &Subject) -> Option<Self> {
        Some(Self {
            folder: folder.to_owned(),
            run: this_run()?,
            binary: format!("{}::{}", subject.package, subject.bench),
            writes: subject.selected > 0,
        })
    }

    /// Who owns a file of this run.
    pub(super) fn of(&self, file: &Path) -> Owner {
        let text = input::read(&self.note(file), LONGEST_NOTE).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        if let Some((run, binary)) = text.split_once('\n')
            && run == self.run
            && binary != self.binary
        {
            return Owner::Other(binary.to_owned());
        }
        Owner::Nobody
    }

    /// Makes this binary the owner of a file that was nobody's.
    pub(super) fn claim(&self, file: &Path) {
        if self.writes {
            // Without a note the mistake is not found, which is no reason not to measure.
            let _ = fs::create_dir_all(&self.folder)
                .and_then(|()| fs::write(self.note(file), format!("{}\n{}", self.run, self.binary)));
        }
    }

    fn note(&self, file: &Path) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        file.hash(&mut hasher);
        self.folder.join(format!("{:016x}", hasher.finish()))
    }
}

/// The process that started this one, and when it was started where the system tells.
#[cfg(unix)]
fn this_run() -> Option<String> {
    let parent = std::os::unix::process::parent_id();
    let stat = fs::read_to_string(format!("/proc/{parent}/stat")).unwrap_or_default();
    Some(format!("{parent} {}", start_time(&stat).unwrap_or_default()))
}

#[cfg(not(unix))]
fn this_run() -> Option<String> {
    None
}

/// The 22nd field. The second one is a name in parentheses, which may hold blanks and parentheses.
#[cfg(any(unix, test))]
fn start_time(stat: &str) -> Option<&str> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)
}

/// The folder for notes, below the target directory.
pub(crate) fn notes_folder(config: &Config, target: &Target) -> Option<PathBuf> {
    Some(paths::target_directory(config, target)?.join("bench_diff").join(".written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(folder: &Path, run: &str, binary: &str) -> Owners {
        let [run, binary] = [run, binary].map(str::to_owned);
        Owners { folder: folder.to_owned(), run, binary, writes: true }
    }

    #[test]
    fn a_file_belongs_to_one_binary_of_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes");
        let of = |run, binary, file| {
            let (owners, file) = (owners(&notes, run, binary), Path::new(file));
            let owner = owners.of(file);
            if owner == Owner::Nobody {
                owners.claim(file);
            }
            owner
        };
        assert_eq!(of("1 5", "a::x", "/f"), Owner::Nobody);
        assert_eq!(of("1 5", "a::x", "/f"), Owner::Nobody, "itself");
        assert_eq!(of("1 5", "a::y", "/f"), Owner::Other("a::x".to_owned()));
        assert_eq!(of("1 5", "a::y", "/g"), Owner::Nobody);
        assert_eq!(of("1 6", "a::y", "/f"), Owner::Nobody, "another run");
        assert_eq!(of("1 6", "a::x", "/f"), Owner::Other("a::y".to_owned()));
    }

    #[test]
    fn what_writes_nothing_owns_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let idle = Owners { writes: false, ..owners(folder.path(), "1", "a::x") };
        idle.claim(Path::new("/f"));
        assert_eq!(owners(folder.path(), "1", "a::y").of(Path::new("/f")), Owner::Nobody);
    }

    #[test]
    fn the_start_of_a_process_is_found_behind_any_name() {
        let fields: Vec<String> = (3..=52).map(|field| field.to_string()).collect();
        let stat = format!("77 (a) b (c)) {}\n", fields.join(" "));
        assert_eq!(start_time(&stat), Some("22"));
        assert_eq!(start_time(""), None);
    }
}
