use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath};

use super::call::{Call, method};
use super::instance;
use super::spans::{Place, local};
use crate::pair::{Gate, Inputs, Margin, Pair, Passing};

/// The code that adds every pair of an attribute.
pub(crate) fn body(pair: &Pair) -> TokenStream {
    let Pair { harness, inputs, instances, .. } = pair;
    let private = quote!(#harness::__private);
    let cases = local("cases");
    let functions = functions(inputs);
    let call = Call::new(pair, &private);
    let pairs = match &inputs.args {
        None => {
            let (probe, run) = (local("probe"), run(&call, inputs));
            quote!(#cases.add(move |#probe| #run);)
        }
        Some(args) => for_each_arg(&call, pair, args),
    };
    let pairs = instance::each(&private, instances, &cases, &quote!(#functions #pairs));
    quote! {
        #[allow(unused_imports)]
        use #private::fallback::{
            CloneKind as _, DebugLabel as _, DebugMessage as _, DisplayText as _, Incomparable as _,
            OtherKind as _, PlainOutput as _, TypeMessage as _, TypeText as _,
        };
        #pairs
    }
}

/// Each function of the user is named once, so that what is wrong with it is said once.
fn functions(inputs: &Inputs) -> TokenStream {
    let functions = [("setup", &inputs.setup), ("setup_once", &inputs.setup_once)];
    let bindings = functions.into_iter().filter_map(|(name, path)| {
        let path = path.as_ref()?;
        let name = Place::of(path).local(name);
        Some(quote!(let #name = #path;))
    });
    bindings.collect()
}

fn for_each_arg(call: &Call<'_>, pair: &Pair, args: &Expr) -> TokenStream {
    let private = &call.private;
    let inputs = &pair.inputs;
    let (cases, arg, label, margin, probe) =
        (local("cases"), local("arg"), local("label"), local("margin"), local("probe"));
    let candidate = &call.candidate;
    // The type of a literal follows from the function that takes the arg, which may come to light too late.
    let (values, infer) = match (&inputs.setup, &inputs.setup_once, inputs.input) {
        (Some(_), state, _) => (taken_by(private, &local("setup"), state.is_some(), args), None),
        (None, Some(_), _) => (taken_by(private, &local("setup_once"), false, args), None),
        (None, None, Some(Passing::Value)) => (taken_by(private, candidate, false, args), None),
        (None, None, passing) => {
            let value = Place::of(args).borrow(passing == Some(Passing::Mut), "input");
            let input = Place::of(args).local("input");
            let infer = quote!(#private::infer(&#arg, |#input| { let _ = #candidate(#value); }););
            (quote!(#private::args(#args)), Some(infer))
        }
    };
    let shown = quote_spanned!(args.span()=> .label());
    let gate = match &pair.options.gate {
        Some(Gate::MaxSlowdown(Margin::OfArg(path))) => Some(("max_slowdown", path)),
        Some(Gate::MinSpeedup(Margin::OfArg(path))) => Some(("min_speedup", path)),
        Some(Gate::MaxDifference(Margin::OfArg(path))) => Some(("max_difference", path)),
        _ => None,
    };
    let (before, after) = gate.map_or_else(Default::default, |(setter, path)| {
        let value = cloned(call, path);
        let setter = local(setter);
        (
            quote!(let #margin: #private::core::primitive::f64 = #path(#value);),
            quote!(#cases.#setter(#margin);),
        )
    });
    let run = run(call, inputs);
    quote! {
        for #arg in #values {
            #infer
            let #label = #private::Shown(&#arg)#shown;
            #before
            #cases.add_arg(#label, move |#probe| #run);
            #after
        }
    }
}

fn taken_by(private: &TokenStream, function: &dyn ToTokens, has_state: bool, args: &Expr) -> TokenStream {
    let helper = local(if has_state { "args_2" } else { "args_1" });
    quote!(#private::#helper(&#function, #args))
}

/// A clone of the arg; an error about it stands at `tokens`.
fn cloned(call: &Call<'_>, tokens: &impl ToTokens) -> TokenStream {
    let private = &call.private;
    let arg = Place::of(tokens).local("arg");
    quote!(#private::core::clone::Clone::clone(&#arg))
}

/// The body of the closure that measures a pair.
fn run(call: &Call<'_>, inputs: &Inputs) -> TokenStream {
    let (probe, input, arg) = (local("probe"), local("input"), local("arg"));
    let cloned_arg = inputs.args.as_ref().map(|args| cloned(call, args));
    let and_arg = |first: Option<TokenStream>| {
        let arguments = first.into_iter().chain(cloned_arg.clone());
        quote!(#(#arguments),*)
    };
    let make_state = inputs.setup_once.as_ref().map(|path| {
        let (made, state) = (Place::of(path).call("setup_once", &and_arg(None)), local("state"));
        quote!(let #state = #made; let #state = &#state;)
    });
    let state_of = |path: &ExprPath| Place::of(path).borrow(false, "state");
    let make = match (&inputs.setup, &inputs.args) {
        (Some(setup), _) => {
            let state = inputs.setup_once.as_ref().map(|_| state_of(setup));
            Some((Place::of(setup).call("setup", &and_arg(state)), Place::of(setup)))
        }
        (None, Some(args)) => cloned_arg.clone().map(|arg| (arg, Place::of(args))),
        (None, None) => None,
    };
    let state = inputs.setup_once.as_ref().map(|path| {
        let state = state_of(path);
        quote!(|| #state,)
    });
    let state = state.unwrap_or_default();
    let compared = match (inputs.input, make) {
        (None, _) | (_, None) => call.compare(&state),
        (Some(Passing::Value), Some((make, _))) => call.by_value(&state, &make),
        (Some(Passing::Mut), Some((make, place))) => call.by_mut(&state, &make, place),
        (Some(Passing::Ref), Some((make, place))) => {
            let borrowed = place.borrow(false, "input");
            let compared = call.compare(&quote!(#state || #borrowed,));
            if inputs.setup.is_some() {
                let by_ref = method(&probe, "by_ref");
                quote!(#by_ref(|| #make, |#input, #probe| { #compared });)
            } else {
                quote!(let #input = &#arg; #compared)
            }
        }
    };
    quote!({ #make_state #compared })
}
