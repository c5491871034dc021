//! The code for a group: an entry in the registry, next to the module. The module stays as it is.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Token, Visibility};

use crate::options::{Of, Options, optional};

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let expanded = Module::read.parse2(item.clone()).and_then(|module| {
        let options = Options::parse(Of::Group, options)?;
        let registration = registration(&options, &module);
        let Module { attributes, visibility, name, rest } = module;
        // The compiler warns of an ignored module.
        let attributes = attributes.iter().filter(|attribute| !is_ignore(attribute));
        Ok(quote!(#(#attributes)* #visibility mod #name #rest #registration))
    });
    expanded.unwrap_or_else(|error| {
        let error = error.into_compile_error();
        quote!(#item #error)
    })
}

/// `mod name { content }`
struct Module {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    rest: TokenStream,
}

impl Module {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        Ok(Self { attributes, visibility, name: input.parse()?, rest: input.parse()? })
    }
}

fn is_ignore(attribute: &Attribute) -> bool {
    attribute.path().is_ident("ignore")
}

fn registration(options: &Options, module: &Module) -> TokenStream {
    let (krate, name) = (options.krate(), &module.name);
    let private = quote!(#krate::__private);
    let (settings, shown) = (options.settings(&private), optional(options.name.as_ref()));
    let ignored = options.is_ignored(module.attributes.iter().any(is_ignore));
    quote! {
        const _: () = {
            #private::inventory::submit! {
                #private::Group {
                    location: #private::place!(),
                    module: ::std::stringify!(#name),
                    name: #shown,
                    is_ignored: #ignored,
                    settings: || #settings,
                }
            }
        };
    }
}
