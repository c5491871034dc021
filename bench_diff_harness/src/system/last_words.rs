//! The end of a process in code that registers benchmarks.

use super::exit::Exit;

/// Ends the process at once with this message on stderr and exit code 3, because nothing can be measured.
///
/// The message goes through the C library. Printing with std would reach variables of std, which are part of
/// the program with LTO, and a benchmark whose code can reach such a variable can't be proven unchanged.
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
