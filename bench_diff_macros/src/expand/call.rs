//! The calls of the two functions, of what makes their inputs, and of what compares their outputs.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ExprPath;

use super::instance;
use super::spans::{Place, local};
use crate::pair::{Check, Pair, Passing};

/// How the two functions are called and their outputs compared.
pub(crate) struct Call<'a> {
    pair: &'a Pair,
    pub(crate) private: TokenStream,
    pub(crate) candidate: TokenStream,
    baseline: TokenStream,
    /// How many parameters the functions have.
    parameters: usize,
}

impl<'a> Call<'a> {
    /// `arguments` are the types and consts.
    pub(crate) fn new(pair: &'a Pair, private: &TokenStream, arguments: &[Ident]) -> Self {
        Self {
            private: private.clone(),
            candidate: instance::instance(&pair.candidate, arguments),
            baseline: instance::alike(&pair.baseline, arguments),
            parameters: usize::from(pair.inputs.setup_once.is_some())
                + usize::from(pair.inputs.input.is_some()),
            pair,
        }
    }

    /// Functions whose parameters come from these closures.
    pub(crate) fn compare(&self, parameters: &TokenStream) -> TokenStream {
        let compare = method(&local("probe"), &format!("compare_{}", self.parameters));
        let (functions, resolve, outputs) = (self.functions(), self.resolve(), self.compare_outputs());
        quote!(#compare(#functions, #parameters #resolve, #outputs);)
    }

    pub(crate) fn by_value(&self, state: &TokenStream, make: &TokenStream, place: Place) -> TokenStream {
        let by_value = self.method(place, "by_value");
        let (functions, how) = (self.functions(), self.how());
        let (resolve, outputs) = (self.resolve(), self.compare_outputs());
        quote!(#by_value(#functions, #state || #make, #how, #resolve, #outputs);)
    }

    pub(crate) fn by_mut(&self, state: &TokenStream, make: &TokenStream, place: Place) -> TokenStream {
        let by_mut = self.method(place, "by_mut");
        let (functions, how) = (self.functions(), self.how());
        let (input, borrowed) = (place.local("input"), place.reborrow(true, "input"));
        let (resolve, outputs, inputs) = (self.resolve(), self.compare_outputs(), self.compare_inputs());
        quote!(#by_mut(#functions, #state || #make, #how, |#input| #borrowed, #resolve, #outputs, #inputs);)
    }

    /// An error about the type of the input stands where it is made.
    fn method(&self, place: Place, name: &str) -> TokenStream {
        let (probe, name) = (local("probe"), place.local(&format!("{name}_{}", self.parameters)));
        quote!(#probe.#name)
    }

    /// An input as the functions take it, which this closure makes or borrows.
    pub(crate) fn input(&self, closure: &TokenStream) -> TokenStream {
        let Self { private, candidate, parameters, .. } = self;
        let input = format_ident!("input_{parameters}");
        quote!(#private::#input(#candidate, #closure))
    }

    fn how(&self) -> TokenStream {
        let (private, kind) = (&self.private, local("kind"));
        quote!(|#kind| (&#private::Kind(#kind)).how())
    }

    /// Whether the output may borrow from an input that is gone after the call.
    fn output_is_brief(&self) -> bool {
        self.pair.output.borrows && self.pair.inputs.input == Some(Passing::Mut)
    }

    /// Whether the attribute says how many threads make the calls.
    pub(crate) fn has_threads(&self) -> bool {
        !self.pair.threads.is_empty()
    }

    /// Tells the probe whether the functions return futures.
    pub(crate) fn futures(&self) -> Option<TokenStream> {
        let Self { private, candidate, .. } = self;
        let output = format_ident!("output_{}", self.parameters);
        let futures = method(&local("probe"), "futures");
        let may_be = self.pair.output.is_awaited || !self.pair.output.is_nothing;
        may_be.then(|| quote!(#futures(#private::#output(&#candidate).is_future());))
    }

    /// The two functions themselves, or closures that resolve their outputs and give them one type.
    fn functions(&self) -> TokenStream {
        let Self { private, candidate, baseline, pair, .. } = self;
        let [of_candidate, of_baseline] = if self.output_is_brief() {
            [Some(quote!(#private::discard)), Some(quote!(#private::discard))]
        } else if !self.outputs_have_one_type() {
            [Some(quote!(#private::Either::Candidate)), Some(quote!(#private::Either::Baseline))]
        } else if self.is_resolved() {
            [None, None]
        } else {
            return quote!(#candidate, #baseline);
        };
        let closure = |place: Place, function: &TokenStream, unify: Option<TokenStream>| {
            let parameters: Vec<Ident> =
                ["first", "second"][..self.parameters].iter().map(|name| place.local(name)).collect();
            let resolve = self.resolved(place, &place.call(function, &quote!(#(#parameters),*)));
            // A `&mut dyn Trait` is shorter than what makes it, which a function is not coerced to.
            let ty = pair.inputs.dyn_input.as_ref().map(|object| quote!(: &mut (#object + 'static)));
            let unify = unify.map(|unify| quote!(.map(#unify)));
            // An error about the type stands where this name is located.
            let resolved = place.local("resolved");
            quote_spanned!(place.span()=> |#(#parameters),* #ty| { let #resolved = #resolve #unify; #resolved })
        };
        let candidate = closure(Place::of(&pair.output.tokens), candidate, of_candidate);
        let baseline = closure(Place::of(&pair.baseline), baseline, of_baseline);
        quote!(#candidate, #baseline)
    }

    fn outputs_have_one_type(&self) -> bool {
        matches!(self.pair.check, Check::Equal | Check::Inputs(_))
    }

    /// Whether closures around the functions resolve the outputs.
    fn is_resolved(&self) -> bool {
        let Pair { output, inputs, .. } = self.pair;
        self.output_is_brief()
            || !self.outputs_have_one_type()
            || output.is_awaited
            || inputs.dyn_input.is_some()
    }

    fn resolve(&self) -> TokenStream {
        let output = local("output");
        let resolved = if self.is_resolved() {
            quote!(#output)
        } else {
            self.resolved(Place::of(&self.pair.output.tokens), &output)
        };
        quote!(|#output| #resolved)
    }

    /// What there is to keep and to compare: of a future its output, of a `Result` the `Ok` value.
    fn resolved(&self, place: Place, output: &impl ToTokens) -> TokenStream {
        let (private, error) = (&self.private, local("error"));
        quote_spanned! {place.span()=>
            #private::Output(#private::Finish(#output).finish())
                .into_result()
                .map_err(|#error| (&#private::Shown(&#error)).message())
        }
    }

    fn compare_outputs(&self) -> TokenStream {
        match &self.pair.check {
            Check::Equal => self.with_eq(),
            Check::Off | Check::Inputs(_) => self.off(),
            Check::Outputs(path) => {
                let private = &self.private;
                self.with(path, Some(quote!(#private::both)))
            }
        }
    }

    fn compare_inputs(&self) -> TokenStream {
        match &self.pair.check {
            Check::Equal => self.with_eq(),
            Check::Off | Check::Outputs(_) => self.off(),
            Check::Inputs(path) => self.with(path, None),
        }
    }

    fn off(&self) -> TokenStream {
        let private = &self.private;
        quote!(|_, _| #private::Compared::Off)
    }

    fn with_eq(&self) -> TokenStream {
        let (private, [a, b]) = (&self.private, [local("candidate"), local("baseline")]);
        let texts = self.texts(&a, &b);
        quote! {
            |#a, #b| #private::compared(
                #private::Same(#a, #b).same(),
                || [#private::Same(#a, #a).same(), #private::Same(#b, #b).same()],
                #texts,
            )
        }
    }

    fn with(&self, path: &ExprPath, unwrap: Option<TokenStream>) -> TokenStream {
        let place = Place::of(path);
        let (private, [a, b]) = (&self.private, [place.local("candidate"), place.local("baseline")]);
        let unwrap = unwrap.map(|both| quote!(let (#a, #b) = #both(#a, #b);));
        let texts = self.texts(&a, &b);
        let accepted = place.call(path, &quote!(#a, #b));
        quote!(|#a, #b| { #unwrap #private::accepted(#accepted, #texts) })
    }

    fn texts(&self, a: &Ident, b: &Ident) -> TokenStream {
        let private = &self.private;
        quote!(|| [(&#private::Shown(#a)).text(), (&#private::Shown(#b)).text()])
    }
}

pub(crate) fn method(probe: &Ident, name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote!(#probe.#name)
}
