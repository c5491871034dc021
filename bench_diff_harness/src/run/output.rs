//! The output of functions: it goes into a file. In the first round it is shown as it comes; of a pair that
//! ends in an error it is kept.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::Command;

use crate::system::stderr;
use crate::system::text;

/// The file, in the folder of a request.
const NAME: &str = "output";

/// The longest output that is kept of a pair, in bytes.
const LONGEST: u64 = 64 * 1024;

/// The most that is shown of what a process prints, in bytes.
const MOST_SHOWN: u64 = 16 << 20;

/// The output of a process, and how far its parent has come with it.
pub(super) struct ChildOutput {
    file: File,
    /// A handle that stands elsewhere than the one at which the process writes. Whatever a function puts in
    /// the place of the file is never opened.
    reader: File,
    /// The offset at which the output of the current pair begins.
    begin: u64,
    /// The length that has been shown, or never is.
    shown: u64,
}

impl ChildOutput {
    /// For one process, in this folder.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let path = folder.join(NAME);
        let file = File::create_new(&path)?;
        Ok(Self { file, reader: File::open(path)?, begin: 0, shown: 0 })
    }

    /// Has this command write there.
    pub(super) fn redirect(&self, command: &mut Command) -> io::Result<()> {
        command.stdout(self.file.try_clone()?).stderr(self.file.try_clone()?);
        Ok(())
    }

    /// The length that the process has written so far.
    pub(super) fn length(&self) -> u64 {
        self.reader.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Shows the whole lines that the process has written and that were not shown yet: half a command for a
    /// runner would be taken for none. A line without end is shown as it comes.
    pub(super) fn show_lines(&mut self) {
        let length = self.length();
        let bytes = self.unseen(length);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let is_endless = whole == 0 && bytes.len() as u64 > LONGEST;
        if is_endless || length > MOST_SHOWN {
            self.say(&bytes, length);
        } else {
            self.say(&bytes[..whole], self.shown + whole as u64);
        }
    }

    /// Shows what the process has written up to here and was not shown yet, and ends the last line of it.
    pub(super) fn show(&mut self, end: u64) {
        self.say(&self.unseen(end), end);
    }

    /// The output up to here that may be shown, and was not yet.
    fn unseen(&self, end: u64) -> Vec<u8> {
        self.read(self.shown, end.min(MOST_SHOWN))
    }

    /// Shows these bytes, which end here, where there are any.
    fn say(&mut self, bytes: &[u8], end: u64) {
        if bytes.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(bytes);
        stderr::say(text.strip_suffix('\n').unwrap_or(&text));
        if end > MOST_SHOWN {
            stderr::note(format_args!(
                "only the first {} MiB that this process prints are shown",
                MOST_SHOWN >> 20
            ));
        }
        self.shown = end;
    }

    /// Begins with a pair whose output comes after this. What stands before it and was not shown never is.
    pub(super) fn begin(&mut self, at: u64) {
        self.begin = at;
        self.shown = self.shown.max(at);
    }

    /// The output of the current pair up to here, if there is any besides a panic that this reason tells
    /// already.
    pub(super) fn of_pair(&self, end: u64, reason: &str) -> Option<String> {
        let begin = self.begin.max(end.saturating_sub(LONGEST));
        let bytes = self.read(begin, end);
        let text = without_panics(String::from_utf8_lossy(&bytes).into_owned(), reason);
        let text = text.trim_matches('\n').trim_end();
        match begin - self.begin {
            _ if text.is_empty() => None,
            0 => Some(text.to_owned()),
            left_out => Some(format!("(its first {left_out} bytes are left out)\n{text}")),
        }
    }

    /// The output from here to there, as far as it can be read.
    fn read(&self, begin: u64, end: u64) -> Vec<u8> {
        let mut reader = &self.reader;
        let mut bytes = Vec::new();
        let length = reader.seek(SeekFrom::Start(begin)).map_or(0, |begin| end.saturating_sub(begin));
        // What cannot be read is not told.
        let _ = reader.take(length).read_to_end(&mut bytes);
        bytes
    }
}

/// The length that this process has written, if its parent keeps that beside this request.
pub(super) fn written(request: &Path) -> u64 {
    fs::metadata(request.with_file_name(NAME)).map_or(0, |metadata| metadata.len())
}

/// The text without the lines on panics whose messages the reason has. Their backtraces stay.
fn without_panics(mut text: String, reason: &str) -> String {
    let panics = reason.split("\n  before, another thread ").filter(|part| part.starts_with("panicked"));
    // As the hook for panics shows them.
    for panic in panics.map(text::lines) {
        let Some(at) = text.find(&*panic) else { continue };
        let start = text[..at].rfind('\n').map_or(0, |line_end| line_end + 1);
        if text[start..at].starts_with("thread '") {
            // The hook begins with a blank line.
            let start = if text[..start].ends_with("\n\n") { start - 1 } else { start };
            let end = at + panic.len();
            let line_end = usize::from(text[end..].starts_with('\n'));
            text.replace_range(start..end + line_end, "");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn output(text: &str) -> (tempfile::TempDir, ChildOutput) {
        let folder = tempfile::tempdir().unwrap();
        let output = ChildOutput::new(folder.path()).unwrap();
        (&output.file).write_all(text.as_bytes()).unwrap();
        (folder, output)
    }

    #[test]
    fn a_pair_has_what_was_written_since_it_began() {
        let (folder, mut output) = output("args\nfirst\nsecond\n");
        assert_eq!(written(&folder.path().join("request")), 18);
        output.begin(5);
        assert_eq!(output.of_pair(11, "").unwrap(), "first");
        output.begin(11);
        assert_eq!(output.of_pair(output.length(), "").unwrap(), "second");
        output.begin(18);
        assert_eq!(output.of_pair(18, ""), None);
    }

    #[test]
    fn what_a_process_writes_goes_on_behind_what_was_read() {
        let (_folder, output) = output("first\n");
        assert_eq!(output.of_pair(output.length(), "").unwrap(), "first");
        (&output.file).write_all(b"second\n").unwrap();
        assert_eq!(output.of_pair(output.length(), "").unwrap(), "first\nsecond");
    }

    #[test]
    fn a_line_is_shown_when_it_is_whole() {
        let (_folder, mut output) = output("whole\n:");
        output.show_lines();
        assert_eq!(output.shown, 6);
        (&output.file).write_all(b":half").unwrap();
        output.show_lines();
        assert_eq!(output.shown, 6);
        output.show(output.length());
        assert_eq!(output.shown, 12);
    }

    #[test]
    fn what_is_too_much_is_shown_up_to_there_and_noted_while_it_goes_on() {
        let (_folder, mut output) = output("");
        output.file.set_len(MOST_SHOWN - 2).unwrap();
        output.begin(MOST_SHOWN - 2);
        (&output.file).seek(SeekFrom::End(0)).unwrap();
        (&output.file).write_all(b"x\ny").unwrap();
        output.show_lines();
        assert_eq!(output.shown, MOST_SHOWN + 1);
    }

    #[test]
    fn a_long_output_keeps_its_end() {
        let (_folder, output) = output(&format!("{}the end", "x".repeat(70_000)));
        let text = output.of_pair(output.length(), "").unwrap();
        assert!(text.starts_with("(its first 4471 bytes are left out)\nxxx"), "{}", &text[..60]);
        assert!(text.ends_with("xthe end") && text.len() < 66_000);
    }

    #[test]
    fn a_panic_stands_in_the_reason_alone() {
        let panic = "panicked at a.rs:1:2: two\nlines";
        let text = format!("printed\n\nthread 'main' {panic}\nstack backtrace:\n   0: f\n");
        assert_eq!(without_panics(text.clone(), panic), "printed\nstack backtrace:\n   0: f\n");
        let hostile =
            without_panics("thread 'main' panicked: \\u{1b}[2J\n".to_owned(), "panicked: \u{1b}[2J");
        assert_eq!(hostile, "", "its message is shown as escapes");
        assert_eq!(without_panics(text.clone(), "ended the process with code 1"), text);
        let both = format!("panicked: gone\n  before, another thread {panic}");
        assert_eq!(without_panics(format!("thread 'a' {panic}\nthread 'main' panicked: gone"), &both), "");
        assert_eq!(without_panics(format!("he {panic}"), panic), format!("he {panic}"), "somebody's words");
    }
}
