//! The code for a pair: an entry in the registry, with a closure that adds its cases.

mod call;
mod family;
mod instance;
mod spans;
mod text;
mod work;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use self::spans::Place;
pub(crate) use self::text::without_blanks;
use crate::parsed_pair::Pair;

pub(crate) fn expand(pair: &Pair) -> TokenStream {
    let Pair { candidate, attrs, options, .. } = pair;
    let harness = options.harness.as_ref().map_or_else(|| quote!(::bench_diff_harness), |path| quote!(#path));
    let private = quote!(#harness::__private);
    let function = candidate.unraw().to_string();
    let baseline = options.baseline.iter().map(without_blanks);
    let (name, ignore) = (options.name.iter(), options.ignore.iter());
    let settings = options.settings.iter().map(|(name, text)| {
        let place = Place::of(text);
        let reader = place.path(&quote!(#private::written::#name));
        let value = place.call(&reader, &text.to_token_stream());
        quote!(.#name(#value))
    });
    let (cases, entry) = (spans::local("cases"), spans::local("entry"));
    let body = family::body(pair, &private);
    quote! {
        #(#attrs)*
        const _: () = {
            #private::inventory::submit! {
                // The compiler would report a wrong setting twice in an expression without a variable.
                let #entry = #private::PairEntry::new(
                    #private::place!(),
                    #function,
                    |#cases| { #body },
                )
                #(.baseline(#baseline))*
                #(.name(#name))*
                #(#settings)*
                #(.ignore(#ignore))*;
                #entry
            }
        };
    }
}
