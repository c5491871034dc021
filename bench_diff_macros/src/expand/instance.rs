//! The combinations of types and consts. The functions are named once for each.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, Ident, PathArguments, Type};

use super::spans::local;
use super::text::without_blanks;
use crate::function::find_word;
use crate::parsed_pair::Instances;

/// One combination of types and consts.
#[derive(Clone, Default)]
struct Instance {
    /// Items with the names of the function's parameters, so that its options can use them.
    items: TokenStream,
    /// These names, with the location of the type or const.
    arguments: Vec<Ident>,
    labels: Vec<TokenStream>,
}

/// The code that `body` returns for the names, once for every combination of types and consts.
pub(crate) fn each(
    private: &TokenStream,
    instances: &Instances,
    body: impl Fn(&[Ident]) -> TokenStream,
) -> TokenStream {
    let mut all = vec![Instance::default()];
    if let Some((name, types)) = &instances.types {
        let types: Vec<Instance> = types.iter().map(|ty| of_type(private, name, ty)).collect();
        all = product(&all, &types);
    }
    if let Some((name, ty, consts)) = &instances.consts {
        let consts: Vec<Instance> = consts.iter().map(|value| of_const(private, name, ty, value)).collect();
        all = product(&all, &consts);
    }
    let cases = local("cases");
    let blocks = all.iter().map(|Instance { items, arguments, labels }| {
        let instance = (!labels.is_empty()).then(|| quote!(#cases.instance(&[#(#labels),*]);));
        let mut arguments = arguments.clone();
        if instances.const_is_first {
            arguments.reverse();
        }
        let body = body(&arguments);
        quote!({ #items #instance #body })
    });
    blocks.collect()
}

fn product(all: &[Instance], next: &[Instance]) -> Vec<Instance> {
    let mut product = Vec::new();
    for (one, other) in all.iter().flat_map(|one| next.iter().map(move |other| (one, other))) {
        product.push(Instance {
            items: [one.items.clone(), other.items.clone()].into_iter().collect(),
            arguments: [&*one.arguments, &other.arguments].concat(),
            labels: [&*one.labels, &other.labels].concat(),
        });
    }
    product
}

fn of_type(private: &TokenStream, name: &Ident, ty: &Type) -> Instance {
    let label = without_blanks(ty);
    Instance {
        items: quote!(type #name = #ty;),
        arguments: vec![located(name, ty)],
        labels: vec![quote!(#private::Shown(&#label).label())],
    }
}

fn of_const(private: &TokenStream, name: &Ident, ty: &Type, value: &Expr) -> Instance {
    Instance {
        items: quote!(const #name: #ty = #value;),
        arguments: vec![located(name, value)],
        labels: vec![quote!(#private::Shown(&#name).label())],
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

/// Adds these types and consts to a path, unless it has other arguments or already names one of them.
pub(crate) fn alike(path: &ExprPath, arguments: &[Ident]) -> TokenStream {
    let last = path.path.segments.last();
    let has_arguments = last.is_some_and(|segment| !matches!(segment.arguments, PathArguments::None));
    if has_arguments
        || arguments.iter().any(|name| find_word(&path.to_token_stream(), &name.to_string()).is_some())
    {
        return path.to_token_stream();
    }
    instance(path, arguments)
}
