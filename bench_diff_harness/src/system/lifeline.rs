//! Has a process end with the one that started it, however that ends: nobody would read what it finds. And
//! keeps what the process of a round does to its parent from being done to the run.

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

/// Looks from time to time, since other systems tell nobody of the end of a parent.
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

/// Ends a process that a function forked from this one and that came back from it: nobody asked it.
pub(crate) fn end_copy_of(process: u32) {
    if std::process::id() != process {
        Exit::Error.leave();
    }
}

/// Has a program run below a process that does nothing but wait for it and end as it does, and that both end
/// with this one: what a function does to the parent of its process, it does not do to this process.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn shield(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let run = std::process::id();
    // SAFETY: between fork and exec it makes calls of the system, which may be made there, and takes no lock
    // that this process may hold: the C library frees its own when it forks.
    #[expect(unsafe_code, reason = "the standard library starts no process below another one")]
    unsafe {
        command.pre_exec(move || below_another(run));
    }
}

/// A process is below this one alone.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn shield(_: &mut Command) {}

/// Comes back in the process of a program, below one that is a child of the run.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn below_another(run: u32) -> std::io::Result<()> {
    die_with_parent();
    end_without(run);
    let shield = std::process::id();
    // SAFETY: touches no memory of this process. It may have been started by one that ignores the ends of
    // its children, who then leave no status.
    #[expect(unsafe_code, reason = "the standard library neither forks nor knows signals")]
    let program = unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::fork()
    };
    match program {
        -1 => Err(std::io::Error::last_os_error()),
        0 => {
            die_with_parent();
            end_without(shield);
            leave_group();
            Ok(())
        }
        program => end_as(program),
    }
}

/// Has what this process sends to all of its group not reach the run.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn leave_group() {
    // SAFETY: sets a number in the kernel and touches no memory of this process.
    #[expect(unsafe_code, reason = "the standard library does it for a child alone")]
    let _ = unsafe { libc::setpgid(0, 0) };
}

/// Waits for a process and ends as it does.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn end_as(program: libc::pid_t) -> ! {
    close_all();
    let mut status = 0;
    // SAFETY: nothing but calls of the system, on a number of this stack frame, in a process that has no
    // other thread and ends here.
    #[expect(unsafe_code, reason = "the standard library waits for no process that it did not start")]
    unsafe {
        while libc::waitpid(program, &raw mut status, 0) == -1 {
            if std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
                Exit::Error.leave();
            }
        }
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // The program has left its memory on disk where that is asked for, and this one has none to show.
            libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// Closes every file of this process: who started it waits until one of them is closed.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn close_all() {
    /// Where the system closes only one at a time, none is above this.
    const MOST: libc::c_long = 1 << 16;

    // SAFETY: this process uses no file any more.
    #[expect(unsafe_code, reason = "the standard library closes what it opened")]
    unsafe {
        if libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0) != 0 {
            for file in 0..libc::sysconf(libc::_SC_OPEN_MAX).min(MOST) {
                libc::close(file as libc::c_int);
            }
        }
    }
}

/// Has a process of this one go on that was stopped.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn resume(process: u32) {
    // SAFETY: sends a signal, which does nothing to a process that is not stopped.
    #[expect(unsafe_code, reason = "the standard library sends no such signal")]
    let _ = unsafe { libc::kill(process.cast_signed(), libc::SIGCONT) };
}

/// Without a process between it is this one that would be stopped.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn resume(_: u32) {}
