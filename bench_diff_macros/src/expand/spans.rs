use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// A variable that no name of the user's can meet.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Where an error about generated code is to stand: under all tokens of an option.
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

    pub(crate) fn local(self, name: &str) -> Ident {
        Ident::new(name, self.first)
    }

    /// `&*value` or `&mut *value`: a borrow that may become a borrow of what the value derefs to.
    pub(crate) fn borrow(self, mutably: bool, value: &str) -> TokenStream {
        let value = Ident::new(value, self.last);
        if mutably {
            quote_spanned!(self.first=> &mut *#value)
        } else {
            quote_spanned!(self.first=> &*#value)
        }
    }

    /// A call of a variable.
    pub(crate) fn call(self, function: &str, arguments: &TokenStream) -> TokenStream {
        let function = self.local(function);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
        arguments.set_span(self.last);
        [TokenTree::Ident(function), TokenTree::Group(arguments)].into_iter().collect()
    }
}
