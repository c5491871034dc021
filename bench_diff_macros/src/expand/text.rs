//! The text of types and paths in the names of pairs.

use quote::ToTokens;

/// The text of a type or a path without blanks. Adjacent words are joined by `_`, as in `dyn_Trait`.
pub(crate) fn without_blanks(written: &impl ToTokens) -> String {
    let text = written.to_token_stream().to_string();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut joined = String::new();
    for part in text.split_whitespace() {
        if is_word(joined.chars().last()) && is_word(part.chars().next()) {
            joined.push('_');
        }
        joined += part;
    }
    joined
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn a_type_is_one_word() {
        for (written, shown) in [
            (quote!(Vec<i32>), "Vec<i32>"),
            (quote!(&'static str), "&'static_str"),
            (quote!(dyn Fn(u8) -> u8), "dyn_Fn(u8)->u8"),
        ] {
            assert_eq!(without_blanks(&written), shown);
        }
    }
}
