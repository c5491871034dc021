//! The head of a function: its parameters and output, and the check whether it can be measured.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    AssocType, Attribute, FnArg, GenericArgument, Generics, Meta, PathArguments, PathSegment, ReturnType,
    Safety, Signature, Type, TypeParamBound, TypeTraitObject, parse_quote,
};

use crate::item::Head;
use crate::lifetimes;
use crate::parsed_pair::{Output, Parameter, Passing};

/// The head of a function that can be measured.
pub(crate) struct Function {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Output,
}

/// Returns the function, if the item is one. The reasons why it cannot be measured go to `errors`.
pub(crate) fn check(head: Head, attrs: &[Attribute], errors: &mut Vec<syn::Error>) -> Option<Function> {
    match head {
        Head::Function { sig, has_body } => {
            check_signature(&sig, errors);
            for attr in attrs.iter().filter(|attr| attr.path().is_ident("target_feature")) {
                errors.push(error(attr, TARGET_FEATURE));
            }
            if !has_body {
                errors.push(error(&sig, "`#[bench_diff]` belongs on a function with a body"));
            }
            let is_method = matches!(sig.inputs.first(), Some(FnArg::Receiver(_)));
            (!is_method).then(|| Function {
                parameters: sig.inputs.iter().filter_map(parameter).collect(),
                output: output(&sig),
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

/// The attribute that the registration gets for an attribute of the function. `#[cfg]` applies to both, and
/// lints that the user allows or expects in the function are allowed where its baseline is called.
pub(crate) fn of_registration(attr: &Attribute) -> Option<Attribute> {
    match &attr.meta {
        // A second expectation might not be fulfilled.
        Meta::List(list) if list.path.is_ident("expect") => {
            let lints = &list.tokens;
            Some(parse_quote!(#[allow(#lints)]))
        }
        meta => ["cfg", "allow"].iter().any(|name| meta.path().is_ident(name)).then(|| attr.clone()),
    }
}

fn check_signature(sig: &Signature, errors: &mut Vec<syn::Error>) {
    if let Safety::Unsafe(token) = &sig.safety {
        errors.push(error(token, UNSAFE));
    }
    if let Some(abi) = &sig.abi {
        errors.push(error(abi, ABI));
    }
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        errors.push(error(receiver, METHOD));
    }
    let inputs = sig.inputs.iter().filter_map(parameter).map(|parameter| parameter.ty.to_token_stream());
    for token in inputs.clone().filter_map(|tokens| find_word(&tokens, "impl")) {
        errors.push(error(token, IMPL_PARAMETER));
    }
    // An associated function without any `Self` looks like a free function. There, rustc rejects its
    // registration.
    for token in inputs.chain([sig.output.to_token_stream()]).filter_map(|tokens| find_word(&tokens, "Self"))
    {
        errors.push(error(token, METHOD));
    }
}

const UNSAFE: &str = "an `unsafe fn` cannot be measured: measure a safe function that calls it";
const ABI: &str = "a function with another ABI cannot be measured: measure a plain function that calls it";
const TARGET_FEATURE: &str = "a function with `#[target_feature]` can only be called in `unsafe`: measure a function \
    without it that calls it";
const METHOD: &str = "a function of an `impl` or a `trait` cannot be measured: measure a function outside of it that \
    calls this one";
const IMPL_PARAMETER: &str = "`impl Trait` leaves the type of the parameter open: name the type";

fn parameter(input: &FnArg) -> Option<Parameter> {
    match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(typed) => Some(Parameter { passing: passing(&typed.ty), ty: (*typed.ty).clone() }),
    }
}

fn passing(ty: &Type) -> Passing {
    match bare(ty) {
        Type::Reference(reference) if reference.mutability.is_some() => Passing::Mut,
        Type::Reference(_) => Passing::Ref,
        _ => Passing::Value,
    }
}

/// The trait object of a `&mut dyn Trait`, if it has no other lifetime than the `&mut`.
pub(crate) fn changed_dyn(ty: &Type) -> Option<TypeTraitObject> {
    let Type::Reference(reference) = bare(ty) else { return None };
    let Type::TraitObject(object) = bare(&reference.elem) else { return None };
    let has_lifetime = object.bounds.iter().any(|bound| matches!(bound, TypeParamBound::Lifetime(_)));
    (reference.mutability.is_some() && !has_lifetime).then(|| object.clone())
}

/// Removes the groups and parentheses around a type.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}

fn output(sig: &Signature) -> Output {
    let written = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(&**ty),
    };
    let awaited = written.filter(|_| sig.asyncness.is_none()).and_then(future_output);
    let ty = awaited.or(written);
    let tokens = ty.to_token_stream();
    Output {
        tokens: sig.asyncness.map_or_else(|| written.to_token_stream(), ToTokens::into_token_stream),
        is_awaited: sig.asyncness.is_some() || awaited.is_some(),
        is_nothing: ty.is_none_or(is_nothing),
        borrows: lifetimes::borrows(&tokens, sig),
        hidden: find_word(&tokens, "impl"),
    }
}

/// Returns whether this is `()`, or a `Result` of it.
fn is_nothing(ty: &Type) -> bool {
    match bare(ty) {
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| {
            let value = arguments(segment).next();
            segment.ident == "Result" && matches!(value, Some(GenericArgument::Type(ty)) if is_nothing(ty))
        }),
        _ => false,
    }
}

/// The `T` of `impl Future<Output = T>`, `Pin<Box<dyn Future<Output = T>>>`, `BoxFuture<'_, T>` and the like.
fn future_output(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::ImplTrait(ty) => ty.bounds.iter().find_map(bound_output),
        Type::TraitObject(ty) => ty.bounds.iter().find_map(bound_output),
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            let argument = arguments(segment).filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            match segment.ident.to_string().as_str() {
                "Pin" | "Box" => argument.last().and_then(future_output),
                "BoxFuture" | "LocalBoxFuture" => argument.last(),
                _ => None,
            }
        }
        _ => None,
    }
}

fn bound_output(bound: &TypeParamBound) -> Option<&Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let segment = bound.path.segments.last().filter(|segment| segment.ident == "Future")?;
    arguments(segment).find_map(|argument| match argument {
        GenericArgument::AssocType(AssocType { ident, ty, .. }) if ident == "Output" => Some(ty),
        _ => None,
    })
}

fn arguments(segment: &PathSegment) -> impl Iterator<Item = &GenericArgument> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments.args.iter()),
        _ => None,
    };
    arguments.into_iter().flatten()
}

fn error(tokens: impl ToTokens, message: &str) -> syn::Error {
    syn::Error::new_spanned(tokens, message)
}

pub(crate) fn find_word(tokens: &TokenStream, word: &str) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == word).then_some(ident),
        TokenTree::Group(group) => find_word(&group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}
