//! The combinations of types and consts. The function is named once for each.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, GenericParam, ItemFn, Type};

use crate::options::{Options, local};

/// The most consts of a list that is not an array literal. The compiler has to know how many functions there
/// are.
const MOST_CONSTS: usize = 20;

/// One value of `types` or `consts`, or none.
#[derive(Clone, Default)]
struct Choice {
    argument: Option<TokenStream>,
    label: Option<TokenStream>,
    /// The condition under which the value exists.
    exists: Option<TokenStream>,
}

/// The code that `body` returns for the function with its types and consts, once for every combination.
pub(crate) fn each(
    private: &TokenStream,
    options: &Options,
    function: &ItemFn,
    body: impl Fn(&TokenStream) -> TokenStream,
) -> TokenStream {
    let name = &function.sig.ident;
    let cases = local("cases");
    let types = match &options.types {
        Some(types) => types.iter().map(|ty| of_type(private, ty)).collect(),
        None => vec![Choice::default()],
    };
    let (items, consts) = consts(options, function).unwrap_or_else(|| (quote!(), vec![Choice::default()]));
    let mut parameters = function.sig.generics.params.iter();
    let is_const_first = parameters
        .find(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
        .is_some_and(|first| matches!(first, GenericParam::Const(_)));
    let combinations = types.iter().flat_map(|ty| consts.iter().map(move |value| [ty, value]));
    let blocks = combinations.map(|choices| {
        let labels: Vec<&TokenStream> = choices.iter().filter_map(|choice| choice.label.as_ref()).collect();
        let instance =
            (!labels.is_empty()).then(|| quote!(#cases.instance(&[#(#private::Shown(#labels).label()),*]);));
        let mut arguments: Vec<&TokenStream> =
            choices.iter().filter_map(|choice| choice.argument.as_ref()).collect();
        if is_const_first {
            arguments.reverse();
        }
        let named =
            if arguments.is_empty() { name.to_token_stream() } else { quote!(#name::<#(#arguments),*>) };
        let body = body(&named);
        match choices.iter().find_map(|choice| choice.exists.as_ref()) {
            Some(exists) => quote!(if const { #exists } { #instance #body }),
            None => quote!({ #instance #body }),
        }
    });
    quote!(#items #(#blocks)*)
}

fn of_type(private: &TokenStream, ty: &Type) -> Choice {
    let label = quote!(&#private::type_text!(#ty));
    Choice { argument: Some(ty.to_token_stream()), label: Some(label), exists: None }
}

/// The consts, and the items with their values.
fn consts(options: &Options, function: &ItemFn) -> Option<(TokenStream, Vec<Choice>)> {
    let values = options.consts.as_ref()?;
    let ty = &function.sig.generics.const_params().next()?.ty;
    let all = quote!(const __DIVAN_CONSTS: &[#ty] = &#values;);
    let choice = |value: TokenStream, exists| Choice {
        argument: Some(quote!({ #value })),
        label: Some(quote!(&#value)),
        exists,
    };
    if let Expr::Array(list) = values {
        let choices = (0..list.elems.len()).map(|index| choice(quote!(__DIVAN_CONSTS[#index]), None));
        return Some((all, choices.collect()));
    }
    let limit = quote! {
        const _: () = ::std::assert!(
            __DIVAN_CONSTS.len() <= #MOST_CONSTS,
            "a list of consts that is not written out has at most 20 of them",
        );
    };
    let choices = (0..MOST_CONSTS).map(|index| {
        let exists = quote!(#index < __DIVAN_CONSTS.len());
        // If the list is shorter, the first one takes the place of the missing ones.
        choice(quote!(__DIVAN_CONSTS[if #exists { #index } else { 0 }]), Some(exists))
    });
    Some((quote!(#all #limit), choices.collect()))
}
