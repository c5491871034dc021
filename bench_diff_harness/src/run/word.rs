//! Values that are stored as words.

use std::borrow::Cow;

use bench_diff_core::{ClockKind, ClockPolicy, JudgeKind, Seed};
use miniserde::de::Visitor;
use miniserde::ser::Fragment;
use miniserde::{Deserialize, Serialize, make_place};

use crate::settings::grammar;

/// A value that has a word.
pub(crate) trait Named: Copy + 'static {
    fn word(self) -> Cow<'static, str>;

    /// The value of a word, if it has one.
    fn of(word: &str) -> Option<Self>;
}

macro_rules! name {
    ($($kind:ty: $every:expr;)*) => {
        $(impl Named for $kind {
            fn word(self) -> Cow<'static, str> {
                self.name().into()
            }

            fn of(word: &str) -> Option<Self> {
                $every.into_iter().find(|value| value.name() == word)
            }
        })*
    };
}

name! {
    JudgeKind: Self::ALL;
    ClockPolicy: Self::ALL;
    ClockKind: [Self::Wall, Self::Cpu];
}

/// All digits, which a number in JSON loses when miniserde reads it.
impl Named for f64 {
    fn word(self) -> Cow<'static, str> {
        self.to_string().into()
    }

    fn of(word: &str) -> Option<Self> {
        word.parse().ok()
    }
}

impl Named for Seed {
    fn word(self) -> Cow<'static, str> {
        self.to_string().into()
    }

    fn of(word: &str) -> Option<Self> {
        grammar::seed(word).ok()
    }
}

/// A value that is written and read as its word; any other word is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word<T>(pub(crate) T);

impl<T: Named> Serialize for Word<T> {
    fn begin(&self) -> Fragment<'_> {
        Fragment::Str(self.0.word())
    }
}

make_place!(Place);

impl<T: Named> Visitor for Place<Word<T>> {
    fn string(&mut self, word: &str) -> miniserde::Result<()> {
        self.out = Some(Word(T::of(word).ok_or(miniserde::Error)?));
        Ok(())
    }
}

impl<T: Named> Deserialize for Word<T> {
    fn begin(out: &mut Option<Self>) -> &mut dyn Visitor {
        Place::new(out)
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_system::json;

    use super::*;

    fn assert_all_come_back<T: Named + PartialEq + std::fmt::Debug>(all: &[T]) {
        for value in all {
            let text = json::to_string(&Word(*value));
            assert_eq!(text, format!("\"{}\"", value.word()));
            assert_eq!(json::from_str::<Word<T>>(&text), Ok(Word(*value)));
        }
        for wrong in ["\"other\"", "\"\"", "1", "null"] {
            assert!(json::from_str::<Word<T>>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_word_comes_back_and_no_other_is_taken() {
        assert_all_come_back(&JudgeKind::ALL);
        assert_all_come_back(&ClockPolicy::ALL);
        assert_all_come_back(&[ClockKind::Wall, ClockKind::Cpu]);
        assert_all_come_back(&[Seed(0), Seed(u64::MAX)]);
        let awkward =
            [0.1 + 0.2, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 0.01 / 3.0, 1e16, 1e22, 1e23];
        assert_all_come_back(&awkward);
        // The digits of the golden ratio: every exponent and any digits.
        let mut bits = 0_u64;
        for _ in 0..2_000 {
            bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let number = f64::from_bits(bits);
            if number.is_finite() {
                assert_all_come_back(&[number]);
            }
        }
    }
}
