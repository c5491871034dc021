//! Names of variables.

use proc_macro2::{Ident, Span};

/// A variable that cannot collide with the user's names.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
