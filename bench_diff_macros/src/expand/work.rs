//! The work of one call: numbers, or functions of an input.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::call::Call;
use super::spans::{Place, local};
use crate::parsed_pair::{Amount, Pair, Passing};

/// Passes the work of one call to the probe, if the attribute states it. `make` makes an input.
pub(super) fn work(call: &Call<'_>, pair: &Pair, make: Option<&(TokenStream, Place)>) -> Option<TokenStream> {
    let amounts = [&pair.options.bytes, &pair.options.items];
    if amounts.iter().all(|amount| amount.is_none()) {
        return None;
    }
    let may_need_input = amounts.into_iter().flatten().any(|amount| !matches!(amount, Amount::Number(_)));
    let input = make.filter(|_| may_need_input).and_then(|make| input(call, pair, make));
    let (private, probe) = (&call.private, local("probe"));
    let [bytes, items] = amounts.map(|written| match written {
        Some(written) => {
            let amount = amount(private, written, input.is_some());
            quote!(#private::core::option::Option::Some(#amount))
        }
        None => quote!(#private::core::option::Option::None),
    });
    Some(quote!({ #input if #probe.set_work(#bytes, #items).is_break() { return; } }))
}

/// An input by reference, as the functions take it.
fn input(call: &Call<'_>, pair: &Pair, (make, place): &(TokenStream, Place)) -> Option<TokenStream> {
    let input = local("input");
    Some(match pair.passing()? {
        Passing::Value => {
            let made = call.input(&place.closure(make));
            quote!(let #input = &#made;)
        }
        Passing::Ref => {
            let borrowed = call.input(&place.closure(&place.reborrow(false, "input")));
            // An arg may not be `Clone`. It does not have to be if the functions borrow it.
            let made = if pair.options.setup.is_some() {
                make.clone()
            } else {
                let arg = local("arg");
                quote!(#arg.0)
            };
            quote!(let #input = &#made; let #input = #borrowed;)
        }
        Passing::Mut => {
            let borrowed = call.input(&place.closure(&place.reborrow(true, "input")));
            quote!(let #input = &mut #make; let #input = &*#borrowed;)
        }
    })
}

fn amount(private: &TokenStream, written: &Amount, has_input: bool) -> TokenStream {
    let (written, function): (&dyn ToTokens, _) = match written {
        Amount::Number(number) => (number, "amount"),
        Amount::Function(closure) => (closure, "amount_of"),
        Amount::Path(path) if has_input => (path, "amount_by_path"),
        Amount::Path(path) => (path, "amount"),
    };
    let written = written.to_token_stream();
    let place = Place::of(&written);
    let input = (function != "amount").then(|| {
        let input = local("input");
        quote!(#input,)
    });
    let (private, function) = (place.path(private), place.local(function));
    let function = quote_spanned!(place.span()=> #private::#function);
    place.call(&function, &quote!(#input #written))
}
