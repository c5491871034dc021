//! The attribute as a function of tokens. It returns the unchanged item, followed by the code that registers
//! the pair, or by errors.

use proc_macro2::TokenStream;

use crate::args::Args;
use crate::expand::expand;
use crate::item::Item;
use crate::validate::validate;

pub(crate) fn with_registration(args: TokenStream, item: TokenStream) -> TokenStream {
    let (mut tokens, registration) = match Item::parse(&item) {
        Ok(item) => (item.tokens.clone(), validate(Args::parse(args), item).map(|pair| expand(&pair))),
        Err(error) => (item, Err(error)),
    };
    tokens.extend(registration.unwrap_or_else(syn::Error::into_compile_error));
    tokens
}
