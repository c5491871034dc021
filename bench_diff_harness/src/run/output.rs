//! The output of functions, which goes to a file. That of its first process is shown; for a pair that
//! ends in an error it is a part of the record.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::Command;

use bench_diff_system::stderr;
use bench_diff_system::text;

use crate::call::panics::BEFORE;

/// The name of the file, in the folder of a request.
const NAME: &str = "output";

/// The longest output of a pair in its record, in bytes.
const LONGEST: u64 = 64 * 1024;

/// The most output of a process that is shown, in bytes.
const MOST_SHOWN: u64 = 16 << 20;

/// The output of a process, and how much of it the parent has shown.
pub(super) struct ChildOutput {
    file: File,
    /// A handle with its own position, apart from the one that the process writes with. If a function
    /// replaces the file, the replacement is never opened.
    reader: File,
    /// The offset at which the output of the current pair begins.
    begin: u64,
    /// The length that has been shown or is to be skipped.
    shown: u64,
}

impl ChildOutput {
    /// Creates the file for one process, in this folder.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let path = folder.join(NAME);
        let file = File::create_new(&path)?;
        Ok(Self { file, reader: File::open(path)?, begin: 0, shown: 0 })
    }

    /// Redirects the output of this command to the file.
    pub(super) fn redirect(&self, command: &mut Command) -> io::Result<()> {
        command.stdout(self.file.try_clone()?).stderr(self.file.try_clone()?);
        Ok(())
    }

    /// The length that the process has written so far.
    pub(super) fn length(&self) -> u64 {
        self.reader.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Shows the complete lines that the process has written and that were not shown yet, since a CI runner
    /// would not recognize half of a workflow command. An overlong line without an end is shown in parts.
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

    /// Shows the output up to `end` that was not shown yet, and ends its last line.
    pub(super) fn show(&mut self, end: u64) {
        self.say(&self.unseen(end), end);
    }

    /// The output up to `end` that may be shown and was not shown yet.
    fn unseen(&self, end: u64) -> Vec<u8> {
        self.read(self.shown, end.min(MOST_SHOWN))
    }

    /// Shows these bytes, if there are any; `end` is the offset behind them.
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

    /// Begins with a pair whose output starts at this offset. Earlier output that was not shown yet never
    /// will be.
    pub(super) fn begin(&mut self, at: u64) {
        self.begin = at;
        self.shown = self.shown.max(at);
    }

    /// The output of the current pair up to `end`, without the panics in this reason, which is reported with
    /// it; `None` if nothing else is left.
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

    /// The output between two offsets, as far as it can be read.
    fn read(&self, begin: u64, end: u64) -> Vec<u8> {
        let mut reader = &self.reader;
        let mut bytes = Vec::new();
        let length = reader.seek(SeekFrom::Start(begin)).map_or(0, |begin| end.saturating_sub(begin));
        // Unreadable output is left out.
        let _ = reader.take(length).read_to_end(&mut bytes);
        bytes
    }
}

/// The length of the output that this process has written, if its parent redirected it to a file next to this
/// request.
pub(super) fn written(request: &Path) -> u64 {
    fs::metadata(request.with_file_name(NAME)).map_or(0, |metadata| metadata.len())
}

/// The text without the lines about the panics in this reason. Their backtraces stay.
fn without_panics(mut text: String, reason: &str) -> String {
    // In the form in which the panic hook shows them.
    for panic in reason.split(BEFORE).map(text::lines) {
        let Some(at) = text.find(&*panic) else { continue };
        let start = text[..at].rfind('\n').map_or(0, |line_end| line_end + 1);
        if text[start..at].starts_with("thread '") {
            // The hook writes an empty line first.
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
    fn the_output_of_a_pair_begins_with_the_pair() {
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
    fn reading_does_not_disturb_writing() {
        let (_folder, output) = output("first\n");
        assert_eq!(output.of_pair(output.length(), "").unwrap(), "first");
        (&output.file).write_all(b"second\n").unwrap();
        assert_eq!(output.of_pair(output.length(), "").unwrap(), "first\nsecond");
    }

    #[test]
    fn only_complete_lines_are_shown() {
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
    fn output_beyond_the_limit_is_reported_and_not_shown() {
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
    fn a_panic_is_only_in_the_reason() {
        let panic = "panicked at a.rs:1:2: two\nlines";
        let text = format!("printed\n\nthread 'main' {panic}\nstack backtrace:\n   0: f\n");
        assert_eq!(without_panics(text.clone(), panic), "printed\nstack backtrace:\n   0: f\n");
        let hostile =
            without_panics("thread 'main' panicked: \\u{1b}[2J\n".to_owned(), "panicked: \u{1b}[2J");
        assert_eq!(hostile, "", "its message is shown as escapes");
        assert_eq!(without_panics(text.clone(), "ended the process"), text);
        let both = format!("thread 'a' {panic}\nthread 'main' panicked: gone");
        assert_eq!(without_panics(both, &format!("panicked: gone{BEFORE}{panic}")), "");
        assert_eq!(without_panics(format!("he {panic}"), panic), format!("he {panic}"), "text of the user");
    }
}
