//! Values as text.

use std::any::type_name;
use std::fmt::{Debug, Display};

/// A value to be shown.
#[derive(Debug)]
pub struct Shown<'a, T>(pub &'a T);

/// The text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// Shows the value.
    Value(String),
    /// Shows only its type.
    Type(&'static str),
}

impl<T: Display> Shown<'_, T> {
    /// The label of an arg, a type or a const: `Display`, or else `Debug`.
    #[must_use]
    pub fn label(&self) -> String {
        self.0.to_string()
    }

    /// The message of an error: `Display`, or else `Debug`, or else its type.
    #[must_use]
    pub fn message(&self) -> String {
        self.0.to_string()
    }
}

impl<T: Debug> Shown<'_, T> {
    /// The value as a reader compares it: `Debug`, or else only its type.
    #[must_use]
    pub fn text(&self) -> Text {
        Text::Value(format!("{:?}", self.0))
    }
}

/// The label of a value without `Display`.
pub trait DebugLabel<T> {
    /// See [`Shown::label`].
    fn label(&self) -> String
    where
        T: Debug;
}

impl<T> DebugLabel<T> for Shown<'_, T> {
    fn label(&self) -> String
    where
        T: Debug,
    {
        format!("{:?}", self.0)
    }
}

/// The message of a value without `Display`.
pub trait DebugMessage {
    /// See [`Shown::message`].
    fn message(&self) -> String;
}

impl<T: Debug> DebugMessage for Shown<'_, T> {
    fn message(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The message of a value with neither.
pub trait TypeMessage {
    /// See [`Shown::message`].
    fn message(&self) -> String;
}

impl<T> TypeMessage for &Shown<'_, T> {
    fn message(&self) -> String {
        type_name::<T>().to_owned()
    }
}

/// The text of a value without `Debug`.
pub trait TypeText {
    /// See [`Shown::text`].
    fn text(&self) -> Text;
}

impl<T> TypeText for &Shown<'_, T> {
    fn text(&self) -> Text {
        Text::Type(type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    struct Spoken;

    impl Display for Spoken {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("spoken")
        }
    }

    #[derive(Debug)]
    struct Debugged;

    #[test]
    fn a_label_is_display_or_else_debug() {
        assert_eq!(Shown(&"a b").label(), "a b");
        assert_eq!(Shown(&1.5).label(), "1.5");
        assert_eq!(Shown(&Some(1)).label(), "Some(1)");
    }

    #[test]
    fn a_message_is_display_or_else_debug_or_else_the_type() {
        assert_eq!(Shown(&Spoken).message(), "spoken");
        assert_eq!(Shown(&Debugged).message(), "Debugged");
        assert!((&Shown(&Silent)).message().ends_with("Silent"));
    }

    #[test]
    fn a_text_is_debug_or_else_the_type() {
        assert_eq!(Shown(&"a").text(), Text::Value("\"a\"".to_owned()));
        assert_eq!((&Shown(&Silent)).text(), Text::Type(type_name::<Silent>()));
    }
}
