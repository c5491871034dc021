//! What functions print: shown as it comes in the first round, and again only of a round that ends in an
//! error.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::one_pair::AS_LINKED;
use crate::system::stderr::{self, Stderr};

/// The longest part that is shown again, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Where the output of a process goes.
pub(super) enum ChildOutput {
    /// To the error stream, so that it does not get between the lines of a report.
    Shown,
    /// Into a file, of this round from 1; 0 is the program as linked beside random layouts.
    Kept { file: File, round: usize },
}

impl ChildOutput {
    /// Of a process of this round, from 0, with a file in this folder.
    pub(super) fn of(round: usize, folder: &Path) -> io::Result<Self> {
        if round == 0 {
            return Ok(Self::Shown);
        }
        let round = if round == AS_LINKED { 0 } else { round + 1 };
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(folder.join("output"))?;
        Ok(Self::Kept { file, round })
    }

    /// Has this command write there, and read nothing.
    pub(super) fn redirect(&self, command: &mut Command) -> io::Result<()> {
        command.stdin(Stdio::null());
        match self {
            Self::Shown => {
                stderr::clear_bar();
                command.stdout(io::stderr()).stderr(Stdio::inherit());
            }
            Self::Kept { file, .. } => {
                command.stdout(file.try_clone()?).stderr(file.try_clone()?);
            }
        }
        Ok(())
    }

    /// Shows the last of what was kept.
    pub(super) fn show(self) {
        let Self::Kept { mut file, round } = self else { return };
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut bytes = Vec::new();
        let read = file
            .seek(SeekFrom::Start(length.saturating_sub(LONGEST)))
            .and_then(|_| file.take(LONGEST).read_to_end(&mut bytes));
        if read.is_err() || bytes.is_empty() {
            return;
        }
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        let begin = if length > LONGEST { ", its last 64 KiB" } else { "" };
        stderr::say(&format!("printed in round {round}, which ended in an error{begin}:"));
        // As it would have been shown in the first round.
        let _ = Stderr.write_all(&bytes);
    }
}
