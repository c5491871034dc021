//! The channel between the run and a process that takes turns: a pair of sockets.
//!
//! The process starts with one of them as its standard input. Handing over the turn takes a few microseconds,
//! and if one end dies, the other end reads the end of the stream.

use std::io::{self, ErrorKind, Read, Write};
use std::process::Stdio;

use super::frame::{Frame, HEAD};
use crate::run::fault::Fault;

/// The longest text, in bytes.
const LONGEST_TEXT: u64 = 16 << 20;

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

    pub(super) fn send(&mut self, frame: &Frame) -> io::Result<()> {
        self.0.write_all(&frame.head)?;
        self.0.write_all(frame.text.as_bytes())
    }

    /// Reads the next message, except its text, without removing it from the channel. Returns `None` if the
    /// other end is gone.
    #[cfg(unix)]
    pub(super) fn peek(&self) -> Option<Frame> {
        use std::os::fd::AsRawFd;

        let mut head = [0; HEAD];
        loop {
            // SAFETY: the call writes at most as many bytes as the buffer has.
            #[expect(unsafe_code, reason = "the standard library has no such request")]
            let read =
                unsafe { libc::recv(self.0.as_raw_fd(), head.as_mut_ptr().cast(), HEAD, libc::MSG_PEEK) };
            // The head of a message is always sent in one piece.
            match usize::try_from(read) {
                Ok(read) => return (read == HEAD).then(|| Frame::received(head)),
                Err(_) if io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    #[cfg(not(unix))]
    pub(super) fn peek(&self) -> Option<Frame> {
        None
    }

    /// The next message; `None` if the other end is gone.
    pub(super) fn receive(&mut self, wait: Wait<'_>) -> Result<Option<Frame>, Fault> {
        let mut head = [0; HEAD];
        if !self.fill(&mut head, wait)? {
            return Ok(None);
        }
        let mut frame = Frame::received(head);
        let length = frame.length_of_text();
        if length > LONGEST_TEXT {
            return Err(Fault::Lost(format!("its message has {length} bytes")));
        }
        let mut text = vec![0; length as usize];
        if !self.fill(&mut text, wait)? {
            return Ok(None);
        }
        frame.text = String::from_utf8_lossy(&text).into_owned();
        Ok(Some(frame))
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_and_the_end_is_noticed() {
        let (mut run, mut process) = Channel::both();
        let numbers =
            Frame::new("numbers").with(&[1]).with_option(Some(u64::MAX)).with_option(None).with(&[2]);
        process.send(&numbers).unwrap();
        process.send(&Frame::new("text").with(&[3]).with_text("größe".to_owned())).unwrap();
        process.0.write_all(b"half").unwrap();
        drop(process);
        let mut wait = || Ok(());
        assert_eq!(run.peek().unwrap().kind(), "numbers");
        let mut frame = run.receive(&mut wait).unwrap().unwrap();
        assert_eq!((frame.kind(), frame.text.as_str()), ("numbers", ""));
        assert_eq!((frame.number(), frame.option(), frame.option()), (1, Some(u64::MAX), None));
        assert_eq!(frame.number(), 2);
        assert_eq!(run.peek().unwrap().kind(), "text");
        let mut frame = run.receive(&mut wait).unwrap().unwrap();
        assert_eq!((frame.number(), frame.kind(), frame.text.as_str()), (3, "text", "größe"));
        assert_eq!(run.peek(), None);
        assert_eq!(run.receive(&mut wait), Ok(None));
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
    }

    #[test]
    fn bytes_of_others_are_no_message() {
        let (mut run, mut process) = Channel::both();
        process.0.write_all(&[b'x'; HEAD]).unwrap();
        let fault = run.receive(&mut || Ok(())).unwrap_err().to_string();
        assert!(fault.starts_with("its message has "), "the length is beyond the limit: {fault}");
        process.0.write_all(&[0; HEAD]).unwrap();
        assert_eq!(run.receive(&mut || Ok(())).unwrap().unwrap().kind(), "");
    }
}
