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

        impl $name {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }
        }
    };
}
pub(crate) use words;
