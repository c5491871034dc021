//! The code that stands for a pair: an entry in the registry, with a closure that adds its cases.

mod call;
mod family;
mod instance;
mod spans;
mod text;
mod work;

use std::env;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;

use self::spans::Place;
use crate::parsed_pair::{Options, Pair};

/// The variable with the line of the only attribute that registers pairs, where a run compiles a bench for
/// one of them alone. What the others call is then called by nothing.
const ALONE: &str = "BENCH_DIFF_ALONE";

pub(crate) fn expand(pair: &Pair) -> TokenStream {
    let Pair { harness, candidate, baseline, attrs, options, digest, .. } = pair;
    let function = candidate.unraw().to_string();
    let baseline = baseline.iter().map(text::without_blanks);
    let setters = setters(harness, options);
    let cases = spans::local("cases");
    let mut body = family::body(pair);
    if let Some(line) = env::var(ALONE).ok().and_then(|line| line.parse::<u32>().ok()) {
        body = quote!(if const { #harness::__private::place!().line == #line } { #body });
    }
    quote! {
        #(#attrs)*
        const _: () = {
            #harness::__private::inventory::submit! {
                #harness::__private::PairEntry::new(
                    #harness::__private::place!(),
                    #function,
                    |#cases| { #body },
                )
                .digest(#digest)
                #(.baseline(#baseline))*
                #setters
            }
        };
    }
}

fn setters(harness: &Path, options: &Options) -> TokenStream {
    let Options { name, margin: _, settings, ignore } = options;
    let settings = settings.iter().map(|(name, text)| {
        let place = Place::of(text);
        let reader = place.path(&quote!(#harness::__private::written::#name));
        let value = place.call(&reader, &text.to_token_stream());
        quote!(.#name(#value))
    });
    let name = name.iter();
    let ignore = ignore.iter();
    quote! {
        #(.name(#name))*
        #(#settings)*
        #(.ignore(#ignore))*
    }
}
