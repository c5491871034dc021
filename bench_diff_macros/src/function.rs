use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, Generics, ReturnType, Safety, Signature, Type};

use crate::errors::Errors;
use crate::item::Head;
use crate::pair::Passing;

/// The head of a function that can be measured.
pub(crate) struct Function {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Output,
}

pub(crate) struct Parameter {
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
}

pub(crate) struct Output {
    pub(crate) is_nothing: bool,
    /// Whether it names a lifetime, which may be that of the input.
    pub(crate) borrows: bool,
    /// The `impl` of a hidden type.
    pub(crate) hidden: Option<Ident>,
}

/// The function, if the item is one; what keeps it from being measured goes to `errors`.
pub(crate) fn check(head: Head, errors: &mut Errors) -> Option<Function> {
    match head {
        Head::Function { sig, has_body } => {
            check_signature(&sig, errors);
            if !has_body {
                errors.push(error(&sig, "`#[bench_diff]` belongs on a function with a body"));
            }
            let is_method = matches!(sig.inputs.first(), Some(FnArg::Receiver(_)));
            (!is_method).then(|| Function {
                parameters: sig.inputs.iter().filter_map(parameter).collect(),
                output: output(&sig.output),
                name: sig.ident,
                generics: sig.generics,
            })
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
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        errors.push(error(receiver, METHOD));
    }
    let inputs = sig.inputs.iter().filter_map(parameter);
    for tokens in inputs.map(|parameter| parameter.ty.to_token_stream()) {
        if let Some(token) = keyword(&tokens, "impl") {
            errors.push(error(token, IMPL_PARAMETER));
        }
        if let Some(token) = keyword(&tokens, "Self") {
            errors.push(error(token, METHOD));
        }
    }
    if let Some(token) = keyword(&sig.output.to_token_stream(), "Self") {
        errors.push(error(token, METHOD));
    }
}

const ASYNC: &str = "an `async fn` returns before its work is done: \
    measure a function that runs the future to its end, with `block_on` or the like";
const UNSAFE: &str = "an `unsafe fn` cannot be measured: measure a safe function that calls it";
const ABI: &str =
    "a function with an ABI of its own cannot be measured: measure a plain function that calls it";
const METHOD: &str = "a method cannot be measured: measure a function outside of the `impl` that calls it";
const IMPL_PARAMETER: &str = "`impl Trait` leaves the type of the parameter open: name the type";

fn parameter(input: &FnArg) -> Option<Parameter> {
    match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(typed) => Some(Parameter { passing: passing(&typed.ty), ty: (*typed.ty).clone() }),
    }
}

fn passing(ty: &Type) -> Passing {
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => Passing::Mut,
        Type::Reference(_) => Passing::Ref,
        Type::Group(group) => passing(&group.elem),
        Type::Paren(paren) => passing(&paren.elem),
        _ => Passing::Value,
    }
}

fn output(output: &ReturnType) -> Output {
    let is_nothing = match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
    };
    let tokens = output.to_token_stream();
    Output { is_nothing, borrows: names_lifetime(tokens.clone()), hidden: keyword(&tokens, "impl") }
}

/// Whether a lifetime other than `'static` is written, or left out behind a `&`.
fn names_lifetime(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                tokens.peek().is_none_or(|name| name.to_string() != "static")
            }
            TokenTree::Punct(punct) if punct.as_char() == '&' => tokens
                .peek()
                .is_none_or(|next| !matches!(next, TokenTree::Punct(next) if next.as_char() == '\'')),
            TokenTree::Group(group) => names_lifetime(group.stream()),
            TokenTree::Punct(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        if found {
            return true;
        }
    }
    false
}

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
