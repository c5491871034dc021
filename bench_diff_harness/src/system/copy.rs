//! A copy of this process: it begins where this one stands, in a fraction of the time that a start takes.

/// Which of two equal processes this one is.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "other systems have no copies"))]
pub(crate) enum Copied {
    Copy,
    /// The one that was there before, after the copy has ended well.
    Original,
}

/// Goes on in a copy of this process, and in this one once the copy has ended: where that does not end well,
/// this process ends as it did. None where there can be no copy: one has a single thread, and others may hold
/// what it needs.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no such requests")]
pub(crate) fn of_this_process() -> Option<Copied> {
    if std::fs::read_dir("/proc/self/task").map_or(true, |threads| threads.count() > 1) {
        return None;
    }
    let process = std::process::id();
    // SAFETY: there is no other thread, so nothing is locked or half done in the copy.
    let copy = match unsafe { libc::fork() } {
        ..0 => return None,
        0 => {
            super::lifeline::end_with(process);
            return Some(Copied::Copy);
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
        (false, 0) => Some(Copied::Original),
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
pub(crate) fn of_this_process() -> Option<Copied> {
    None
}
