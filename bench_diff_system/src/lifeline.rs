//! Ends a process when its parent ends for any reason, since nothing would read its results.

use std::io;
use std::process::{Command, Output, Stdio};

use crate::exit::Exit;

/// Ends this process when its parent ends: the system kills it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn end_with(parent: u32) {
    die_with_parent();
    // The parent may have ended before the request.
    end_without(parent);
}

/// Asks the system to kill this process when its parent ends.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with_parent() {
    // SAFETY: sets a number in the kernel and touches no memory of this process.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let _ = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) };
}

/// Runs a program until it ends, without input. It ends together with this process, if the system has a way.
///
/// # Errors
///
/// If it cannot be started.
pub fn output(command: &mut Command) -> io::Result<Output> {
    tie(command.stdin(Stdio::null()));
    command.output()
}

/// Ends a program together with this process, if the system can do that.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn tie(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let ask = || {
        die_with_parent();
        Ok(())
    };
    // SAFETY: between fork and exec it makes a single system call, which is allowed there, and takes no lock.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    unsafe {
        command.pre_exec(ask);
    }
}

/// Does nothing: the program ends by itself when it is done.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn tie(_: &mut Command) {}

/// The parent of this process.
#[cfg(unix)]
pub fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// 0: the parent is not known on these systems.
#[cfg(not(unix))]
pub fn parent() -> u32 {
    0
}

/// Ends this process when its parent ends: a thread looks from time to time, since these systems do not
/// report the end of a parent.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub fn end_with(parent: u32) {
    const INTERVAL: std::time::Duration = std::time::Duration::from_millis(500);

    std::thread::spawn(move || {
        loop {
            end_without(parent);
            std::thread::sleep(INTERVAL);
        }
    });
}

/// Does nothing: a process that measures one round ends soon by itself.
#[cfg(not(unix))]
pub fn end_with(_: u32) {}

#[cfg(unix)]
fn end_without(parent: u32) {
    if self::parent() != parent {
        Exit::Error.leave();
    }
}

/// Ends this process if it is a copy of `process`, made by a benchmarked function that forked and returned
/// twice.
pub fn end_copy_of(process: u32) {
    if std::process::id() != process {
        Exit::Error.leave();
    }
}
