//! Enums whose values have a word each.

/// Declares an enum with the words for its values in command lines and records.
#[macro_export]
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $(#[$of_first:meta])* $first:ident = $first_word:tt,
            $($(#[$of_value:meta])* $value:ident = $word:tt,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
        $visibility enum $name {
            $(#[$of_first])* #[serde(rename = $first_word)] $first,
            $($(#[$of_value])* #[serde(rename = $word)] $value,)*
        }

        #[allow(dead_code, reason = "some are only written, or only read")]
        impl $name {
            /// The word for this value.
            $visibility fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$value => $word,)*
                }
            }

            /// The value with this word.
            ///
            /// # Errors
            ///
            /// The known words.
            $visibility fn read(text: &str) -> Result<Self, &'static str> {
                match text {
                    $first_word => Ok(Self::$first),
                    $($word => Ok(Self::$value),)*
                    _ => Err(concat!("expected ", $first_word $(, " or ", $word)*)),
                }
            }
        }
    };
}
