//! The attribute as a function of tokens. It returns the unchanged item, followed by the code that registers
//! the pair, or by errors.

use std::path::Path;

use proc_macro2::TokenStream;

use crate::args::Args;
use crate::expand::expand;
use crate::item::Item;
use crate::validate::validate;

/// `file` is the source file of the item, if items of the file may be a part of its work.
pub(crate) fn with_registration(args: TokenStream, item: TokenStream, file: Option<&Path>) -> TokenStream {
    let (mut tokens, registration) = match Item::parse(&item) {
        Ok(item) => (item.tokens.clone(), validate(Args::parse(args), item, file).map(|pair| expand(&pair))),
        Err(error) => (item, Err(error)),
    };
    tokens.extend(registration.unwrap_or_else(syn::Error::into_compile_error));
    tokens
}
