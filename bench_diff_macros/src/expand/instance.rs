//! The combinations of types and consts. The functions are named once for each.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, Ident, PathArguments, Type};

use super::spans::local;
use super::text::without_blanks;
use crate::function::find_word;
use crate::parsed_pair::Instances;

/// A value of the type parameter or the const parameter.
struct Choice {
    /// An item with the name of the function's parameter, so that its options can use it.
    item: TokenStream,
    /// This name, with the location of the type or const.
    argument: Ident,
    label: TokenStream,
}

/// The code that `body` returns for the names, once for every combination of types and consts.
pub(crate) fn each(
    private: &TokenStream,
    instances: &Instances,
    body: impl Fn(&[Ident]) -> TokenStream,
) -> TokenStream {
    let types: Vec<Option<Choice>> = match &instances.types {
        Some((name, types)) => types.iter().map(|ty| Some(of_type(private, name, ty))).collect(),
        None => vec![None],
    };
    let consts: Vec<Option<Choice>> = match &instances.consts {
        Some((name, ty, consts)) => {
            consts.iter().map(|value| Some(of_const(private, name, ty, value))).collect()
        }
        None => vec![None],
    };
    let cases = local("cases");
    let combinations = types.iter().flat_map(|ty| consts.iter().map(move |value| [ty, value]));
    let blocks = combinations.map(|choices| {
        let choices: Vec<&Choice> = choices.into_iter().flatten().collect();
        let items = choices.iter().map(|choice| &choice.item);
        let labels = choices.iter().map(|choice| &choice.label);
        let instance = (!choices.is_empty()).then(|| quote!(#cases.instance(&[#(#labels),*]);));
        let mut arguments: Vec<Ident> = choices.iter().map(|choice| choice.argument.clone()).collect();
        if instances.const_is_first {
            arguments.reverse();
        }
        let body = body(&arguments);
        quote!({ #(#items)* #instance #body })
    });
    blocks.collect()
}

fn of_type(private: &TokenStream, name: &Ident, ty: &Type) -> Choice {
    let label = without_blanks(ty);
    Choice {
        item: quote!(type #name = #ty;),
        argument: located(name, ty),
        label: quote!(#private::Shown(&#label).label()),
    }
}

fn of_const(private: &TokenStream, name: &Ident, ty: &Type, value: &Expr) -> Choice {
    Choice {
        item: quote!(const #name: #ty = #value;),
        argument: located(name, value),
        label: quote!(#private::Shown(&#name).label()),
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
