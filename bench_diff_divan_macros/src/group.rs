//! The code for a group: a constant next to the module, which the attributes in the module refer to.

use std::mem;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Token, Visibility, token};

use crate::options::{GROUP, Of, Options, optional};

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let parts = Module::read.parse2(item.clone()).and_then(|module| {
        let options = Options::parse(Of::Group, options)?;
        Ok(grouped(&options, &module))
    });
    parts.unwrap_or_else(|error| {
        let error = error.into_compile_error();
        quote!(#item #error)
    })
}

/// `mod name { content }`
struct Module {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    content: TokenStream,
}

impl Module {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(input.error("a group is a module with its content: `mod name { .. }`"));
        }
        let content;
        syn::braced!(content in input);
        Ok(Self { attributes, visibility, name, content: content.parse()? })
    }
}

fn grouped(options: &Options, module: &Module) -> TokenStream {
    let Module { attributes, visibility, name, content } = module;
    let krate = options.krate();
    let private = quote!(#krate::__private);
    let constant = format_ident!("__divan_group_{}", name.unraw());
    let content = inside(content.clone(), &constant, 1);
    let (settings, outer, shown) =
        (options.settings(&private), options.group(), optional(options.name.as_ref()));
    let has_ignore = |attribute: &Attribute| attribute.path().is_ident("ignore");
    let ignored = options.is_ignored(attributes.iter().any(has_ignore));
    let attributes = attributes.iter().filter(|attribute| !has_ignore(attribute));
    quote! {
        #(#attributes)*
        #visibility mod #name { #content }

        #[allow(dead_code, non_upper_case_globals)]
        const #constant: &#private::Group = &#private::Group {
            parent: ::std::module_path!(),
            name: #shown,
            is_ignored: #ignored,
            settings: || #settings,
            outer: #outer,
        };
    }
}

/// The code after adding the name of the group to each attribute of a benchmark or a group. The constant is
/// this many modules further up.
fn inside(code: TokenStream, constant: &Ident, depth: usize) -> TokenStream {
    let mut previous = Previous::Other;
    let named = code.into_iter().map(|token| {
        let next = previous.followed_by(&token);
        let before = mem::replace(&mut previous, next);
        match (token, before) {
            (TokenTree::Group(group), Previous::Hash) => {
                let parents = (0..depth).map(|_| format_ident!("super"));
                of_attribute(&group, &quote!(#(#parents ::)* #constant)).into()
            }
            (TokenTree::Group(group), before) => {
                let depth = depth + usize::from(matches!(before, Previous::NameOfModule));
                with_content(&group, inside(group.stream(), constant, depth)).into()
            }
            (other, _) => other,
        }
    });
    named.collect()
}

/// What precedes a token.
#[derive(Clone, Copy)]
enum Previous {
    /// The `#` of an attribute.
    Hash,
    Mod,
    NameOfModule,
    Other,
}

impl Previous {
    /// What precedes the token after this one.
    fn followed_by(self, token: &TokenTree) -> Self {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => Self::Hash,
            TokenTree::Ident(_) if matches!(self, Self::Mod) => Self::NameOfModule,
            TokenTree::Ident(ident) if ident == "mod" => Self::Mod,
            _ => Self::Other,
        }
    }
}

/// The attribute with an added option that names the group, if it is an attribute of this crate.
fn of_attribute(attribute: &Group, path: &TokenStream) -> Group {
    let mut name = None;
    let mut rest = TokenStream::new();
    let mut options = None;
    for token in attribute.stream() {
        match token {
            TokenTree::Group(group) if options.is_none() && group.delimiter() == Delimiter::Parenthesis => {
                options = Some(group.stream());
            }
            token => {
                if let TokenTree::Ident(ident) = &token {
                    name = Some(ident.to_string());
                }
                rest.extend([token]);
            }
        }
    }
    if !name.is_some_and(|name| ["bench", "bench_group"].contains(&&*name)) {
        return attribute.clone();
    }
    let group = Ident::new(GROUP, Span::call_site());
    let options = options.into_iter();
    with_content(attribute, quote!(#rest(#group = #path, #(#options)*)))
}

fn with_content(group: &Group, content: TokenStream) -> Group {
    let mut filled = Group::new(group.delimiter(), content);
    filled.set_span(group.span());
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attribute_gets_the_path_of_its_group() {
        let code = quote! {
            #[divan::bench]
            fn a() {}
            mod inner {
                #[inline]
                #[divan::bench(args = [1])]
                fn b(n: u8) { #[bench] fn c() {} }
                #[divan::bench_group(name = "x")]
                mod deeper {}
            }
        };
        let expected = quote! {
            #[divan::bench(__group = super::math,)]
            fn a() {}
            mod inner {
                #[inline]
                #[divan::bench(__group = super::super::math, args = [1])]
                fn b(n: u8) { #[bench(__group = super::super::math,)] fn c() {} }
                #[divan::bench_group(__group = super::super::math, name = "x")]
                mod deeper {}
            }
        };
        assert_eq!(inside(code, &format_ident!("math"), 1).to_string(), expected.to_string());
    }
}
