//! The terminal that shows the output, if any.

use std::env;
use std::io::{self, IsTerminal, Write};

/// The width in columns of a terminal that does not report it.
const USUAL_WIDTH: usize = 80;

const ESCAPE: u8 = 0x1b;

/// The width of the terminal in columns; `None` if the output goes elsewhere.
pub fn width() -> Option<usize> {
    io::stdout().is_terminal().then(|| {
        let reported = columns().or_else(|| env::var("COLUMNS").ok()?.parse().ok());
        reported.filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
    })
}

#[cfg(unix)]
fn columns() -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request writes into `size`, and keeps no reference to it.
    #[expect(unsafe_code, reason = "the standard library has no size of a terminal")]
    let failed = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &raw mut size) } != 0;
    (!failed && size.ws_col > 0).then_some(size.ws_col.into())
}

#[cfg(not(unix))]
fn columns() -> Option<usize> {
    None
}

/// Returns whether the output goes to a terminal that understands escape sequences. A Windows console shows
/// them as text unless it is configured otherwise.
pub fn has_escapes() -> bool {
    let understands = env::var_os("TERM").is_some_and(|terminal| terminal != "dumb");
    cfg!(unix) && understands && io::stdout().is_terminal()
}

/// A writer that removes escape sequences of styles, which end in `m`.
pub struct Plain<W> {
    out: W,
    in_escape: bool,
}

impl<W> Plain<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, in_escape: false }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.in_escape {
            let end = bytes.iter().position(|byte| *byte == b'm');
            self.in_escape = end.is_none();
            return Ok(end.map_or(bytes.len(), |end| end + 1));
        }
        let escape = bytes.iter().position(|byte| *byte == ESCAPE);
        if escape == Some(0) {
            self.in_escape = true;
            return Ok(1);
        }
        self.out.write(&bytes[..escape.unwrap_or(bytes.len())])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_left_out_wherever_a_write_ends() {
        let styled = "a \u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m m";
        for cut in 0..=styled.len() {
            let mut text = Vec::new();
            let mut out = Plain::new(&mut text);
            for part in [&styled.as_bytes()[..cut], &styled.as_bytes()[cut..]] {
                out.write_all(part).unwrap();
            }
            assert_eq!(String::from_utf8(text).unwrap(), "a FAIL m", "cut at {cut}");
        }
    }
}
