//! A pair of sockets, one of which is the standard input of the process.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use super::{Channel, INTERVAL, Offer, Stream};

/// Offers a channel to a process that gets this standard input, and so has its end from its start.
pub(in crate::run) fn offer() -> io::Result<(Offer, Stdio)> {
    let (run, process) = UnixStream::pair()?;
    run.set_read_timeout(Some(INTERVAL))?;
    Ok((Box::new(|_| Ok(Channel(Box::new(run)))), OwnedFd::from(process).into()))
}

/// Both ends in one process.
#[cfg(test)]
pub(in crate::run::turns) fn both() -> (Channel, Channel) {
    let (run, process) = UnixStream::pair().expect("there are sockets");
    run.set_read_timeout(Some(INTERVAL)).expect("it is not zero");
    (Channel(Box::new(run)), Channel(Box::new(process)))
}

/// This process's end. Standard input is empty from now on.
pub(in crate::run) fn of_this_process() -> io::Result<Channel> {
    let end = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = File::open("/dev/null")?;
    // SAFETY: both numbers belong to open files, and standard input is used only through its number.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let result = unsafe { libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Channel(Box::new(UnixStream::from(end))))
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
