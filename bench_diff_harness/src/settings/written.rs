//! Reads the settings of an attribute at compile time: a function per setting, with its name, whose panic is
//! the compile error for a wrong text.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, JudgeKind};

use super::choices::Layouts;
use super::grammar;
use super::pair_settings::for_each_setting;

macro_rules! declare_readers {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $grammar:ident,)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Panics
            ///
            /// If the text is wrong, with the name of the setting and what was expected.
            #[must_use]
            #[track_caller]
            pub const fn $name(text: &str) -> $kind {
                match grammar::$grammar(text) {
                    Ok(value) => value,
                    Err(expected) => refuse(&["`", stringify!($name), "`: ", expected]),
                }
            }
        )*
    };
}

for_each_setting!(declare_readers);

/// Panics with these words, at the location of the caller.
#[track_caller]
const fn refuse(mut words: &[&str]) -> ! {
    let (mut text, mut length) = ([0; 200], 0);
    while let [word, rest @ ..] = words {
        let end = text.split_at_mut(length).1.split_at_mut(word.len()).0;
        end.copy_from_slice(word.as_bytes());
        (words, length) = (rest, length + word.len());
    }
    match str::from_utf8(text.split_at(length).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => unreachable!(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_wrong_value_is_refused_by_name() {
        assert!((super::max_slowdown("2%") - 0.02).abs() < 1e-15);
        let refused = std::panic::catch_unwind(|| super::beta("50%")).unwrap_err();
        let expected = "`beta`: expected an error rate above 0 and below 0.5, such as 1% or 0.01";
        assert_eq!(refused.downcast_ref::<String>().map(String::as_str), Some(expected));
    }
}
