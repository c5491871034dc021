//! The items of a source file, and the files that may contain its modules.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, ExprLit, FnArg, Item, ItemFn, ItemMacro, ItemMod, Lit, Meta, Pat, PatType, Signature,
    Type, UseTree,
};

use crate::digest::{Digested, with_work};

/// The macros of Criterion, which name functions that are declared elsewhere.
const OF_CRITERION: [&str; 2] = ["criterion_group", "criterion_main"];

/// The words before a declared name.
const DECLARE: [&str; 5] = ["fn", "const", "static", "ref", "mut"];

/// An item with a name. It is a copy of what the compiler parsed, which lasts only for one macro call.
#[derive(Clone)]
pub(crate) struct SourceItem {
    /// The names that it declares.
    pub(crate) names: Vec<String>,
    /// The modules that contain it, starting with the module of the file.
    pub(crate) modules: Vec<String>,
    /// Its identifiers and keywords, in order.
    pub(crate) words: Rc<[String]>,
    pub(crate) digested: Rc<Digested>,
    pub(crate) kind: Kind,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Function,
    MacroCall,
    Other,
    /// `mod name;`. The first of these files that exists has its content.
    Module(Vec<PathBuf>),
    /// `use path::to::original as name;`
    Use {
        original: String,
    },
    /// `use path::to::*;`
    UseAll,
}

thread_local! {
    /// The files that this compiler has parsed: each of a hundred benchmarks may need the same one.
    static PARSED: RefCell<HashMap<PathBuf, Parsed>> = RefCell::default();
}

struct Parsed {
    text: String,
    items: Option<Vec<SourceItem>>,
}

/// The items of a file with this text and path; `None` if it is not Rust.
pub(crate) fn items_of(text: &str, path: &Path) -> Option<Vec<SourceItem>> {
    PARSED.with_borrow_mut(|parsed| {
        if let Some(before) = parsed.get(path).filter(|before| before.text == text) {
            return before.items.clone();
        }
        let items = parsed_items(text, path);
        parsed.insert(path.to_owned(), Parsed { text: text.to_owned(), items: items.clone() });
        items
    })
}

fn parsed_items(text: &str, path: &Path) -> Option<Vec<SourceItem>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut file = File { items: Vec::new(), path, folder, own_folder: own_folder(path) };
    file.add(syn::parse_file(text).ok()?.items, &[]);
    Some(file.items)
}

/// The folder with the modules of a file, if the file is not the root of a crate.
fn own_folder(path: &Path) -> PathBuf {
    let is_front =
        path.file_stem().is_some_and(|stem| ["main", "lib", "mod"].iter().any(|name| stem == *name));
    if is_front { path.with_file_name("") } else { path.with_extension("") }
}

struct File<'a> {
    items: Vec<SourceItem>,
    path: &'a Path,
    folder: &'a Path,
    own_folder: PathBuf,
}

impl File<'_> {
    fn add(&mut self, items: Vec<Item>, modules: &[String]) {
        for item in items {
            if let Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) = item {
                self.add(items, &[modules, &[text(&ident)]].concat());
                continue;
            }
            let tokens = item.to_token_stream();
            let mut words = words_of(&tokens);
            if let Item::Fn(function) = &item {
                hide_parameters(&mut words, &function.sig);
            }
            let words = words.into();
            let mut digested = Digested::of(tokens.clone());
            digested.included(&tokens, self.path);
            let digested = Rc::new(digested);
            let (kind, names) = match item {
                Item::Mod(module) => {
                    let name = text(&module.ident);
                    (Kind::Module(self.files_of(&module.attrs, modules, &name)), vec![name])
                }
                Item::Use(item) => {
                    self.add_uses(&item.tree, modules, &words, &digested);
                    continue;
                }
                // Benchmarks rarely call each other, and their names are often those of methods.
                Item::Fn(function) if is_benchmark(&function) => continue,
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
                Item::Macro(call) if !is_of_criterion(&call) => (Kind::MacroCall, declared_in(&words)),
                _ => continue,
            };
            self.items.push(SourceItem { names, modules: modules.to_vec(), words, digested, kind });
        }
    }

    fn add_uses(
        &mut self,
        tree: &UseTree,
        modules: &[String],
        words: &Rc<[String]>,
        digested: &Rc<Digested>,
    ) {
        let (name, kind) = match tree {
            UseTree::Path(path) => return self.add_uses(&path.tree, modules, words, digested),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_uses(tree, modules, words, digested));
            }
            UseTree::Name(name) => (Some(text(&name.ident)), Kind::Use { original: text(&name.ident) }),
            UseTree::Rename(name) => (Some(text(&name.rename)), Kind::Use { original: text(&name.ident) }),
            UseTree::Glob(_) => (None, Kind::UseAll),
        };
        let (names, modules) = (name.into_iter().collect(), modules.to_vec());
        self.items.push(SourceItem {
            names,
            modules,
            words: words.clone(),
            digested: digested.clone(),
            kind,
        });
    }

    /// The files that may contain a module without content. The modules of a crate's root are next to it, but
    /// it is unknown which file is the root. A module of the package's sources may be the code to measure, so
    /// it has none.
    fn files_of(&self, attributes: &[Attribute], modules: &[String], name: &str) -> Vec<PathBuf> {
        if let Some(path) = attributes.iter().find_map(path_of) {
            let is_source = path.split(['/', '\\']).any(|folder| folder == "src");
            return if modules.is_empty() && !is_source { vec![self.folder.join(path)] } else { Vec::new() };
        }
        let files = [&*self.own_folder, self.folder].map(|folder| {
            let folder = folder.join(modules.iter().collect::<PathBuf>());
            [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")]
        });
        files.concat()
    }
}

/// The value of `#[path = ".."]`.
fn path_of(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("path") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

fn is_benchmark(function: &ItemFn) -> bool {
    let names = ["bench", "bench_diff"];
    let is_bench = |attribute: &Attribute| {
        attribute.path().segments.last().is_some_and(|last| names.iter().any(|name| last.ident == *name))
    };
    function.attrs.iter().any(is_bench)
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

/// The declared names among these words.
fn declared_in(words: &[String]) -> Vec<String> {
    let pairs = words.windows(2).filter(|pair| DECLARE.contains(&pair[0].as_str()));
    pairs.map(|pair| pair[1].clone()).filter(|name| !DECLARE.contains(&name.as_str())).collect()
}

/// The identifiers and keywords that may affect the work, in order.
pub(crate) fn words_of(tokens: &TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for token in with_work(tokens.clone()) {
        match token {
            TokenTree::Group(group) => words.extend(words_of(&group.stream())),
            TokenTree::Ident(word) => words.push(text(&word)),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    words
}

/// Removes the names of a function's parameters from its words: items often have the same names.
pub(crate) fn hide_parameters(words: &mut Vec<String>, function: &Signature) {
    let names = function.inputs.iter().filter_map(|parameter| match parameter {
        FnArg::Typed(PatType { pat, .. }) => match &**pat {
            Pat::Ident(name) => Some(text(&name.ident)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let names: Vec<String> = names.collect();
    words.retain(|word| !names.contains(word));
}

fn text(word: &Ident) -> String {
    word.unraw().to_string()
}
