//! A file that grows with every pair.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::record::Event;
use crate::report::sink::Sink;

/// Empties its file when a run starts to be told: as long as it waits for its turn, the former report stays.
pub(super) struct Appended {
    /// None of a stream, of which nothing can be taken back.
    pub(super) path: Option<PathBuf>,
    /// It adds to the file.
    pub(super) sink: Box<dyn Sink>,
}

impl Sink for Appended {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if let (Event::RunStarted(_), Some(path)) = (event, &self.path) {
            fs::write(path, "")?;
        }
        self.sink.event(event)
    }
}

#[cfg(test)]
mod tests {
    use super::super::open::{Opened, open};
    use super::*;
    use crate::record::{RunRecord, StartRecord};
    use crate::report::json::JsonLines;

    #[test]
    fn the_former_report_stays_until_the_run_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        fs::write(&path, "of the last run\n").unwrap();
        let Opened { file, path: opened, .. } = open(&path).unwrap();
        let mut file = Appended { path: opened, sink: Box::new(JsonLines::new(file)) };
        assert_eq!(fs::read_to_string(&path).unwrap(), "of the last run\n");
        file.event(&Event::RunStarted(&StartRecord::default())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        // Who else adds a line loses none.
        fs::write(&path, "of another one\n").unwrap();
        file.event(&Event::RunFinished(&RunRecord::default())).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("of another one\n{") && text.lines().count() == 2, "{text}");
    }
}
