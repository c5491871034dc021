//! The item of the attribute, which the attribute returns unchanged.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Signature, Visibility, token};

/// The item of the attribute. The body of a function is never parsed.
pub(crate) struct Item {
    pub(crate) tokens: TokenStream,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) ignore: Option<String>,
    pub(crate) head: Head,
}

pub(crate) enum Head {
    Function { sig: Box<Signature>, has_body: bool },
    Other { keyword: TokenStream },
}

impl Item {
    pub(crate) fn parse(tokens: &TokenStream) -> syn::Result<Self> {
        let (attrs, rest) = split_attrs.parse2(tokens.clone())?;
        let head = read_head.parse2(rest.clone())?;
        let (ignores, kept): (Vec<_>, Vec<_>) =
            attrs.into_iter().partition(|attr| ignore_reason(attr).is_some());
        let ignore = ignores.iter().find_map(ignore_reason);
        // The last of several attributes removes `#[ignore]`, so that each pair sees it.
        let tokens = if ignores.is_empty() || kept.iter().any(is_bench_diff) {
            tokens.clone()
        } else {
            quote!(#(#kept)* #rest)
        };
        Ok(Self { tokens, attrs: kept, ignore, head })
    }
}

fn split_attrs(input: ParseStream<'_>) -> syn::Result<(Vec<Attribute>, TokenStream)> {
    Ok((input.call(Attribute::parse_outer)?, input.parse()?))
}

fn read_head(input: ParseStream<'_>) -> syn::Result<Head> {
    input.parse::<Visibility>()?;
    let ahead = input.fork();
    let head = match ahead.parse::<Signature>() {
        Ok(sig) => Head::Function { sig: Box::new(sig), has_body: ahead.peek(token::Brace) },
        Err(_) => Head::Other { keyword: input.parse::<Option<TokenTree>>()?.into_iter().collect() },
    };
    input.parse::<TokenStream>()?;
    Ok(head)
}

fn ignore_reason(attr: &Attribute) -> Option<String> {
    if !attr.path().is_ident("ignore") {
        return None;
    }
    match &attr.meta {
        Meta::Path(_) => Some(String::new()),
        Meta::NameValue(meta) => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(reason), .. }) => Some(reason.value()),
            _ => None,
        },
        Meta::List(_) => None,
    }
}

fn is_bench_diff(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|segment| segment.ident == "bench_diff")
}
