//! A pair of sockets, one of which is the standard input of the process.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use super::{INTERVAL, Stream, Wait};
use crate::run::fault::Fault;

pub(super) struct Offer(UnixStream);

pub(super) fn offer() -> io::Result<(Offer, Stdio)> {
    let (run, process) = UnixStream::pair()?;
    run.set_read_timeout(Some(INTERVAL))?;
    Ok((Offer(run), OwnedFd::from(process).into()))
}

/// Both ends in one process.
#[cfg(test)]
pub(super) fn both() -> (UnixStream, UnixStream) {
    let (run, process) = UnixStream::pair().expect("there are sockets");
    run.set_read_timeout(Some(INTERVAL)).expect("it is not zero");
    (run, process)
}

impl Offer {
    /// The process has its end from its start.
    pub(super) fn accepted(self, _: Wait<'_>) -> Result<UnixStream, Fault> {
        Ok(self.0)
    }
}

pub(super) fn of_this_process() -> io::Result<UnixStream> {
    let end = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = File::open("/dev/null")?;
    // SAFETY: both numbers belong to open files, and standard input is used only through its number.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let result = unsafe { libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(UnixStream::from(end)) }
}

impl Stream for UnixStream {
    fn peek(&self, bytes: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the call writes at most as many bytes as the buffer has.
        #[expect(unsafe_code, reason = "the standard library has no such request")]
        let read =
            unsafe { libc::recv(self.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), libc::MSG_PEEK) };
        usize::try_from(read).map_err(|_| io::Error::last_os_error())
    }
}
