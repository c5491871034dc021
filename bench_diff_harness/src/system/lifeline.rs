//! Has a process end with the one that started it, however that ends: no one would read what it finds.

use std::process::Command;

use crate::system::exit::Exit;

/// Asks the system for it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn end_with(parent: u32) {
    die_with_parent();
    // It may have ended before the system was told.
    end_without(parent);
}

/// Has the system kill this process when its parent ends.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with_parent() {
    // SAFETY: sets a number in the kernel and touches no memory of this process.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let _ = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) };
}

/// Has a program of others end with this process, as far as the system can.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn tie(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let ask = || {
        die_with_parent();
        Ok(())
    };
    // SAFETY: between fork and exec it makes one call of the system, which may be made there, and takes no
    // lock.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    unsafe {
        command.pre_exec(ask);
    }
}

/// It ends by itself when it is done.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn tie(_: &mut Command) {}

/// The process that started this one.
#[cfg(unix)]
pub(crate) fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
pub(crate) fn parent() -> u32 {
    0
}

/// Looks from time to time, since other systems tell no one of the end of a parent.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub(crate) fn end_with(parent: u32) {
    const INTERVAL: std::time::Duration = std::time::Duration::from_millis(500);

    std::thread::spawn(move || {
        loop {
            end_without(parent);
            std::thread::sleep(INTERVAL);
        }
    });
}

/// A process that measures one round ends soon by itself.
#[cfg(not(unix))]
pub(crate) fn end_with(_: u32) {}

#[cfg(unix)]
fn end_without(parent: u32) {
    if self::parent() != parent {
        Exit::Error.leave();
    }
}

/// Ends a process that a function forked from this one and that came back from it: no one asked it.
pub(crate) fn end_copy_of(process: u32) {
    if std::process::id() != process {
        Exit::Error.leave();
    }
}
