use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, Safety, Signature};

use crate::errors::Errors;
use crate::item::Head;

/// The name of the function, if the item is one; what keeps it from being measured goes to `errors`.
pub(crate) fn check(head: Head, errors: &mut Errors) -> Option<Ident> {
    match head {
        Head::Function { sig, has_body } => {
            check_signature(&sig, errors);
            if !has_body {
                errors.push(error(&sig, "`#[bench_diff]` belongs on a function with a body"));
            }
            Some(sig.ident)
        }
        Head::Other { keyword } => {
            errors.push(error(keyword, "`#[bench_diff]` belongs on a function"));
            None
        }
    }
}

/// `#[cfg]` decides about both, and what the user allows for the function holds for a call of its baseline.
pub(crate) fn concerns_registration(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("allow")
}

fn check_signature(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.asyncness {
        errors.push(error(token, ASYNC));
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.push(error(token, UNSAFE));
    }
    if let Some(abi) = &sig.abi {
        errors.push(error(abi, ABI));
    }
    if !sig.generics.params.is_empty() {
        errors.push(error(&sig.generics, GENERIC));
    }
    match sig.inputs.first() {
        Some(FnArg::Receiver(receiver)) => errors.push(error(receiver, METHOD)),
        Some(FnArg::Typed(_)) => errors.push(error(&sig.inputs, PARAMETER)),
        None => {}
    }
    let output = sig.output.to_token_stream();
    if let Some(token) = keyword(&output, "impl") {
        errors.push(error(token, IMPL_TRAIT));
    }
    if let Some(token) = keyword(&output, "Self") {
        errors.push(error(token, METHOD));
    }
}

const ASYNC: &str = "an `async fn` returns before its work is done: \
    measure a function that runs the future to its end, with `block_on` or the like";
const UNSAFE: &str = "an `unsafe fn` cannot be measured: measure a safe function that calls it";
const ABI: &str =
    "a function with an ABI of its own cannot be measured: measure a plain function that calls it";
const GENERIC: &str = "a generic function cannot be measured: \
    measure a function without type, const or lifetime parameters that calls it";
const METHOD: &str = "a method cannot be measured: measure a function outside of the `impl` that calls it";
const PARAMETER: &str = "the function takes a parameter: inputs (`args`, `setup`) are not supported yet; \
    measure a function without parameters";
const IMPL_TRAIT: &str = "`impl Trait` hides the type that both functions return: \
    name the type, or pass the value to `black_box` and return `()`";

fn error(tokens: impl ToTokens, message: &str) -> syn::Error {
    syn::Error::new_spanned(tokens, message)
}

fn keyword(tokens: &TokenStream, word: &str) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == word).then_some(ident),
        TokenTree::Group(group) => keyword(&group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}
