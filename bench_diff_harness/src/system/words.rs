//! Values that have a word each.

/// Declares values with the words that command lines and records have for them.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident { $($(#[$of_value:meta])* $value:ident = $word:tt,)* }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
        $visibility enum $name {
            $($(#[$of_value])* #[serde(rename = $word)] $value,)*
        }

        #[allow(dead_code, reason = "some are only written, or only read")]
        impl $name {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }

            /// The value of a word.
            ///
            /// # Errors
            ///
            /// The words that there are.
            pub(crate) fn read(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$value),)*
                    _ => Err(format!("expected {}", [$($word),*].join(" or "))),
                }
            }
        }
    };
}
pub(crate) use words;
