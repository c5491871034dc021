//! The channel between the run and a process that takes turns.
//!
//! It is a pair of sockets, or a connection to this machine itself where there are no such pairs. The process
//! gets its end through its standard input, so no argument, variable or file leads to it. Handing over the
//! turn takes a few microseconds, and if one end dies, the other end reads the end of the stream.

#[cfg(any(test, not(unix)))]
mod loopback;
#[cfg(unix)]
mod unix;

use std::io::{self, ErrorKind, Read, Write};
use std::process::Stdio;
use std::time::Duration;

#[cfg(not(unix))]
use self::loopback as system;
#[cfg(unix)]
use self::unix as system;
use super::frame::{Frame, HEAD};
use crate::run::fault::Fault;

/// The longest text, in bytes.
const LONGEST_TEXT: u64 = 16 << 20;

/// The interval at which a waiting run checks for other reasons to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// A check that is made while nothing arrives; an error ends the waiting.
pub(in crate::run) type Wait<'a> = &'a mut dyn FnMut() -> Result<(), Fault>;

/// One end of a channel.
pub(in crate::run) struct Channel(Box<dyn Stream>);

/// The run's end of a channel whose process is still to be started.
pub(in crate::run) struct Offer(system::Offer);

/// The stream of bytes of a channel, of either kind.
trait Stream: Read + Write {
    /// Reads without removing anything from the stream.
    fn peek(&self, bytes: &mut [u8]) -> io::Result<usize>;
}

impl Offer {
    /// Waits until the process has its end.
    ///
    /// # Errors
    ///
    /// The reason of `wait` to stop, or that the process took too long.
    pub(in crate::run) fn accepted(self, wait: Wait<'_>) -> Result<Channel, Fault> {
        Ok(Channel(Box::new(self.0.accepted(wait)?)))
    }
}

impl Channel {
    /// Offers a channel to a process that gets this standard input.
    pub(in crate::run) fn offer() -> io::Result<(Offer, Stdio)> {
        let (offer, input) = system::offer()?;
        Ok((Offer(offer), input))
    }

    /// This process's end. Standard input is empty from now on.
    pub(in crate::run) fn of_this_process() -> io::Result<Self> {
        Ok(Self(Box::new(system::of_this_process()?)))
    }

    /// Both ends in one process.
    #[cfg(test)]
    pub(super) fn both() -> (Self, Self) {
        let (run, process) = system::both();
        (Self(Box::new(run)), Self(Box::new(process)))
    }

    pub(super) fn send(&mut self, frame: &Frame) -> io::Result<()> {
        self.0.write_all(&frame.head)?;
        self.0.write_all(frame.text.as_bytes())
    }

    /// Reads the next message, except its text, without removing it from the channel. Returns `None` if the
    /// other end is gone.
    pub(super) fn peek(&self) -> Option<Frame> {
        let mut head = [0; HEAD];
        loop {
            match self.0.peek(&mut head) {
                // The head of a message is always sent in one piece.
                Ok(read) => return (read == HEAD).then(|| Frame::received(head)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
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
            return Err(Fault::Outside(format!("its message has {length} bytes")));
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
                    ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => return Ok(false),
                    _ => return Err(Fault::Outside(error.to_string())),
                },
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
