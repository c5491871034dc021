//! A file that grows with every pair.

use std::fs::File;
use std::io::{self, ErrorKind, Write};

use super::open::Opened;
use super::{FileError, OpenedFile};
use crate::record::Event;
use crate::report::sink::Sink;
use crate::system::exit::Exit;

#[derive(Debug)]
pub(in crate::report) struct AppendedFile {
    file: File,
    /// Why the last piece is not whole, where that is so.
    broken: Option<ErrorKind>,
}

/// Empties its file when a run starts to be told: as long as it waits for its turn, the former report stays.
#[derive(Debug)]
pub(in crate::report) struct Emptied<S> {
    /// None of a stream, of which nothing can be taken back.
    file: Option<File>,
    sink: S,
}

impl OpenedFile {
    /// A file that this sink adds to, from the start of the run on.
    pub(in crate::report) fn appended<S: Sink>(
        self,
        sink: impl FnOnce(AppendedFile) -> S,
    ) -> Result<Emptied<S>, FileError> {
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
        Ok(Emptied { file: emptied, sink: sink(AppendedFile { file, broken: None }) })
    }
}

impl<S: Sink> Sink for Emptied<S> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if let (Event::RunStarted(_), Some(file)) = (event, &self.file) {
            file.set_len(0)?;
        }
        self.sink.event(event)
    }
}

impl AppendedFile {
    /// Remembers a failure: after half a line nothing more can be read.
    fn kept<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != ErrorKind::Interrupted
        {
            self.broken = Some(error.kind());
        }
        result
    }
}

impl Write for AppendedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.broken {
            Some(kind) => Err(kind.into()),
            None => {
                let written = self.file.write(bytes);
                self.kept(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.kept(flushed)
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
