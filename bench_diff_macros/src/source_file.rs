//! The items of a source file, and which of them name which.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Item, ItemMacro, Type};

/// The macros of Criterion, which name the functions that others declare.
const OF_CRITERION: [&str; 2] = ["criterion_group", "criterion_main"];

/// The words in front of the name of what they declare.
const DECLARE: [&str; 5] = ["fn", "const", "static", "ref", "mut"];

/// The items of a file that have a name.
pub(crate) struct SourceFile {
    items: Vec<SourceItem>,
    /// The items of each name, in the order of the file.
    by_name: HashMap<String, Vec<usize>>,
}

struct SourceItem {
    /// The modules of the file that it is in.
    modules: Vec<String>,
    tokens: TokenStream,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Function,
    MacroCall,
    Other,
}

impl SourceFile {
    /// Reads a file; `None` if it is no Rust.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut file = Self { items: Vec::new(), by_name: HashMap::new() };
        file.add(syn::parse_file(text).ok()?.items, &[]);
        Some(file)
    }

    fn add(&mut self, items: Vec<Item>, modules: &[String]) {
        for item in items {
            let tokens = item.to_token_stream();
            let (kind, names) = match item {
                Item::Mod(module) => {
                    let inner = [modules, &[text(&module.ident)]].concat();
                    self.add(module.content.map(|(_, items)| items).unwrap_or_default(), &inner);
                    continue;
                }
                Item::Fn(function) => (Kind::Function, vec![text(&function.sig.ident)]),
                Item::Const(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Static(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Struct(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Enum(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Union(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Type(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Trait(item) => (Kind::Other, vec![text(&item.ident)]),
                Item::Impl(item) => (Kind::Other, name_of_type(&item.self_ty).into_iter().collect()),
                Item::Macro(ItemMacro { ident: Some(name), .. }) => (Kind::Other, vec![text(&name)]),
                Item::Macro(call) if !is_of_criterion(&call) => {
                    (Kind::MacroCall, declared_in(&words_of(&tokens)))
                }
                _ => continue,
            };
            for name in names {
                self.by_name.entry(name).or_default().push(self.items.len());
            }
            self.items.push(SourceItem { modules: modules.to_vec(), tokens, kind });
        }
    }

    /// The function of this name in these modules, or the first call of a macro that names it and may declare
    /// it.
    pub(crate) fn find(&self, name: &str, modules: &[String]) -> Option<usize> {
        let mut of_name = self.by_name.get(name).into_iter().flatten().copied();
        let mut calls = (0..self.items.len()).filter(|place| self.items[*place].kind == Kind::MacroCall);
        let is_there = |place: &usize| self.items[*place].modules.ends_with(modules);
        of_name.find(|place| self.items[*place].kind == Kind::Function && is_there(place)).or_else(|| {
            calls.find(|place| {
                is_there(place) && words_of(&self.items[*place].tokens).iter().any(|word| word == name)
            })
        })
    }

    /// The tokens of this item and of all that it names, and that these name, in the order in which they are
    /// named.
    pub(crate) fn reached_from(&self, place: usize) -> impl Iterator<Item = &TokenStream> {
        let mut reached = vec![place];
        let mut done = 0;
        while let Some(place) = reached.get(done) {
            for word in words_of(&self.items[*place].tokens) {
                for named in self.by_name.get(&word).into_iter().flatten() {
                    if !reached.contains(named) {
                        reached.push(*named);
                    }
                }
            }
            done += 1;
        }
        reached.into_iter().map(|place| &self.items[place].tokens)
    }
}

fn is_of_criterion(call: &ItemMacro) -> bool {
    call.mac.path.segments.last().is_some_and(|name| OF_CRITERION.iter().any(|other| name.ident == other))
}

fn name_of_type(kind: &Type) -> Option<String> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|name| text(&name.ident)),
        _ => None,
    }
}

/// The names that these words declare.
fn declared_in(words: &[String]) -> Vec<String> {
    let pairs = words.windows(2).filter(|pair| DECLARE.contains(&pair[0].as_str()));
    pairs.map(|pair| pair[1].clone()).filter(|name| !DECLARE.contains(&name.as_str())).collect()
}

/// The identifiers and keywords, in their order.
fn words_of(tokens: &TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => words.extend(words_of(&group.stream())),
            TokenTree::Ident(word) => words.push(text(&word)),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    words
}

fn text(word: &Ident) -> String {
    word.unraw().to_string()
}
