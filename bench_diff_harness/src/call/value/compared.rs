//! The comparison of two values.

use super::shown::Text;

/// The most characters of a value in a message.
const SHOWN: usize = 200;

/// The number of characters before the first difference of two long values.
const BEFORE_DIFFERENCE: usize = 40;

/// Two values of one type.
#[derive(Debug)]
pub struct Same<'a, T>(pub &'a T, pub &'a T);

impl<T: PartialEq> Same<'_, T> {
    /// Returns whether they are equal; `None` if the type has no `==`.
    #[must_use]
    pub fn same(&self) -> Option<bool> {
        Some(self.0 == self.1)
    }
}

/// Values of types without `==`.
pub trait Incomparable {
    /// See [`Same::same`].
    fn same(&self) -> Option<bool>;
}

impl<T> Incomparable for Same<'_, T> {
    fn same(&self) -> Option<bool> {
        None
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// They are equal.
    Equal,
    /// The type has no `==`.
    Unknown,
    /// The comparison is turned off.
    Off,
    /// They differ: excerpts of the candidate's value and the baseline's.
    Different([String; 2]),
}

/// The result of `==`. Two values also count as equal if they have the same text and neither equals itself:
/// they contain a NaN.
pub fn compared(
    same: Option<bool>,
    with_themselves: impl FnOnce() -> [Option<bool>; 2],
    texts: impl FnOnce() -> [Text; 2],
) -> Compared {
    match same {
        None => Compared::Unknown,
        Some(true) => Compared::Equal,
        Some(false) => match texts() {
            [Text::Value(candidate), Text::Value(baseline)]
                if candidate == baseline && with_themselves() == [Some(false); 2] =>
            {
                Compared::Equal
            }
            texts => Compared::Different(excerpts(texts)),
        },
    }
}

/// The result of a comparison function that the user wrote.
pub fn accepted(accepted: bool, texts: impl FnOnce() -> [Text; 2]) -> Compared {
    if accepted { Compared::Equal } else { Compared::Different(excerpts(texts())) }
}

/// Two texts, cut to begin shortly before their first difference if they are long.
fn excerpts(texts: [Text; 2]) -> [String; 2] {
    let [candidate, baseline] = texts.map(|text| match text {
        Text::Value(text) => text,
        Text::Type(name) => format!("a `{name}`, which has no Debug to show it"),
    });
    let same = candidate.chars().zip(baseline.chars()).take_while(|(a, b)| a == b).count();
    let is_short = |text: &String| text.chars().nth(SHOWN).is_none();
    let start =
        if is_short(&candidate) && is_short(&baseline) { 0 } else { same.saturating_sub(BEFORE_DIFFERENCE) };
    [excerpt(&candidate, start), excerpt(&baseline, start)]
}

/// Returns the first characters of a text.
pub(crate) fn shorten(text: &str) -> String {
    excerpt(text, 0)
}

fn excerpt(text: &str, start: usize) -> String {
    let mut rest = text.chars().skip(start);
    let shown: String = rest.by_ref().take(SHOWN).collect();
    let dots = |cut| if cut { "..." } else { "" };
    let (before, after) = (dots(start > 0), dots(rest.next().is_some()));
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::call::value::Shown;

    fn compare<T: PartialEq + Debug>(candidate: &T, baseline: &T) -> Compared {
        compared(
            Same(candidate, baseline).same(),
            || [Same(candidate, candidate).same(), Same(baseline, baseline).same()],
            || [Shown(candidate).text(), Shown(baseline).text()],
        )
    }

    #[test]
    fn a_nan_equals_a_nan_wherever_it_is() {
        assert_eq!(compare(&f64::NAN, &f64::NAN), Compared::Equal);
        assert_eq!(compare(&vec![(1.0, f32::NAN)], &vec![(1.0, f32::NAN)]), Compared::Equal);
        assert!(matches!(compare(&f64::NAN, &1.0), Compared::Different(_)));
        assert!(matches!(compare(&[f64::NAN, 1.0], &[f64::NAN, 2.0]), Compared::Different(_)));
        assert!(matches!(compare(&[f64::NAN, 1.0], &[0.0, 1.0]), Compared::Different(_)));
    }

    #[test]
    fn what_looks_alike_is_not_equal() {
        struct Version(u8);
        impl PartialEq for Version {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }
        impl Debug for Version {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("Version")
            }
        }
        assert!(matches!(compare(&Version(1), &Version(2)), Compared::Different(_)));
    }

    #[test]
    fn what_cannot_be_compared_is_unknown() {
        struct Opaque;
        assert_eq!(Same(&Opaque, &Opaque).same(), None);
        assert_eq!(compared(None, || unreachable!(), || unreachable!()), Compared::Unknown);
    }

    #[test]
    fn both_values_are_shown() {
        let shown = compare(&vec![1, 2], &vec![1, 3]);
        assert_eq!(shown, Compared::Different(["[1, 2]".to_owned(), "[1, 3]".to_owned()]));
        let Compared::Different([candidate, _]) =
            accepted(false, || [Text::Type("Opaque"), Text::Type("Opaque")])
        else {
            panic!("differs");
        };
        assert_eq!(candidate, "a `Opaque`, which has no Debug to show it");
        assert_eq!(accepted(true, || unreachable!()), Compared::Equal);
    }

    #[test]
    fn long_values_are_cut_around_their_first_difference() {
        let texts = ["x", "y"].map(|end| format!("{}{end}{}", "ä".repeat(1000), "z".repeat(1000)));
        let Compared::Different(shown) = compare(&texts[0], &texts[1]) else { panic!("differs") };
        for (shown, end) in shown.iter().zip(["x", "y"]) {
            assert_eq!(shown.chars().count(), SHOWN + 6, "{shown}");
            assert!(shown.starts_with("...ää") && shown.ends_with("zz..."), "{shown}");
            assert_eq!(shown.chars().position(|c| !".ä".contains(c)), Some(3 + BEFORE_DIFFERENCE), "{shown}");
            assert!(shown.contains(end), "{shown}");
        }
        assert_eq!(shorten(&"ß".repeat(201)), format!("{}...", "ß".repeat(200)));
        assert_eq!(shorten(&"ß".repeat(200)), "ß".repeat(200));
    }
}
