//! A digest of the work of a benchmark, by which two revisions of a program are compared.

use std::fs;
use std::iter;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::LitStr;

/// The attributes of a function, and of the code inside it, that do not affect its work.
const WITHOUT_WORK: [&str; 5] = ["doc", "bench_diff", "ignore", "allow", "expect"];

/// The digest of a `same_work` text, which replaces the other digest.
pub(crate) fn of_text(text: &str) -> u64 {
    of_items(text, iter::empty())
}

/// The digest of a function's path and of the items that define its work.
pub(crate) fn of_items<'a>(path: &str, items: impl Iterator<Item = &'a Digested>) -> u64 {
    let mut digested = Digested::default();
    digested.word(path);
    for item in items {
        digested.add(item);
    }
    digested.digest()
}

/// The words of tokens that a digest covers. Each ends with a byte that does not occur in text.
#[derive(Default)]
pub(crate) struct Digested(Vec<u8>);

impl Digested {
    pub(crate) fn of(tokens: TokenStream) -> Self {
        let mut digested = Self::default();
        digested.tokens(tokens);
        digested
    }

    pub(crate) fn digest(&self) -> u64 {
        fnv_1a(&self.0)
    }

    /// Adds the words of another digest.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    pub(crate) fn word(&mut self, word: &str) {
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(0xff);
    }

    pub(crate) fn tokens(&mut self, tokens: TokenStream) {
        for token in with_work(tokens) {
            match token {
                TokenTree::Group(group) => self.group(&group),
                token => self.word(&token.to_string()),
            }
        }
    }

    /// Adds the contents of the files that these tokens of a file include as data by their paths.
    pub(crate) fn included(&mut self, tokens: &TokenStream, file: &Path) {
        let tokens = with_work(tokens.clone());
        for (index, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            match included_path(&tokens[..index], group) {
                Some(path) => {
                    let data = fs::read(file.with_file_name(path)).unwrap_or_default();
                    self.word(&fnv_1a(&data).to_string());
                }
                None => self.included(&group.stream(), file),
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let [open, close] = match group.delimiter() {
            Delimiter::Parenthesis => ["(", ")"],
            Delimiter::Brace => ["{", "}"],
            Delimiter::Bracket => ["[", "]"],
            Delimiter::None => ["", ""],
        };
        self.word(open);
        self.tokens(group.stream());
        self.word(close);
    }
}

/// The path of the data that a macro call includes; `call` are the tokens up to its arguments.
fn included_path(call: &[TokenTree], arguments: &Group) -> Option<String> {
    let [.., TokenTree::Ident(name), TokenTree::Punct(mark)] = call else { return None };
    let is_include =
        mark.as_char() == '!' && ["include_str", "include_bytes"].iter().any(|other| name == other);
    let path = arguments.stream().into_iter().next().filter(|_| is_include)?;
    Some(syn::parse2::<LitStr>(path.into()).ok()?.value())
}

/// FNV-1a, which is the same in every compilation and version of the compiler.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// These tokens without the attributes that do not affect the work; groups are returned whole.
pub(crate) fn with_work(tokens: TokenStream) -> Vec<TokenTree> {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        let may_be_attribute = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let is_left_out = |next: &TokenTree| matches!(next, TokenTree::Group(group) if !has_work(group));
        let is_inner = |next: &TokenTree| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!');
        if may_be_attribute {
            // Inner attributes are treated like outer ones.
            tokens.next_if(is_inner);
            if tokens.next_if(is_left_out).is_some() {
                continue;
            }
        }
        kept.push(token);
    }
    kept
}

/// Returns whether an attribute, by its tokens between the brackets, may affect the work.
fn has_work(attribute: &Group) -> bool {
    let mut path = Vec::new();
    for token in attribute.stream() {
        match token {
            TokenTree::Ident(ident) => path.push(ident),
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            _ => break,
        }
    }
    path.last().is_none_or(|name| !WITHOUT_WORK.iter().any(|other| name == other))
}
