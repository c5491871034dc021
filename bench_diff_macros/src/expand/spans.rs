//! The spans of generated code, by which rustc shows errors on the user's source.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// A variable that cannot collide with the user's names.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The location of errors about generated code: all tokens of an option.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let first = tokens.next().map_or_else(Span::mixed_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        let at = |span| Span::mixed_site().located_at(span);
        Self { first: at(first), last: at(last) }
    }

    pub(crate) fn span(self) -> Span {
        self.first
    }

    pub(crate) fn local(self, name: &str) -> Ident {
        Ident::new(name, self.first)
    }

    /// A path without groups. Its names keep their meaning.
    pub(crate) fn path(self, path: &TokenStream) -> TokenStream {
        let located = path.clone().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(self.first));
            token
        });
        located.collect()
    }

    /// A closure without parameters.
    pub(crate) fn closure(self, body: &TokenStream) -> TokenStream {
        quote_spanned!(self.first=> || #body)
    }

    /// `&*value` or `&mut *value`: a borrow that may deref-coerce.
    pub(crate) fn reborrow(self, mutably: bool, value: &str) -> TokenStream {
        let value = Ident::new(value, self.last);
        let star = quote_spanned!(self.first=> *);
        self.ampersand(mutably, &quote!(#star #value))
    }

    /// `&value` or `&mut value`.
    pub(crate) fn reference(self, mutably: bool, value: &str) -> TokenStream {
        self.ampersand(mutably, &Ident::new(value, self.last))
    }

    fn ampersand(self, mutably: bool, value: &impl ToTokens) -> TokenStream {
        if mutably { quote_spanned!(self.first=> &mut #value) } else { quote_spanned!(self.first=> &#value) }
    }

    /// A clone of the arg.
    pub(crate) fn arg(self) -> TokenStream {
        let arg = self.local("arg");
        let get = quote_spanned!(self.first=> .get);
        self.call(&quote!(#arg #get), &TokenStream::new())
    }

    pub(crate) fn call(self, function: &impl ToTokens, arguments: &TokenStream) -> TokenStream {
        let arguments = quote_spanned!(self.last=> (#arguments));
        quote!(#function #arguments)
    }
}
