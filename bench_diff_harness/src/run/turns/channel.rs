//! The channel between the run and a process that takes turns: a pair of sockets.
//!
//! The process starts with one of them as its standard input. Handing over the turn takes a few microseconds,
//! and if one end dies, the other end reads the end of the stream.

use std::io::{self, ErrorKind, Read, Write};
use std::process::Stdio;

use crate::run::fault::Fault;

/// The longest text, in bytes.
const LONGEST_TEXT: u64 = 16 << 20;

/// The numbers of a message. If a text follows, the second number is its length.
pub(super) type Words = [u64; 7];

/// A check that is made while nothing arrives; an error ends the waiting.
pub(super) type Wait<'a> = &'a mut dyn FnMut() -> Result<(), Fault>;

/// One end of a channel.
pub(in crate::run) struct Channel(Socket);

#[cfg(unix)]
type Socket = std::os::unix::net::UnixStream;

/// The channel does not exist on this system.
#[cfg(not(unix))]
type Socket = std::fs::File;

impl Channel {
    /// Both ends in one process, for tests.
    #[cfg(all(test, unix))]
    pub(super) fn both() -> (Self, Self) {
        let (run, process) = Socket::pair().expect("there are sockets");
        run.set_read_timeout(Some(std::time::Duration::from_millis(1))).expect("it is not zero");
        (Self(run), Self(process))
    }

    /// The run's end, and the end for a process that is still to be started.
    #[cfg(unix)]
    pub(in crate::run) fn new() -> io::Result<(Self, Stdio)> {
        use std::os::fd::OwnedFd;
        use std::time::Duration;

        /// The interval at which a waiting run checks for other reasons to stop.
        const INTERVAL: Duration = Duration::from_millis(50);

        let (own, other) = Socket::pair()?;
        own.set_read_timeout(Some(INTERVAL))?;
        Ok((Self(own), OwnedFd::from(other).into()))
    }

    /// This process's end. Standard input is empty from now on.
    #[cfg(unix)]
    pub(in crate::run) fn of_this_process() -> io::Result<Self> {
        use std::fs::File;
        use std::os::fd::{AsFd, AsRawFd};

        let end = io::stdin().as_fd().try_clone_to_owned()?;
        let nothing = File::open("/dev/null")?;
        // SAFETY: both numbers belong to open files, and standard input is used only through its number.
        #[expect(unsafe_code, reason = "the standard library has no such request")]
        let result = unsafe { libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO) };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(Self(Socket::from(end))) }
    }

    #[cfg(not(unix))]
    pub(in crate::run) fn new() -> io::Result<(Self, Stdio)> {
        Err(ErrorKind::Unsupported.into())
    }

    #[cfg(not(unix))]
    pub(in crate::run) fn of_this_process() -> io::Result<Self> {
        Err(ErrorKind::Unsupported.into())
    }

    pub(super) fn send(&mut self, words: Words) -> io::Result<()> {
        let mut bytes = [0; size_of::<Words>()];
        bytes.chunks_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
        self.0.write_all(&bytes)
    }

    pub(super) fn send_text(&mut self, kind: u64, text: &str) -> io::Result<()> {
        self.send_with_text([kind, text.len() as u64, 0, 0, 0, 0, 0], text)
    }

    /// Sends a message, followed by a text whose length the message contains.
    pub(super) fn send_with_text(&mut self, words: Words, text: &str) -> io::Result<()> {
        self.send(words)?;
        self.0.write_all(text.as_bytes())
    }

    /// Reads the next message without removing it from the channel. Returns `None` if the other end is gone.
    #[cfg(unix)]
    pub(super) fn peek(&self) -> Option<Words> {
        use std::os::fd::AsRawFd;

        let mut bytes = [0; size_of::<Words>()];
        loop {
            // SAFETY: the call writes at most as many bytes as the buffer has.
            #[expect(unsafe_code, reason = "the standard library has no such request")]
            let read = unsafe {
                libc::recv(self.0.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), libc::MSG_PEEK)
            };
            // A message is always sent in one piece.
            match usize::try_from(read) {
                Ok(read) => return (read == bytes.len()).then(|| words_of(&bytes)),
                Err(_) if io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    #[cfg(not(unix))]
    pub(super) fn peek(&self) -> Option<Words> {
        None
    }

    /// The next message; `None` if the other end is gone.
    pub(super) fn receive(&mut self, wait: Wait<'_>) -> Result<Option<Words>, Fault> {
        let mut bytes = [0; size_of::<Words>()];
        if !self.fill(&mut bytes, wait)? {
            return Ok(None);
        }
        Ok(Some(words_of(&bytes)))
    }

    /// The text of this many bytes that follows a message; `None` if the other end is gone.
    pub(super) fn receive_text(&mut self, length: u64, wait: Wait<'_>) -> Result<Option<String>, Fault> {
        if length > LONGEST_TEXT {
            return Err(Fault::Lost(format!("its message has {length} bytes")));
        }
        let mut bytes = vec![0; length as usize];
        Ok(self.fill(&mut bytes, wait)?.then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Fills the buffer; returns `false` if the stream ends before.
    fn fill(&mut self, bytes: &mut [u8], wait: Wait<'_>) -> Result<bool, Fault> {
        let mut length = 0;
        while length < bytes.len() {
            match self.0.read(&mut bytes[length..]) {
                Ok(0) => return Ok(false),
                Ok(read) => length += read,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => wait()?,
                    ErrorKind::Interrupted => {}
                    ErrorKind::ConnectionReset => return Ok(false),
                    _ => return Err(Fault::Lost(error.to_string())),
                },
            }
        }
        Ok(true)
    }
}

fn words_of(bytes: &[u8; size_of::<Words>()]) -> Words {
    let mut words = bytes.chunks(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    std::array::from_fn(|_| words.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_arrive_and_the_end_is_noticed() {
        let (mut run, mut process) = Channel::both();
        process.send([1, 2, 3, 4, 5, 6, u64::MAX]).unwrap();
        process.send_text(7, "text").unwrap();
        process.0.write_all(b"half").unwrap();
        drop(process);
        let mut wait = || Ok(());
        assert_eq!(run.receive(&mut wait), Ok(Some([1, 2, 3, 4, 5, 6, u64::MAX])));
        assert_eq!(run.receive(&mut wait), Ok(Some([7, 4, 0, 0, 0, 0, 0])));
        assert_eq!(run.receive_text(4, &mut wait).unwrap().as_deref(), Some("text"));
        assert_eq!(run.receive(&mut wait), Ok(None));
        assert_eq!(run.receive_text(1, &mut wait), Ok(None));
    }

    #[test]
    fn waiting_ends_for_other_reasons() {
        let (mut run, mut process) = Channel::both();
        let enough = || Fault::Lost("enough".to_owned());
        let mut looks = 0;
        let mut wait = || {
            looks += 1;
            if looks == 3 { Err(enough()) } else { Ok(()) }
        };
        process.0.write_all(&[0; 20]).unwrap();
        assert_eq!(run.receive(&mut wait), Err(enough()));
        assert!(run.receive_text(u64::MAX, &mut || Ok(())).is_err(), "the length is beyond the limit");
    }
}
