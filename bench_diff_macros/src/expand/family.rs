//! All pairs of an attribute: one for each combination of types and consts, each number of threads and each
//! arg.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath};

use super::call::Call;
use super::instance;
use super::spans::{Place, local};
use super::work::work;
use crate::parsed_pair::{Options, Pair, Passing};

/// The code that adds every pair of an attribute.
pub(crate) fn body(pair: &Pair, private: &TokenStream) -> TokenStream {
    let functions = functions(&pair.options);
    let pairs = instance::each(private, &pair.instances, |arguments| {
        let call = Call::new(pair, private, arguments);
        let pairs = match &pair.options.args {
            None => add(&call, pair),
            Some(args) => add_each_arg(&call, pair, args),
        };
        quote!(#functions #pairs)
    });
    let (cases, numbers) = (local("cases"), &pair.options.threads);
    let threads = (!numbers.is_empty()).then(|| quote!(#cases.threads(&[#(#numbers),*]);));
    quote! {
        use #private::fallback::{
            CloneKind as _, DebugLabel as _, DebugMessage as _, FinishedKind as _, FinishedOutput as _,
            Incomparable as _, OtherKind as _, PlainOutput as _, TypeMessage as _, TypeText as _,
        };
        #threads
        #pairs
    }
}

/// Names each function of the user once, so that an error about it is reported once.
fn functions(options: &Options) -> TokenStream {
    let functions = [("setup", &options.setup), ("setup_once", &options.setup_once)];
    let bindings = functions.into_iter().filter_map(|(name, path)| {
        let path = path.as_ref()?;
        let name = Place::of(path).local(name);
        Some(quote!(let #name = #path;))
    });
    bindings.collect()
}

fn add(call: &Call<'_>, pair: &Pair) -> TokenStream {
    let (cases, probe, run) = (local("cases"), local("probe"), run(call, pair));
    quote!(#cases.add(move |#probe| #run);)
}

fn add_each_arg(call: &Call<'_>, pair: &Pair, args: &Expr) -> TokenStream {
    let private = &call.private;
    let (cases, arg, label, probe) = (local("cases"), local("arg"), local("label"), local("probe"));
    let values = quote_spanned!(Place::of(args).span()=> (#args));
    let infer = infer(call, pair, args);
    let shown = Place::of(args).local("label");
    let margin = margin(private, pair);
    let run = run(call, pair);
    quote! {
        // An `Option` is a list as well. An explicit call of `into_iter` would cause two errors if the value
        // is not a list.
        #[allow(for_loops_over_fallibles)]
        for #arg in #values {
            let #arg = #private::Arg(#arg);
            #infer
            let #label = #private::Shown(&#arg.0).#shown();
            #margin
            #cases.add_arg(#label, move |#probe| #run);
        }
    }
}

/// The type of a literal follows from the function that takes the arg. The compiler has to know it before
/// that function is called.
fn infer(call: &Call<'_>, pair: &Pair, args: &Expr) -> TokenStream {
    let private = &call.private;
    let (arg, place) = (local("arg"), Place::of(args));
    let input = place.local("input");
    let by = |passing| match passing {
        Some(Passing::Ref) => (quote!(#input), place.reference(false, "input")),
        Some(Passing::Mut) => (quote!(mut #input), place.reference(true, "input")),
        Some(Passing::Value) | None => (quote!(#input), quote!(#input)),
    };
    let (state, (parameter, argument), function) = match (&pair.options.setup, &pair.options.setup_once) {
        (Some(setup), state) => {
            (state.is_some(), by(None), Place::of(setup).local("setup").into_token_stream())
        }
        (None, Some(state)) => (false, by(None), Place::of(state).local("setup_once").into_token_stream()),
        (None, None) => (false, by(pair.passing()), call.candidate.clone()),
    };
    if state {
        let state = local("state");
        quote!(#private::infer_2(&#arg, |#state, #parameter| { let _ = #function(#state, #argument); });)
    } else {
        quote!(#private::infer_1(&#arg, |#parameter| { let _ = #function(#argument); });)
    }
}

/// Computes and sets the margin of an arg.
fn margin(private: &TokenStream, pair: &Pair) -> Option<TokenStream> {
    let (setter, path) = pair.options.margin.as_ref()?;
    let (cases, margin) = (local("cases"), local("margin"));
    let place = Place::of(path);
    let value = place.call(path, &place.arg());
    Some(quote! {
        let #margin: #private::core::primitive::f64 = #value;
        #cases.#setter(#margin);
    })
}

/// The body of the closure that measures a pair.
fn run(call: &Call<'_>, pair: &Pair) -> TokenStream {
    let Options { args, setup, setup_once, .. } = &pair.options;
    let (probe, input, arg) = (local("probe"), local("input"), local("arg"));
    let cloned_arg = args.as_ref().map(|args| Place::of(args).arg());
    let called = |path: &ExprPath, name: &str, state: Option<TokenStream>| {
        let (place, arguments) = (Place::of(path), state.into_iter().chain(cloned_arg.clone()));
        place.call(&place.local(name), &quote!(#(#arguments),*))
    };
    let make_state = setup_once.as_ref().map(|path| {
        let (made, state) = (called(path, "setup_once", None), local("state"));
        let shared = call.has_threads().then(|| {
            let place = Place::of(path);
            let (private, shared) = (place.path(&call.private), place.local("shared"));
            let made = place.call(&quote!(#private::#shared), &place.reborrow(false, "state"));
            quote!(let #shared = #made;)
        });
        quote!(let #state = #made; let #state = &#state; #shared)
    });
    let state_of = |path: &ExprPath| Place::of(path).reborrow(false, "state");
    let make = match (setup, args) {
        (Some(setup), _) => {
            let state = setup_once.as_ref().map(|_| state_of(setup));
            Some((called(setup, "setup", state), Place::of(setup)))
        }
        (None, Some(args)) => cloned_arg.clone().map(|arg| (arg, Place::of(args))),
        (None, None) => None,
    };
    let work = work(call, pair, make.as_ref());
    let compared = match (pair.passing(), make) {
        (None, _) | (_, None) => call.compare(&quote!(|| ())),
        (Some(Passing::Value), Some((make, place))) => call.by_value(&make, place),
        (Some(Passing::Mut), Some((make, place))) => call.by_mut(&make, place),
        (Some(Passing::Ref), Some((make, place))) => {
            let borrowed = place.reborrow(false, "input");
            let closure = place.closure(&borrowed);
            let compared = call.compare(&closure);
            if setup.is_some() {
                let by_ref = local("by_ref");
                quote!(#probe.#by_ref(|| #make, |#input, #probe| { #compared });)
            } else {
                quote!(let #input = &#arg.0; #compared)
            }
        }
    };
    let futures = call.futures();
    let alone = pair.options.baseline.is_none().then(|| {
        let without_baseline = local("without_baseline");
        quote!(#probe.#without_baseline();)
    });
    quote!({ #alone #futures #make_state #work #compared })
}
