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
use std::time::Duration;

#[cfg(not(unix))]
use self::loopback as system;
#[cfg(test)]
pub(super) use self::system::both;
pub(in crate::run) use self::system::{of_this_process, offer};
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

/// Waits until a process has the other end of a channel. It fails for the reason of `wait` to stop, or if the
/// process takes too long.
pub(in crate::run) type Offer = Box<dyn FnOnce(Wait<'_>) -> Result<Channel, Fault>>;

/// The stream of bytes of a channel, of either kind.
trait Stream: Read + Write {
    /// Reads without removing anything from the stream.
    fn peek(&self, bytes: &mut [u8]) -> io::Result<usize>;
}

impl Channel {
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
