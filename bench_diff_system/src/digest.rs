//! A digest of bytes and texts that is the same in every process and build, so two programs can compare
//! theirs.

use std::fmt;
use std::hash::Hasher;

/// FNV-1a. The hashers of the standard library may change with its version.
#[derive(Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Digests a text piece by piece, without storing it.
impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// The vectors of Fowler, Noll and Vo.
    #[test]
    fn digests_are_those_of_fnv_1a() {
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut pieces = Digest::default();
            text.chars().for_each(|piece| pieces.write_char(piece).unwrap());
            assert_eq!(pieces.finish(), expected, "{text}");
        }
    }
}
