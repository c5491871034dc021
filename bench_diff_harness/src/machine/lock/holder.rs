//! Who holds the lock, and how long to wait for them.

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek};
use std::time::{Duration, Instant};

/// Who left the note in the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Holder {
    pid: u32,
    bench: String,
}

impl Holder {
    /// None where nobody left one, or where it cannot be read.
    pub(super) fn of(mut file: &File) -> Option<Self> {
        let mut note = Vec::new();
        file.rewind().and_then(|()| file.take(200).read_to_end(&mut note)).ok()?;
        let note = String::from_utf8_lossy(&note);
        let (pid, bench) = note.trim().split_once(' ')?;
        // Anybody may have written it: a terminal should not obey it.
        let bench = bench.chars().filter(|c| !c.is_control()).collect();
        Some(Self { pid: pid.parse().ok()?, bench })
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} (bench {})", self.pid, self.bench)
    }
}

/// The holder in the words of a message.
pub(super) fn whom(holder: Option<&Holder>) -> String {
    holder.map_or_else(|| "another process".to_owned(), ToString::to_string)
}

/// The time that was spent on waiting for one holder.
#[derive(Debug)]
pub(super) struct Wait {
    limit: Duration,
    since: Instant,
    pid: Option<u32>,
}

impl Wait {
    pub(super) fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, since: now, pid: None }
    }

    /// Whether it was long enough for this holder. Another one than before is waited for from now on.
    pub(super) fn is_over(&mut self, holder: Option<&Holder>, now: Instant) -> bool {
        // Between two holders there is no note for a moment, which is no news.
        if let Some(Holder { pid, .. }) = holder
            && self.pid.replace(*pid) != Some(*pid)
        {
            self.since = now;
        }
        now.duration_since(self.since) >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_note_is_read_with_care() {
        let folder = tempfile::tempdir().unwrap();
        let whoever = "another process";
        for (note, expected) in [
            ("1234 sorting\n", "process 1234 (bench sorting)"),
            ("1234 sor\u{1b}[31mting\n", "process 1234 (bench sor[31mting)"),
            ("", whoever),
            ("1234", whoever),
            ("-7 sorting", whoever),
            ("\u{1b}[2J sorting", whoever),
        ] {
            let path = folder.path().join("note");
            fs::write(&path, note).unwrap();
            assert_eq!(whom(Holder::of(&File::open(&path).unwrap()).as_ref()), expected, "{note:?}");
        }
    }

    #[test]
    fn the_time_counts_for_each_holder() {
        let start = Instant::now();
        let minutes = |minutes: u64| start + Duration::from_secs(60 * minutes);
        let holder = |pid| Some(Holder { pid, bench: "sorting".to_owned() });
        let mut wait = Wait::new(Duration::from_secs(60 * 10), start);
        for (pid, minute, over) in
            [(Some(1), 0, false), (Some(1), 9, false), (Some(2), 11, false), (None, 12, false)]
        {
            assert_eq!(wait.is_over(pid.and_then(holder).as_ref(), minutes(minute)), over, "minute {minute}");
        }
        assert!(!wait.is_over(holder(2).as_ref(), minutes(20)), "since minute 11");
        assert!(wait.is_over(holder(2).as_ref(), minutes(21)));
        assert!(!wait.is_over(holder(3).as_ref(), minutes(22)));
        assert!(wait.is_over(None, minutes(32)), "of one without a note nobody knows who it is");
    }
}
