//! A program on a terminal that a test reads.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{Winsize, openpty};

/// Runs a program whose error stream is a terminal of this width, as its output is unless that is said to be
/// another, and gives back how it ended and all the bytes that it wrote there.
pub(crate) fn run(
    mut command: Command,
    columns: u16,
    output: Option<Stdio>,
) -> io::Result<(ExitStatus, Vec<u8>)> {
    let size = Winsize { ws_row: 100, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let pair = openpty(&size, None)?;
    // A program that another test starts meanwhile would keep the terminal open for as long as it runs.
    for end in [&pair.master, &pair.slave] {
        fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    }
    let output = match output {
        Some(output) => output,
        None => pair.slave.try_clone()?.into(),
    };
    command.stdin(Stdio::null()).stdout(output).stderr(pair.slave);
    let mut child = command.spawn()?;
    // The command holds the program's end, and the other end closes with the last of them.
    drop(command);
    let mut terminal = std::fs::File::from(pair.master);
    let reader = thread::spawn(move || {
        let (mut written, mut part) = (Vec::new(), [0; 4096]);
        // Linux calls the end of a terminal an error.
        while let Ok(length @ 1..) = terminal.read(&mut part) {
            written.extend_from_slice(&part[..length]);
        }
        written
    });
    let status = child.wait()?;
    Ok((status, reader.join().expect("reading does not panic")))
}
