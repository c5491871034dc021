//! The line of a function of which a macro knows only the path.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

/// The line of the function with this path in this file, or 0.
pub(crate) fn expand(path: TokenStream, file: Option<&Path>) -> TokenStream {
    let path: syn::Path = match syn::parse2(path) {
        Ok(path) => path,
        Err(error) => return error.into_compile_error(),
    };
    let text = file.and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    let name = path.segments.last().map(|part| part.ident.unraw().to_string()).unwrap_or_default();
    let line = line_of(&name, &text);
    quote!(#line)
}

/// The source file that contains the first of these tokens.
pub(crate) fn file_of(tokens: proc_macro::TokenStream) -> Option<PathBuf> {
    use proc_macro::TokenTree;

    match tokens.into_iter().next()? {
        TokenTree::Group(group) => file_of(group.stream()),
        token => token.span().local_file(),
    }
}

/// The line that declares a function of this name, or else the first line that contains the name.
fn line_of(name: &str, text: &str) -> u32 {
    let is_part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut named = 0;
    for (line, code) in (1..).zip(text.lines()) {
        let code = code.split("//").next().unwrap_or_default();
        let words: Vec<&str> = code.split(|c| !is_part_of_word(c)).filter(|word| !word.is_empty()).collect();
        if words.windows(2).any(|pair| pair == ["fn", name]) {
            return line;
        }
        if named == 0 && words.contains(&name) {
            named = line;
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_where_it_is_declared_or_first_named() {
        const FILE: &str = "//! Benches; fn sums is below.
use criterion::{Criterion, criterion_group};
// fn sums(c: &mut Criterion) {}
pub fn sums(c: &mut Criterion) {}
mod inner {
    pub fn nested(c: &mut Criterion) {}
}
bench!(of_macro, 5);
criterion_group!(benches, sums, inner::nested, of_macro);
";
        let lines = ["sums", "nested", "of_macro", "elsewhere"].map(|name| line_of(name, FILE));
        assert_eq!(lines, [4, 6, 8, 0]);
    }

    #[test]
    fn the_expansion_is_a_number() {
        assert_eq!(expand(quote!(sums), None).to_string(), "0u32");
        assert!(expand(quote!(1), None).to_string().contains("compile_error"));
    }
}
