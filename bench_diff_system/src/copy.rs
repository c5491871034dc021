//! Forks this process: a copy continues from here, in a fraction of the time that a new process takes.

/// Forks a copy of this process that does the rest of its work. Returns true in this process once the copy
/// has ended; if the copy ended badly, this process ends in the same way. Returns false in the copy, and
/// if there can be none, as beside other threads, which may hold locks that the copy needs.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no such requests")]
pub fn did_the_rest() -> bool {
    if std::fs::read_dir("/proc/self/task").map_or(true, |threads| threads.count() > 1) {
        return false;
    }
    let process = std::process::id();
    // The copy would write the content of the buffers a second time.
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // SAFETY: without a stream, the call flushes all streams of C.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    // SAFETY: without other threads, nothing is locked or half done in the copy.
    let copy = match unsafe { libc::fork() } {
        ..0 => return false,
        0 => {
            super::lifeline::end_with(process);
            return false;
        }
        copy => copy,
    };
    let mut status = 0;
    // SAFETY: the call writes a number into `status`.
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
            // SAFETY: the default action ends the process, so no handler runs.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            super::exit::Exit::Error.leave()
        }
    }
}

/// Returns false: there are no copies on these systems.
#[cfg(not(target_os = "linux"))]
pub fn did_the_rest() -> bool {
    false
}
