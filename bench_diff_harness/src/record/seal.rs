//! The seal of a record: what makes a line that was changed, added or removed show.

/// FNV-1a (Fowler, Noll & Vo 1991) of a text that follows on another one: the same in every version of the
/// compiler.
///
/// It finds accidents and careless hands. Who changes a record on purpose can seal it anew.
pub(crate) fn checksum(before: u64, text: &str) -> u64 {
    let bytes = before.to_le_bytes().into_iter().chain(text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The lines of a run so far, each of which has the checksum of all of them up to itself as its last field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain(u64);

/// What stands before the checksum, and after it.
const FIELD: &str = ",\"checksum\":\"";
const END: &str = "\"}";
const DIGITS: usize = 16;

impl Chain {
    /// The line of a record, an object with at least one field.
    pub(crate) fn seal(&mut self, record: &str) -> String {
        self.0 = checksum(self.0, record);
        let fields = record.strip_suffix('}').unwrap_or(record);
        format!("{fields}{FIELD}{:016x}{END}", self.0)
    }

    /// Whether a line follows on those before it. If not, the next one may follow on this.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub(crate) fn follow(&mut self, line: &str) -> Result<(), &'static str> {
        let Some((record, sum)) = split(line) else {
            return Err("it has no checksum, so nothing tells whether it is whole");
        };
        let expected = checksum(self.0, &record);
        self.0 = sum;
        if sum == expected {
            return Ok(());
        }
        Err("its checksum does not follow from the lines before it: a line was changed, added or removed")
    }
}

/// A record and its checksum.
fn split(line: &str) -> Option<(String, u64)> {
    let rest = line.strip_suffix(END)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let fields = rest.strip_suffix(FIELD)?;
    Some((format!("{fields}}}"), u64::from_str_radix(digits, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(records: &[&str]) -> Vec<String> {
        let mut chain = Chain::default();
        records.iter().map(|record| chain.seal(record)).collect()
    }

    fn follows(lines: &[&String]) -> Vec<bool> {
        let mut chain = Chain::default();
        lines.iter().map(|line| chain.follow(line).is_ok()).collect()
    }

    #[test]
    fn a_seal_is_one_more_field() {
        // The checksum of zeros and the text, by an implementation of FNV-1a in Python.
        assert_eq!(sealed(&["{\"a\":1}"]), ["{\"a\":1,\"checksum\":\"cc18e74983cfb7d1\"}"]);
    }

    #[test]
    fn a_line_that_vanished_or_changed_shows() {
        let [a, b, c] = &sealed(&["{\"a\":1}", "{\"b\":2}", "{\"b\":2}"])[..] else { panic!("three lines") };
        assert_ne!(b, c);
        assert_eq!(follows(&[a, b, c]), [true; 3]);
        assert_eq!(follows(&[a, c]), [true, false]);
        assert_eq!(follows(&[b, c]), [false, true]);
        assert_eq!(follows(&[a, a, b]), [true, false, true]);
        assert_eq!(follows(&[a, &b.replace('2', "3"), c]), [true, false, true]);
    }

    #[test]
    fn a_line_without_a_seal_is_told() {
        for line in [
            "",
            "{}",
            "{\"a\":1}",
            "{\"checksum\":\"0123456789abcdef\"}",
            ",\"checksum\":\"\u{e9}123456789abcde\"}",
        ] {
            assert!(Chain::default().follow(line).unwrap_err().starts_with("it has no checksum"), "{line}");
        }
    }
}
