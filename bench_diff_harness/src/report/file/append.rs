//! A file that grows with every pair.

use std::fs::File;
use std::io;

use super::open::Opened;
use super::{FileError, OpenedFile};
use crate::record::Event;
use crate::report::sink::Sink;
use crate::system::exit::Exit;

/// Empties its file when a run starts to be told: as long as it waits for its turn, the former report stays.
#[derive(Debug)]
pub(in crate::report) struct AppendedFile<S> {
    /// None of a stream, of which nothing can be taken back.
    file: Option<File>,
    sink: S,
    /// True if something could not be written: after half a line nothing more can be read.
    is_broken: bool,
}

impl OpenedFile {
    /// A file that this sink adds to, from the start of the run on.
    pub(in crate::report) fn appended<S: Sink>(
        self,
        sink: impl FnOnce(File) -> S,
    ) -> Result<AppendedFile<S>, FileError> {
        let (file, emptied) = match self.opened {
            Opened::Regular { file, path, .. } => {
                let emptied = file.try_clone().map_err(|error| {
                    let reason = format!("cannot open {} for writing: {error}", path.display());
                    FileError::new(Exit::Error, &self.given, &reason)
                })?;
                (file, Some(emptied))
            }
            Opened::Stream(file) => (file, None),
        };
        Ok(AppendedFile { file: emptied, sink: sink(file), is_broken: false })
    }
}

impl<S: Sink> Sink for AppendedFile<S> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.is_broken {
            return Ok(());
        }
        if let (Event::RunStarted(_), Some(file)) = (event, &self.file) {
            file.set_len(0)?;
        }
        self.sink.event(event).inspect_err(|_| self.is_broken = true)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::record::{RunRecord, StartRecord};
    use crate::report::json::JsonLines;
    use crate::settings::FilePath;

    #[test]
    fn the_former_report_stays_until_the_run_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        fs::write(&path, "of the last run\n").unwrap();
        let given = FilePath { origin: "--json".to_owned(), text: "records".to_owned() };
        let opened = Opened::new(&path).unwrap();
        let mut file = OpenedFile { given, path: path.clone(), opened }.appended(JsonLines::new).unwrap();
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
