//! The code that stands for a pair: an entry in the registry, with a closure that adds its cases.

mod call;
mod family;
mod instance;
mod spans;
mod text;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;
use syn::ext::IdentExt;

use crate::pair::{Clock, Gate, Judge, Layouts, Margin, Options, Pair};

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
    let Options { name, gate, judge, alpha, beta, max_time_ns, slots, clock, warmup_ns, layouts, ignore } =
        options;
    let name = name.iter();
    let gate = gate.iter().filter_map(|gate| match gate {
        Gate::MaxSlowdown(Margin::Number(share)) => Some(quote!(.max_slowdown(#share))),
        Gate::MinSpeedup(Margin::Number(times)) => Some(quote!(.min_speedup(#times))),
        Gate::MaxDifference(Margin::Number(share)) => Some(quote!(.max_difference(#share))),
        Gate::ReportOnly => Some(quote!(.report_only(true))),
        Gate::MaxSlowdown(_) | Gate::MinSpeedup(_) | Gate::MaxDifference(_) => None,
    });
    let judge = judge.iter().map(|judge| match judge {
        Judge::Sequential => quote!(#harness::__private::JudgeKind::Sequential),
        Judge::Welch => quote!(#harness::__private::JudgeKind::Welch),
    });
    let clock = clock.iter().map(|clock| match clock {
        Clock::Auto => quote!(#harness::__private::ClockPolicy::Auto),
        Clock::Cpu => quote!(#harness::__private::ClockPolicy::Cpu),
        Clock::Wall => quote!(#harness::__private::ClockPolicy::Wall),
    });
    let layouts = layouts.iter().map(|layouts| match layouts {
        Layouts::Auto => quote!(#harness::__private::Layouts::Auto),
        Layouts::All => quote!(#harness::__private::Layouts::All),
        Layouts::Linked => quote!(#harness::__private::Layouts::Linked),
        Layouts::None => quote!(#harness::__private::Layouts::None),
    });
    let alpha = alpha.iter();
    let beta = beta.iter();
    let max_time_ns = max_time_ns.iter();
    let slots = slots.iter();
    let warmup_ns = warmup_ns.iter();
    let ignore = ignore.iter();
    quote! {
        #(.name(#name))*
        #(#gate)*
        #(.judge(#judge))*
        #(.alpha(#alpha))*
        #(.beta(#beta))*
        #(.max_time(#harness::__private::core::time::Duration::from_nanos(#max_time_ns)))*
        #(.slots(#slots))*
        #(.clock(#clock))*
        #(.warmup(#harness::__private::core::time::Duration::from_nanos(#warmup_ns)))*
        #(.layouts(#layouts))*
        #(.ignore(#ignore))*
    }
}
