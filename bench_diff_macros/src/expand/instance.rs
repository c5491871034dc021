//! The combinations of types and consts: the functions are named once for each.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, Ident, PathArguments, Type, parse_quote};

use super::spans::{Place, local};
use super::text::without_blanks;
use crate::pair::{Consts, Instances};

/// The number of values of a const array that are tried.
const MOST_CONSTS: usize = 32;

/// One combination of types and consts.
#[derive(Clone, Default)]
struct Instance {
    /// Items with the names of the function's own parameters, so that its options can use them.
    items: TokenStream,
    /// These names, with the location of the type or const.
    arguments: Vec<Ident>,
    labels: Vec<TokenStream>,
    /// The condition that there is a const, if only the compiler knows.
    condition: Option<TokenStream>,
}

/// The code that `body` makes from the names, once for every combination of types and consts.
pub(crate) fn each(
    private: &TokenStream,
    instances: &Instances,
    body: impl Fn(&[Ident]) -> TokenStream,
) -> TokenStream {
    let mut all = vec![Instance::default()];
    let mut assertion = TokenStream::new();
    if let Some((name, types)) = &instances.types {
        let types: Vec<Instance> = types.iter().map(|ty| of_type(private, name, ty)).collect();
        all = product(&all, &types);
    }
    if let Some((name, ty, consts)) = &instances.consts {
        let consts: Vec<Instance> = match consts {
            Consts::List(values) => values.iter().map(|value| of_const(private, name, ty, value)).collect(),
            Consts::Array(array) => {
                assertion = assert_length(private, array);
                (0..MOST_CONSTS).map(|index| of_array(private, name, ty, array, index)).collect()
            }
        };
        all = product(&all, &consts);
    }
    let cases = local("cases");
    let blocks = all.iter().map(|Instance { items, arguments, labels, condition }| {
        let instance = (!labels.is_empty()).then(|| quote!(#cases.instance(&[#(#labels),*]);));
        let mut arguments = arguments.clone();
        if instances.const_is_first {
            arguments.reverse();
        }
        let body = body(&arguments);
        let block = quote!({ #items #instance #body });
        match condition {
            Some(condition) => quote!(if const { #condition } #block),
            None => block,
        }
    });
    quote!(#assertion #(#blocks)*)
}

fn assert_length(private: &TokenStream, array: &Expr) -> TokenStream {
    let place = Place::of(array);
    let assert = place.local("assert");
    let call = place.call(&assert, &quote!(&#array));
    quote!(const _: () = { let #assert = #private::at_most_32; #call };)
}

fn product(all: &[Instance], next: &[Instance]) -> Vec<Instance> {
    let with = |instance: &Instance| {
        let instance = instance.clone();
        next.iter().cloned().map(move |next| Instance {
            items: [instance.items.clone(), next.items].into_iter().collect(),
            arguments: [instance.arguments.clone(), next.arguments].concat(),
            labels: [instance.labels.clone(), next.labels].concat(),
            condition: instance.condition.clone().or(next.condition),
        })
    };
    all.iter().flat_map(with).collect()
}

fn of_type(private: &TokenStream, name: &Ident, ty: &Type) -> Instance {
    let label = without_blanks(ty);
    Instance {
        items: quote!(type #name = #ty;),
        arguments: vec![located(name, ty)],
        labels: vec![quote!(#private::Shown(&#label).label())],
        condition: None,
    }
}

fn of_const(private: &TokenStream, name: &Ident, ty: &Type, value: &Expr) -> Instance {
    Instance {
        items: quote!(const #name: #ty = #value;),
        arguments: vec![located(name, value)],
        labels: vec![quote!(#private::Shown(&#name).label())],
        condition: None,
    }
}

fn of_array(private: &TokenStream, name: &Ident, ty: &Type, array: &Expr, index: usize) -> Instance {
    let value = parse_quote!(#private::nth_const(&#array, #index));
    Instance {
        arguments: vec![located(name, array)],
        condition: Some(quote!(#private::has_const(&#array, #index))),
        ..of_const(private, name, ty, &value)
    }
}

fn located(name: &Ident, written: &impl ToTokens) -> Ident {
    let mut name = name.clone();
    if let Some(token) = written.to_token_stream().into_iter().next() {
        name.set_span(name.span().located_at(token.span()));
    }
    name
}

/// Names a function with its types and consts.
pub(crate) fn instance(function: &impl ToTokens, arguments: &[Ident]) -> TokenStream {
    let end =
        function.to_token_stream().into_iter().last().map_or_else(Span::mixed_site, |token| token.span());
    let turbofish = (!arguments.is_empty()).then(|| quote_spanned!(end=> ::<#(#arguments),*>));
    quote!(#function #turbofish)
}

/// Adds these types and consts to a path, unless it has its own arguments or names one of them.
pub(crate) fn alike(path: &ExprPath, arguments: &[Ident]) -> TokenStream {
    let last = path.path.segments.last();
    let has_arguments = last.is_some_and(|segment| !matches!(segment.arguments, PathArguments::None));
    if has_arguments || arguments.iter().any(|name| mentions(path.to_token_stream(), name)) {
        return path.to_token_stream();
    }
    instance(path, arguments)
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
