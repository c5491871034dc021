//! The holder of a lock: its note in the locked file, for processes that wait for it.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process;

/// The limit on the bytes of a note that are read, since the name of a bench has none.
const LONGEST: u64 = 1_000;

/// Writes that this process holds the lock. Errors are ignored: without a note, waiting processes only lack
/// the name of the holder.
pub(crate) fn sign(mut file: &File, what: &str) {
    let text = format!("process {}{what}\n", process::id());
    let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
}

/// The holder of a lock, such as `process 123 (bench sorting)`. Any user may have written its note.
pub(crate) fn holder(mut file: &File) -> String {
    let mut note = Vec::new();
    let _ = file.rewind().and_then(|()| file.take(LONGEST).read_to_end(&mut note));
    let note = String::from_utf8_lossy(&note);
    // Control characters could control the terminal.
    let name = note.split('\n').next().unwrap_or_default().replace(char::is_control, "");
    if name.is_empty() { "another process".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_note_replaces_the_former_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "a longer note of a former process, which was killed in the midst of its work")
            .unwrap();
        let file = File::options().read(true).write(true).open(&path).unwrap();
        sign(&file, " (bench sorting)");
        assert_eq!(holder(&file), format!("process {} (bench sorting)", process::id()));
    }

    #[test]
    fn a_note_cannot_control_the_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let holder = |note: &str| {
            fs::write(&path, note).unwrap();
            holder(&File::open(&path).unwrap())
        };
        assert_eq!(holder("process x (bench sor\u{1b}[31mting)\r\n\u{7}"), "process x (bench sor[31mting)");
        assert_eq!(holder(""), "another process");
    }
}
