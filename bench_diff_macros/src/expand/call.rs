//! The calls of the two functions, the code that makes their inputs, and the comparison of their outputs.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ExprPath;

use super::instance;
use super::spans::{Place, local};
use crate::function::changed_dyn;
use crate::parsed_pair::{Check, Pair, Passing};

/// The calls of the two functions and the comparison of their outputs.
pub(crate) struct Call<'a> {
    pair: &'a Pair,
    pub(crate) private: TokenStream,
    pub(crate) candidate: TokenStream,
    baseline: Option<TokenStream>,
    /// The number of parameters of the functions.
    parameters: usize,
}

impl<'a> Call<'a> {
    /// `arguments` are the names of the types and consts.
    pub(crate) fn new(pair: &'a Pair, private: &TokenStream, arguments: &[Ident]) -> Self {
        Self {
            private: private.clone(),
            candidate: instance::instance(&pair.candidate, arguments),
            baseline: pair.options.baseline.as_ref().map(|path| instance::alike(path, arguments)),
            parameters: usize::from(pair.options.setup_once.is_some()) + usize::from(pair.input.is_some()),
            pair,
        }
    }

    /// Compares functions whose input comes from this closure.
    pub(crate) fn compare(&self, input: &TokenStream) -> TokenStream {
        let compare = self.method(&local("compare_1"));
        let (functions, outputs) = (self.functions(), self.compare_outputs());
        quote!(#compare(#functions, #input, #outputs);)
    }

    pub(crate) fn by_value(&self, make: &TokenStream, place: Place) -> TokenStream {
        let by_value = self.method(&place.local("by_value"));
        let (functions, how, outputs) = (self.functions(), self.how(), self.compare_outputs());
        quote!(#by_value(#functions, || #make, #how, #outputs);)
    }

    pub(crate) fn by_mut(&self, make: &TokenStream, place: Place) -> TokenStream {
        let by_mut = self.method(&place.local("by_mut"));
        let (functions, how) = (self.functions(), self.how());
        let (input, borrowed) = (place.local("input"), place.reborrow(true, "input"));
        let (outputs, inputs) = (self.compare_outputs(), self.compare_inputs());
        quote!(#by_mut(#functions, || #make, #how, |#input| #borrowed, #outputs, #inputs);)
    }

    /// A method of the probe. An error about the type of an input is reported at its name.
    fn method(&self, name: &Ident) -> TokenStream {
        let probe = local("probe");
        let threads = self.has_threads().then(|| {
            let threads = local("on_threads");
            quote!(.#threads())
        });
        quote!(#probe #threads.#name)
    }

    /// The input that the functions take, which this closure makes or borrows.
    pub(crate) fn input(&self, closure: &TokenStream) -> TokenStream {
        let Self { private, candidate, parameters, .. } = self;
        let input = format_ident!("input_{parameters}");
        quote!(#private::#input(#candidate, #closure))
    }

    fn how(&self) -> TokenStream {
        let (private, kind) = (&self.private, local("kind"));
        quote!(|#kind| (&#private::Kind(#kind)).how())
    }

    /// Returns whether the attribute sets the number of threads.
    pub(crate) fn has_threads(&self) -> bool {
        !self.pair.options.threads.is_empty()
    }

    /// Tells the probe whether the functions return futures.
    pub(crate) fn futures(&self) -> Option<TokenStream> {
        let Self { private, candidate, .. } = self;
        let output = format_ident!("output_{}", self.parameters);
        let (probe, futures) = (local("probe"), local("futures"));
        let may_be = self.pair.output.is_awaited || !self.pair.output.is_nothing;
        may_be.then(|| quote!(#probe.#futures(#private::#output(&#candidate).is_future());))
    }

    /// Closures that call the two functions and return the value to keep and to compare: the output of a
    /// future, the `Ok` value of a `Result`. The closures are the same for both functions.
    fn functions(&self) -> TokenStream {
        let Self { private, candidate, baseline, pair, .. } = self;
        let candidate = self.function(Place::of(&pair.output.tokens), candidate, false);
        // Two futures have different types, but may have the same output type.
        let have_one_type = matches!(pair.options.check, Check::Equal | Check::Inputs(_));
        let has_type = have_one_type && !pair.output.is_awaited;
        let baseline = match baseline {
            Some(baseline) => self.function(Place::of(&pair.options.baseline), baseline, has_type),
            None => quote!(|_| #private::no_baseline()),
        };
        quote!(#candidate, #baseline)
    }

    /// A closure that calls a function. If it `has_type`, the type is that of the candidate's output.
    fn function(&self, place: Place, function: &TokenStream, has_type: bool) -> TokenStream {
        let Self { private, candidate, pair, .. } = self;
        let input = pair.input.as_ref().map(|_| place.local("input"));
        // A `&mut dyn Trait` has a shorter lifetime than the value behind it, and a closure without a type
        // would not coerce it.
        let ty = pair
            .input
            .as_ref()
            .and_then(|input| changed_dyn(&input.ty))
            .map(|object| quote!(: &mut (#object + 'static)));
        let arguments = self.state().into_iter().chain(input.as_ref().map(ToTokens::to_token_stream));
        let parameter = input.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
        let mut output = place.call(function, &quote!(#(#arguments),*));
        if has_type {
            let output_of = format_ident!("output_{}", self.parameters);
            // If the baseline returns another type, rustc points at this name as the reason for the expected
            // type. So the name gets the location of the candidate's type.
            let typed = Place::of(&pair.output.tokens).local("typed");
            output = quote_spanned! {place.span()=> {
                let #typed;
                if false { #typed = #private::#output_of(&#candidate).unreachable_output() } else { #typed = #output }
                #typed
            }};
        }
        let error = local("error");
        // The output may borrow from an input that is dropped after the call.
        let is_brief = pair.output.borrows && pair.passing() == Some(Passing::Mut);
        let discarded = is_brief.then(|| quote!(.map(#private::discard)));
        // An error about the type is reported at the location of this name.
        let resolved = place.local("resolved");
        quote_spanned! {place.span()=>
            |#parameter #ty| {
                let #resolved = #private::Output(#private::Finish(#output).finish())
                    .into_result()
                    .map_err(|#error| (&#private::Shown(&#error)).message()) #discarded;
                #resolved
            }
        }
    }

    /// The state as the functions borrow it, passed through a black box.
    fn state(&self) -> Option<TokenStream> {
        let place = Place::of(self.pair.options.setup_once.as_ref()?);
        let (private, state) = (&self.private, if self.has_threads() { "shared" } else { "state" });
        let black_box = place.path(&quote!(#private::core::hint::black_box));
        let state = place.call(&black_box, &place.reborrow(false, state));
        Some(quote_spanned!(place.span()=> &*#state))
    }

    fn compare_outputs(&self) -> TokenStream {
        let (private, [a, b]) = (&self.private, ["candidate", "baseline"].map(local));
        match &self.pair.options.check {
            _ if self.pair.options.baseline.is_none() => quote!(|#a, #b| #private::not_compared(#a, #b)),
            Check::Equal => self.with_eq(),
            Check::Off | Check::Inputs(_) => self.off(),
            Check::Outputs(path) => self.with(path),
        }
    }

    fn compare_inputs(&self) -> TokenStream {
        match &self.pair.options.check {
            // The path is about the outputs. It does not check what a call leaves in its input.
            Check::Equal | Check::Outputs(_) => self.with_eq(),
            Check::Off => self.off(),
            Check::Inputs(path) => self.with(path),
        }
    }

    fn off(&self) -> TokenStream {
        let private = &self.private;
        quote!(|_, _| #private::Compared::Off)
    }

    fn with_eq(&self) -> TokenStream {
        // An error about values of different types is reported at the baseline.
        let (private, a) = (&self.private, local("candidate"));
        let b = Place::of(&self.pair.options.baseline).local("baseline");
        let texts = self.texts(&a, &b);
        quote! {
            |#a, #b| #private::compared(
                #private::Same(#a, #b).same(),
                || [#private::Same(#a, #a).same(), #private::Same(#b, #b).same()],
                #texts,
            )
        }
    }

    fn with(&self, path: &ExprPath) -> TokenStream {
        let place = Place::of(path);
        let (private, [a, b]) = (&self.private, [place.local("candidate"), place.local("baseline")]);
        let texts = self.texts(&a, &b);
        let accepted = place.call(path, &quote!(#a, #b));
        quote!(|#a, #b| #private::accepted(#accepted, #texts))
    }

    fn texts(&self, a: &Ident, b: &Ident) -> TokenStream {
        let private = &self.private;
        quote!(|| [(&#private::Shown(#a)).text(), (&#private::Shown(#b)).text()])
    }
}
