//! The code for a benchmark: an entry in the registry, with a closure that adds its cases.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, FnArg, ItemFn, Type, parse2};

use crate::instances;
use crate::options::{Of, Options, local};

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let expanded = parse2::<ItemFn>(item.clone()).and_then(|function| {
        let options = Options::parse(Of::Bench(&function), options)?;
        if options.has_empty_list() {
            return Ok(quote!(#[allow(dead_code)] #item));
        }
        let registration = registration(&options, &function)?;
        Ok(quote!(#item #registration))
    });
    expanded.unwrap_or_else(|error| {
        let error = error.into_compile_error();
        quote!(#item #error)
    })
}

fn registration(options: &Options, function: &ItemFn) -> syn::Result<TokenStream> {
    let krate = options.krate();
    let private = quote!(#krate::__private);
    let name = match &options.name {
        Some(name) => name.to_token_stream(),
        None => function.sig.ident.unraw().to_string().into_token_stream(),
    };
    let (variable, settings) = (local("settings"), options.settings(&private));
    let has_ignore = function.attrs.iter().any(|attribute| attribute.path().is_ident("ignore"));
    let ignored = options.is_ignored(has_ignore);
    let call = Call::of(options, function)?;
    let instances = instances::each(&private, options, function, |named| call.add(&private, named));
    let cases = local("cases");
    let body = quote! {
        use #private::fallback::DebugLabel as _;
        let #variable = #settings;
        #variable.begin(#cases);
        #instances
    };
    let guard = standard_harness(&private);
    Ok(quote! {
        const _: () = {
            #guard
            #private::inventory::submit! {
                #private::Benchmark {
                    target: #private::target!(),
                    location: #private::place!(),
                    name: #name,
                    is_ignored: #ignored,
                    cases: |#cases| { #body },
                }
            }
        };
    })
}

/// An error in a bench that has the standard harness, which would run nothing and pass. Cargo sets the
/// variable for benches and integration tests; the tests of a library may have benchmarks beside them.
fn standard_harness(private: &TokenStream) -> Option<TokenStream> {
    env::var_os("CARGO_TARGET_TMPDIR")?;
    let of_tests = |argument: OsString| {
        let source = Path::new(&argument);
        source.extension().is_some_and(|extension| extension == "rs")
            && source.iter().any(|part| part == "tests")
    };
    if env::args_os().any(of_tests) {
        return None;
    }
    Some(quote! {
        // This is compiled only with the standard harness.
        #[#private::core::prelude::v1::test]
        fn __bench_diff_needs_harness_false() {
            const _: () = #private::core::panic!(
                "this bench target has the standard harness: add `harness = false` to its [[bench]] section in Cargo.toml"
            );
        }
    })
}

/// How to call the function of a benchmark.
struct Call<'a> {
    takes_bencher: bool,
    /// The values and the type of the parameter.
    args: Option<(&'a Expr, Type)>,
    /// True if its ABI differs from that of closures.
    is_foreign: bool,
}

impl<'a> Call<'a> {
    fn of(options: &'a Options, function: &ItemFn) -> syn::Result<Self> {
        let parameters = &function.sig.inputs;
        let is_foreign = function.sig.abi.is_some();
        let args = match (&options.args, parameters.last()) {
            (Some(args), Some(FnArg::Typed(last))) => Some((args, without_lifetime(&last.ty))),
            _ => None,
        };
        let others = parameters.len() - usize::from(args.is_some());
        match parameters.last() {
            Some(last) if others > 1 => {
                let message = "a benchmark takes a `Bencher`, and behind it a parameter with values: \
                               give them with `args = [..]`";
                Err(syn::Error::new_spanned(last, message))
            }
            _ => Ok(Self { takes_bencher: others == 1, args, is_foreign }),
        }
    }

    /// The code that adds the cases of this function.
    fn add(&self, private: &TokenStream, named: &TokenStream) -> TokenStream {
        let [cases, settings, bencher, arg] = ["cases", "settings", "bencher", "arg"].map(local);
        let Some((args, ty)) = &self.args else {
            let called = match (self.takes_bencher, self.is_foreign) {
                (true, false) => named.clone(),
                (true, true) => quote!(|#bencher| #named(#bencher)),
                (false, false) => quote!(|#bencher| #bencher.bench(#named)),
                (false, true) => quote!(|#bencher| #bencher.bench(|| #named())),
            };
            return quote!(#private::add(#cases, &#settings, #called););
        };
        let value = quote!(#private::Arg::<#ty>::get(#arg));
        let called = if self.takes_bencher {
            quote!(#named(#bencher, #value))
        } else {
            quote!(#bencher.bench(|| #named(#value)))
        };
        quote! {
            #private::add_args(
                #cases,
                &#settings,
                || { #args },
                |#arg| #private::Shown(#arg).label(),
                |#bencher, #arg| #called,
            );
        }
    }
}

/// A reference without its lifetime, whose name is unknown outside of the function.
fn without_lifetime(ty: &Type) -> Type {
    let mut ty = ty.clone();
    if let Type::Reference(reference) = &mut ty {
        reference.lifetime = None;
    }
    ty
}
