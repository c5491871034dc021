//! The holder of a lock, as seen by processes that wait for it: from a note in the locked file, and from what
//! the system reports about its process.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::process;

use super::ancestors::parent_of;

/// The limit on the bytes of a note that are read, since the name of a bench has none.
const LONGEST: u64 = 1_000;

/// The holder of a lock. Any user may have written its note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holder {
    /// `process 123 (bench sorting)`; empty if not known, such as where a locked file cannot be read.
    name: String,
    /// The process that started it, and the namespace of both process ids.
    origin: String,
    /// A count that changes while the holder makes progress; empty until its first step.
    step: String,
}

/// The note of a holder in a file.
#[derive(Debug)]
pub(crate) struct Note {
    length: u64,
    steps: u64,
}

impl Note {
    /// Writes the note of this process, which `parent` has started. Errors are ignored: without a note,
    /// waiting processes only lack the name of the holder.
    pub(crate) fn write(mut file: &File, what: &str, parent: u32) -> Self {
        let text = format!("process {}{what}\nstarted by {parent} in {}\n", process::id(), namespace());
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
        Self { length: text.len() as u64, steps: 0 }
    }

    /// Adds a step to the note.
    pub(crate) fn step(&mut self, mut file: &File) {
        self.steps += 1;
        let step = self.steps.to_string();
        let _ = file.seek(SeekFrom::Start(self.length)).and_then(|_| file.write_all(step.as_bytes()));
    }
}

impl Holder {
    #[cfg(test)]
    pub(crate) fn of(name: &str, step: &str) -> Self {
        Self { name: name.to_owned(), origin: String::new(), step: step.to_owned() }
    }

    /// Reads the note in a file.
    pub(crate) fn read(mut file: &File) -> Self {
        let mut note = Vec::new();
        let _ = file.rewind().and_then(|()| file.take(LONGEST).read_to_end(&mut note));
        let note = String::from_utf8_lossy(&note);
        // Control characters could control the terminal.
        let mut lines = note.split('\n').map(|line| line.chars().filter(|c| !c.is_control()).collect());
        let [name, origin, step] = [(); 3].map(|()| lines.next().unwrap_or_default());
        Self { name, origin, step }
    }

    /// Its name, or `another process`.
    pub(crate) fn name(&self) -> &str {
        if self.name.is_empty() { "another process" } else { &self.name }
    }

    /// Returns whether the holder has changed.
    pub(crate) fn is_other_than(&self, former: &Self) -> bool {
        (&self.name, &self.origin) != (&former.name, &former.origin)
    }

    /// Returns whether it reports progress.
    pub(crate) fn has_steps(&self) -> bool {
        !self.step.is_empty()
    }

    /// How to end it, if its process id is known.
    pub(crate) fn way_out(&self) -> String {
        self.process().map(|process| format!("; `kill {process}` ends it")).unwrap_or_default()
    }

    /// Returns whether its parent has certainly ended. Then nothing reads its results, and nothing ends it
    /// if it hangs.
    pub(crate) fn is_orphan(&self) -> bool {
        let origin = self.origin.strip_prefix("started by ").and_then(|origin| origin.split_once(" in "));
        // In another container this id may belong to another process.
        let parent = origin.filter(|(_, space)| !space.is_empty() && *space == namespace());
        let now = self.process().and_then(parent_of);
        matches!((parent, now), (Some((then, _)), Some(now)) if *then != now.to_string())
    }

    fn process(&self) -> Option<u32> {
        self.name.strip_prefix("process ")?.split(' ').next()?.parse().ok()
    }
}

/// The namespace of this process's id; empty if the system has no namespaces, or does not report it.
fn namespace() -> String {
    fs::read_link("/proc/self/ns/pid").map(|space| space.display().to_string()).unwrap_or_default()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_note_has_the_holder_and_its_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "a longer note of a former process, which was killed in the midst of its work")
            .unwrap();
        let file = File::options().read(true).write(true).open(&path).unwrap();
        let mut note = Note::write(&file, " (bench sorting)", 1);
        let before = Holder::read(&File::open(&path).unwrap());
        let this = process::id();
        assert_eq!(before.name(), format!("process {this} (bench sorting)"));
        assert_eq!(before.way_out(), format!("; `kill {this}` ends it"));
        assert!(!before.has_steps());
        let mut seen = vec![before];
        for _ in 0..12 {
            note.step(&file);
            let now = Holder::read(&File::open(&path).unwrap());
            assert!(now.has_steps() && !now.is_other_than(&seen[0]) && !seen.contains(&now), "{now:?}");
            seen.push(now);
        }
    }

    #[test]
    fn a_process_whose_parent_ended_is_an_orphan() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let (number, this) = (child.id(), process::id());
        let holder = |parent: &str, space: &str| Holder {
            name: format!("process {number} (bench sorting)"),
            origin: format!("started by {parent} in {space}"),
            step: String::new(),
        };
        let here = namespace();
        assert!(!holder(&this.to_string(), &here).is_orphan());
        assert!(holder("1", &here).is_orphan());
        // Nothing is known about processes in other containers, or from notes without an origin.
        assert!(!holder("1", "pid:[1]").is_orphan() && !holder("", "").is_orphan());
        assert!(!Holder { origin: String::new(), ..holder("1", &here) }.is_orphan());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!holder("1", &here).is_orphan(), "it has ended");
    }

    #[test]
    fn a_note_cannot_control_the_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "process x (bench sor\u{1b}[31mting)\r\n\u{7}").unwrap();
        let holder = Holder::read(&File::open(&path).unwrap());
        assert_eq!((holder.name(), holder.way_out().as_str()), ("process x (bench sor[31mting)", ""));
        assert_eq!(Holder::default().name(), "another process");
    }
}
