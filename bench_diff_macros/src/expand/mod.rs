//! The code that stands for a pair: an entry in the registry, with a closure that adds its cases.

mod call;
mod family;
mod instance;
mod spans;
mod text;
mod work;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;
use syn::ext::IdentExt;

use crate::pair::{Gate, Margin, Options, Pair, Setting};

pub(crate) fn expand(pair: &Pair) -> TokenStream {
    let Pair { harness, candidate, baseline, attrs, options, .. } = pair;
    let function = candidate.unraw().to_string();
    let baseline = text::without_blanks(baseline);
    let setters = setters(harness, options);
    let cases = spans::local("cases");
    let body = family::body(pair);
    quote! {
        #(#attrs)*
        const _: () = {
            #harness::__private::inventory::submit! {
                #harness::__private::PairEntry::new(
                    #harness::__private::place!(),
                    #function,
                    |#cases| { #body },
                )
                .baseline(#baseline)
                #setters
            }
        };
    }
}

fn setters(harness: &Path, options: &Options) -> TokenStream {
    let Options { name, gate, settings, ignore } = options;
    let gate = gate.iter().filter_map(|gate| match gate {
        Gate::MaxSlowdown(Margin::Number(share)) => Some(quote!(.max_slowdown(#share))),
        Gate::MinSpeedup(Margin::Number(times)) => Some(quote!(.min_speedup(#times))),
        Gate::MaxDifference(Margin::Number(share)) => Some(quote!(.max_difference(#share))),
        Gate::ReportOnly => Some(quote!(.report_only(true))),
        Gate::MaxSlowdown(_) | Gate::MinSpeedup(_) | Gate::MaxDifference(_) => None,
    });
    let settings = settings.iter().map(|(key, setting)| {
        let (setter, value) = (spans::named(key.name()), value(harness, setting));
        quote!(.#setter(#value))
    });
    let name = name.iter();
    let ignore = ignore.iter();
    quote! {
        #(.name(#name))*
        #(#gate)*
        #(#settings)*
        #(.ignore(#ignore))*
    }
}

fn value(harness: &Path, setting: &Setting) -> TokenStream {
    match setting {
        Setting::Number(number) => quote!(#number),
        Setting::Count(count) => quote!(#count),
        Setting::Nanoseconds(nanoseconds) => {
            quote!(#harness::__private::core::time::Duration::from_nanos(#nanoseconds))
        }
        Setting::Variant(of, variant) => {
            let (of, variant) = (spans::named(of), spans::named(variant));
            quote!(#harness::__private::#of::#variant)
        }
    }
}
