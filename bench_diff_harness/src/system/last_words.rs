//! The end of a process in code that registers benchmarks.

use super::exit::Exit;

/// Ends the process with an error, because nothing can be measured.
///
/// Only the C library writes here. The standard library writes by variables of its own, and with LTO these
/// are among the code of the program: no benchmark that can reach them could be proven unchanged.
#[cold]
#[inline(never)]
pub fn cannot_run(reason: &'static str) -> ! {
    for part in ["error: ", reason, "\n"] {
        write(part);
    }
    Exit::Error.leave()
}

#[cfg(unix)]
fn write(text: &str) {
    // SAFETY: the pointer and the length are those of the text.
    #[expect(unsafe_code, reason = "the standard library writes by variables")]
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
    }
}

#[cfg(not(unix))]
fn write(text: &str) {
    eprint!("{text}");
}
