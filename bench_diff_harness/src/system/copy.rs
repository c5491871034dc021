//! A copy of this process: it begins where this one stands, in a fraction of the time that a start takes.

/// Goes on in a copy of this process, and returns true in this one once the copy has done the rest and ended:
/// where that does not end well, this process ends as it did. False in the copy, and where there can be none:
/// one has a single thread, and others may hold what it needs.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no such requests")]
pub(crate) fn did_the_rest() -> bool {
    if std::fs::read_dir("/proc/self/task").map_or(true, |threads| threads.count() > 1) {
        return false;
    }
    let process = std::process::id();
    // The copy would write once more what waits to be written.
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // SAFETY: with no stream given, the call writes what waits in those of C.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    // SAFETY: there is no other thread, so nothing is locked or half done in the copy.
    let copy = match unsafe { libc::fork() } {
        ..0 => return false,
        0 => {
            super::lifeline::end_with(process);
            return false;
        }
        copy => copy,
    };
    let mut status = 0;
    // SAFETY: the call writes a number into one.
    while unsafe { libc::waitpid(copy, &raw mut status, 0) } < 0 {
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            super::exit::Exit::Error.leave();
        }
    }
    match (libc::WIFSIGNALED(status), libc::WEXITSTATUS(status)) {
        (false, 0) => true,
        // SAFETY: the process ends at once, so nothing can observe unfinished work.
        (false, code) => unsafe { libc::_exit(code) },
        (true, _) => {
            let signal = libc::WTERMSIG(status);
            // SAFETY: no handler of this process runs, since the signal is to end it.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            super::exit::Exit::Error.leave()
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn did_the_rest() -> bool {
    false
}
