//! Has a process end with the one that started it, however that ends: nobody would read what it finds.

#[cfg(unix)]
use crate::exit::Exit;

/// Asks the system for it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn end_with(parent: u32) {
    // SAFETY: sets a number in the kernel and touches no memory of this process.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let _ = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) };
    // It may have ended before the system was told.
    end_without(parent);
}

/// Looks from time to time, since other systems tell nobody of the end of a parent.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub(super) fn end_with(parent: u32) {
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
pub(super) fn end_with(_: u32) {}

#[cfg(unix)]
fn end_without(parent: u32) {
    if std::os::unix::process::parent_id() != parent {
        crate::exit_guard::leave(Exit::Error);
    }
}
