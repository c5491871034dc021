//! A file that grows with every pair.

use std::fs::File;
use std::io::{self, ErrorKind, Write};

use super::open::Opened;
use super::{FileError, OpenedFile};
use crate::exit::Exit;

#[derive(Debug)]
pub(in crate::report) struct AppendedFile {
    file: File,
    /// Why the last piece is not whole, where that is so.
    broken: Option<ErrorKind>,
}

impl OpenedFile {
    /// An empty file.
    pub(in crate::report) fn appended(self) -> Result<AppendedFile, FileError> {
        let file = match self.opened {
            Opened::Regular { file, path } => {
                file.set_len(0).map_err(|error| {
                    let reason = format!("cannot empty {}: {error}", path.display());
                    FileError::new(Exit::Error, &self.given, reason)
                })?;
                file
            }
            Opened::Stream(file) => file,
        };
        Ok(AppendedFile { file, broken: None })
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
