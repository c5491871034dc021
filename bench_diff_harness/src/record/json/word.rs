//! Values that records store as words.

use std::borrow::Cow;

use bench_diff_core::{ClockKind, ClockPolicy, JudgeKind};
use miniserde::de::Visitor;
use miniserde::ser::Fragment;
use miniserde::{Deserialize, Serialize, make_place};

/// One of a few values, each of which has a word.
pub(crate) trait Named: Copy + 'static {
    const EVERY: &'static [Self];

    fn word(self) -> &'static str;
}

macro_rules! name {
    ($($kind:ty: $every:expr;)*) => {
        $(impl Named for $kind {
            const EVERY: &'static [Self] = &$every;

            fn word(self) -> &'static str {
                self.name()
            }
        })*
    };
}

name! {
    JudgeKind: Self::ALL;
    ClockPolicy: Self::ALL;
    ClockKind: [Self::Wall, Self::Cpu];
}

/// A value that is written and read as its word; any other word is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word<T>(pub(crate) T);

impl<T: Named> Serialize for Word<T> {
    fn begin(&self) -> Fragment<'_> {
        Fragment::Str(Cow::Borrowed(self.0.word()))
    }
}

make_place!(Place);

impl<T: Named> Visitor for Place<Word<T>> {
    fn string(&mut self, word: &str) -> miniserde::Result<()> {
        let value = T::EVERY.iter().find(|value| value.word() == word);
        self.out = Some(Word(*value.ok_or(miniserde::Error)?));
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
    use super::*;
    use crate::record::json;

    fn assert_all_come_back<T: Named + PartialEq + std::fmt::Debug>() {
        for value in T::EVERY {
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
        assert_all_come_back::<JudgeKind>();
        assert_all_come_back::<ClockPolicy>();
        assert_all_come_back::<ClockKind>();
    }
}
