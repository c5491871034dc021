//! Detects outputs that borrow from the input that the function changes.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Signature, Type};

use crate::function::bare;

/// Returns whether an output names the lifetime of the `&mut` of the input, or elides a lifetime.
///
/// An elided lifetime belongs to the `&mut`, or the function would not compile. A named one may belong to the
/// value behind it, as in `fn(&mut &'a str) -> &'a str`.
pub(crate) fn borrows(output: &impl ToTokens, sig: &Signature) -> bool {
    let input = match sig.inputs.last() {
        Some(FnArg::Typed(input)) => of_reference(&input.ty),
        Some(FnArg::Receiver(_)) | None => None,
    };
    let mut words = Vec::new();
    collect_words(output.to_token_stream(), &mut words);
    // The word after the last one.
    words.push(String::new());
    words.windows(2).any(|pair| match pair[0].as_str() {
        "&" => pair[1] != "'",
        "'" => pair[1] == "_" || input.is_some_and(|name| name == &pair[1]),
        _ => false,
    })
}

fn of_reference(ty: &Type) -> Option<&Ident> {
    let Type::Reference(reference) = bare(ty) else { return None };
    reference.lifetime.as_ref().map(|lifetime| &lifetime.ident)
}

fn collect_words(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_words(group.stream(), words),
            token => words.push(token.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    fn of(function: &str) -> bool {
        let sig: Signature = parse_str(function).unwrap();
        borrows(&sig.output, &sig)
    }

    #[test]
    fn an_elided_lifetime_or_the_one_of_the_input_borrows_from_it() {
        assert!(of("fn f(input: &mut [u8]) -> &u8"));
        assert!(of("fn f(input: &mut [u8]) -> Option<(u8, &mut u8)>"));
        assert!(of("fn f(input: &mut Vec<u8>) -> Drain<'_, u8>"));
        assert!(of("fn f<'a>(state: &str, input: &'a mut [u8]) -> Result<&'a u8, String>"));
    }

    #[test]
    fn another_lifetime_does_not_borrow_from_the_input() {
        assert!(!of("fn f<'a>(input: &mut &'a str) -> Option<&'a str>"));
        assert!(!of("fn f<'a, 'b>(input: &'b mut &'a str) -> Words<'a>"));
        assert!(!of("fn f(input: &mut String) -> &'static str"));
        assert!(!of("fn f(input: &mut String) -> usize"));
        assert!(!of("fn f(input: &mut String)"));
    }
}
