//! The interval between rewrites of a document. With thousands of pairs, one after each pair would take
//! longer than the run.

use std::io;
use std::time::{Duration, Instant};

/// The size of a document of some hundred pairs, which is written in a few milliseconds.
const SMALL: usize = 256 * 1024;
/// The time between rewrites of a larger one, as a multiple of the time that a rewrite takes.
const SHARE: u32 = 20;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    last: Option<Writing>,
}

/// The size, the duration and the end of the last rewrite.
#[derive(Clone, Copy, Debug)]
struct Writing {
    bytes: usize,
    took: Duration,
    end: Instant,
}

impl Pace {
    /// Returns whether it is time to rewrite the document.
    pub(super) fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.bytes < SMALL || last.end.elapsed() >= last.took * SHARE)
    }

    /// Writes a document; `write` returns its number of bytes.
    pub(super) fn write(&mut self, write: impl FnOnce() -> io::Result<usize>) -> io::Result<()> {
        let begin = Instant::now();
        let bytes = write()?;
        self.last = Some(Writing { bytes, took: begin.elapsed(), end: Instant::now() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_document_is_not_written_after_every_pair() {
        let pace = |bytes, took| Pace { last: Some(Writing { bytes, took, end: Instant::now() }) };
        let hour = Duration::from_secs(3600);
        assert!(Pace::default().is_due(), "the first one");
        assert!(pace(SMALL - 1, hour).is_due());
        assert!(!pace(SMALL, hour).is_due());
        assert!(pace(SMALL, Duration::ZERO).is_due());
    }
}
