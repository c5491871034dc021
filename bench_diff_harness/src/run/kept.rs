//! The rounds of pairs that are still open: in memory as long as they are few, and then in a file, so that a
//! run of thousands of pairs takes no more memory with every round.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::mem::size_of;

use bench_diff_core::{Duo, Recording};

use crate::record::{RawRecord, json};
use crate::system::temporary::TempFolder;

/// So many bytes of rounds are in memory at the most.
const IN_MEMORY: usize = 32 << 20;

/// What processes measured of open pairs.
pub(super) struct Kept {
    /// How many bytes may still come into memory.
    left: usize,
    file: Option<(TempFolder, File)>,
}

/// What one process measured of a pair that was open after it.
pub(super) enum KeptRound {
    InMemory(Box<Recording>),
    /// So many bytes from here on in the file.
    InFile {
        start: u64,
        length: usize,
    },
}

impl Kept {
    pub(super) fn new() -> Self {
        Self::with_memory(IN_MEMORY)
    }

    /// With so many bytes in memory at the most.
    pub(super) fn with_memory(left: usize) -> Self {
        Self { left, file: None }
    }

    /// Keeps a round.
    ///
    /// # Errors
    ///
    /// Why it cannot be written.
    pub(super) fn keep(&mut self, round: Recording) -> Result<KeptRound, String> {
        let size = size_of_round(&round);
        if let Some(left) = self.left.checked_sub(size) {
            self.left = left;
            return Ok(KeptRound::InMemory(Box::new(round)));
        }
        self.write(&round).map_err(|error| format!("its rounds cannot be kept: {error}"))
    }

    /// Gives a round back.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub(super) fn take(&mut self, round: KeptRound) -> Result<Recording, String> {
        match round {
            KeptRound::InMemory(round) => {
                self.left += size_of_round(&round);
                Ok(*round)
            }
            KeptRound::InFile { start, length } => {
                let text = self.read(start, length);
                let text = text.map_err(|error| format!("its rounds were not kept: {error}"))?;
                json::from_str::<RawRecord>(&text)?.recording()
            }
        }
    }

    fn write(&mut self, round: &Recording) -> io::Result<KeptRound> {
        let (_, file) = match &mut self.file {
            Some(file) => file,
            none => none.insert(new_file()?),
        };
        let text = json::to_string(&RawRecord::from(round));
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())?;
        Ok(KeptRound::InFile { start, length: text.len() })
    }

    fn read(&mut self, start: u64, length: usize) -> io::Result<String> {
        let Some((_, file)) = &mut self.file else { return Err(ErrorKind::NotFound.into()) };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn new_file() -> io::Result<(TempFolder, File)> {
    let folder = TempFolder::of_run()?;
    let path = folder.path().join("rounds");
    let file = File::options().read(true).append(true).create_new(true).open(path)?;
    Ok((folder, file))
}

/// About how many bytes of memory it takes.
fn size_of_round(Recording { warmup, duos, empty, .. }: &Recording) -> usize {
    let duos = warmup.duos.len() + duos.len();
    let slots = warmup.empty.len() + empty.len();
    size_of::<Recording>() + duos * size_of::<Duo>() + slots * size_of::<u64>()
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Order;

    use super::*;
    use crate::fixture::recording;

    fn round(slot: u64) -> Recording {
        let duo = Duo { order: Order::BaselineFirst, candidate: [slot; 2], baseline: [slot + 1; 2] };
        Recording { is_one_function: slot == 3, ..recording(vec![duo; 9]) }
    }

    #[test]
    fn rounds_come_back_from_memory_and_from_the_file() {
        let mut kept = Kept::with_memory(2 * size_of_round(&round(0)));
        let rounds: Vec<KeptRound> = (0..5).map(|slot| kept.keep(round(slot)).unwrap()).collect();
        let in_file = rounds.iter().filter(|round| matches!(round, KeptRound::InFile { .. })).count();
        assert_eq!((in_file, kept.left), (3, 0));
        let folder = kept.file.as_ref().unwrap().0.path().to_owned();
        let back: Vec<Recording> = rounds.into_iter().rev().map(|round| kept.take(round).unwrap()).collect();
        assert_eq!(back, [4, 3, 2, 1, 0].map(round));
        assert!(matches!(kept.keep(round(7)), Ok(KeptRound::InMemory(_))), "there is memory again");
        drop(kept);
        assert!(!folder.exists());
    }
}
