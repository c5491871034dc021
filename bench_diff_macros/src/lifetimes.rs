//! The check for outputs that borrow from the input that the function changes.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Signature, Type};

/// Returns whether an output names the lifetime of the `&mut` of the input, or elides a lifetime.
///
/// An elided lifetime is that of the `&mut`, or the function would not compile; a named one may be that of
/// the value behind it, as in `fn(&mut &'a str) -> &'a str`.
pub(crate) fn borrows(output: &impl ToTokens, sig: &Signature) -> bool {
    let input = match sig.inputs.last() {
        Some(FnArg::Typed(input)) => of_reference(&input.ty),
        Some(FnArg::Receiver(_)) | None => None,
    };
    leaves_out(output.to_token_stream()) || input.is_some_and(|name| names(output.to_token_stream(), name))
}

fn of_reference(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Reference(reference) => reference.lifetime.as_ref().map(|lifetime| &lifetime.ident),
        Type::Group(group) => of_reference(&group.elem),
        Type::Paren(paren) => of_reference(&paren.elem),
        _ => None,
    }
}

fn names(tokens: TokenStream, lifetime: &Ident) -> bool {
    let mut after_quote = false;
    tokens.into_iter().any(|token| {
        let is_name = std::mem::replace(&mut after_quote, is_punct(&token, '\''));
        match token {
            TokenTree::Ident(name) => is_name && name == *lifetime,
            TokenTree::Group(group) => names(group.stream(), lifetime),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        }
    })
}

/// Returns whether there is a `&` without a lifetime, or a `'_`.
fn leaves_out(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek();
        let found = match &token {
            TokenTree::Group(group) => leaves_out(group.stream()),
            _ if is_punct(&token, '&') => next.is_none_or(|next| !is_punct(next, '\'')),
            _ if is_punct(&token, '\'') => next.is_none_or(|name| name.to_string() == "_"),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
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
    fn what_is_left_out_or_named_like_the_input_is_borrowed_from_it() {
        assert!(of("fn f(input: &mut [u8]) -> &u8"));
        assert!(of("fn f(input: &mut [u8]) -> Option<(u8, &mut u8)>"));
        assert!(of("fn f(input: &mut Vec<u8>) -> Drain<'_, u8>"));
        assert!(of("fn f<'a>(state: &str, input: &'a mut [u8]) -> Result<&'a u8, String>"));
    }

    #[test]
    fn what_has_another_name_is_not() {
        assert!(!of("fn f<'a>(input: &mut &'a str) -> Option<&'a str>"));
        assert!(!of("fn f<'a, 'b>(input: &'b mut &'a str) -> Words<'a>"));
        assert!(!of("fn f(input: &mut String) -> &'static str"));
        assert!(!of("fn f(input: &mut String) -> usize"));
        assert!(!of("fn f(input: &mut String)"));
    }
}
