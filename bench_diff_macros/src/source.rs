//! The items of a source file and of its modules, and the items that an item names.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::Digested;
use crate::source_file::{Kind, SourceItem, items_of};

/// The items of a file, and of the files of its modules that have been needed so far.
pub(crate) struct Source {
    items: Vec<SourceItem>,
    /// The file of each item, as an index into `read`.
    file_of: Vec<usize>,
    /// The items of each name, in the order of the files.
    by_name: HashMap<String, Vec<usize>>,
    /// The files that have been read.
    read: Vec<PathBuf>,
}

impl Source {
    /// The file with this text; `None` if it is not Rust.
    pub(crate) fn new(text: &str, path: &Path) -> Option<Self> {
        let items = items_of(text, path)?;
        let (file_of, by_name, read) = (Vec::new(), HashMap::new(), vec![path.to_owned()]);
        let mut source = Self { items: Vec::new(), file_of, by_name, read };
        source.add(items, &[]);
        Some(source)
    }

    /// This file; `None` if it cannot be read or is not Rust.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        Self::new(&fs::read_to_string(path).ok()?, path)
    }

    fn add(&mut self, items: Vec<SourceItem>, modules: &[String]) {
        let first = self.items.len();
        let file = self.read.len() - 1;
        for item in items {
            for name in &item.names {
                self.by_name.entry(name.clone()).or_default().push(self.items.len());
            }
            self.file_of.push(file);
            self.items.push(SourceItem { modules: [modules, &item.modules].concat(), ..item });
        }
        // A glob import may provide any name, so its modules are read at once.
        let all = (first..self.items.len()).filter(|index| self.items[*index].kind == Kind::UseAll);
        let words: Vec<String> = all.flat_map(|index| self.items[index].words.to_vec()).collect();
        self.read_modules(&words);
    }

    /// Reads the files of the modules with these names, and of the modules from which one of these names is
    /// imported.
    fn read_modules(&mut self, words: &[String]) {
        loop {
            let before = self.read.len();
            let mut names = words.to_vec();
            for index in words.iter().filter_map(|word| self.by_name.get(word)).flatten() {
                if matches!(self.items[*index].kind, Kind::Use { .. }) {
                    names.extend_from_slice(&self.items[*index].words);
                }
            }
            for name in names {
                for index in self.by_name.get(&name).cloned().unwrap_or_default() {
                    self.read_module(index);
                }
            }
            // The new files may import more.
            if self.read.len() == before {
                return;
            }
        }
    }

    /// Reads the file of this item, if it is a module in another file.
    fn read_module(&mut self, index: usize) {
        let SourceItem { names, modules, kind: Kind::Module(files), .. } = &self.items[index] else { return };
        let file = files.iter().find(|path| path.is_file()).filter(|path| !self.read.contains(path));
        if let Some(path) = file.cloned() {
            let modules = [&**modules, names].concat();
            let items = fs::read_to_string(&path).ok().and_then(|text| items_of(&text, &path));
            self.read.push(path);
            self.add(items.unwrap_or_default(), &modules);
        }
    }

    /// The function with this name in these modules, or else the first macro call that contains the name and
    /// may declare it.
    pub(crate) fn find(&mut self, name: &str, modules: &[String]) -> Option<usize> {
        self.read_modules(&[modules, &[name.to_owned()]].concat());
        let name = self.declared_as(name);
        let is_in_modules = |index: &usize| self.items[*index].modules.ends_with(modules);
        let mut of_name = self.by_name.get(name).into_iter().flatten().copied();
        let mut calls = (0..self.items.len()).filter(|index| self.items[*index].kind == Kind::MacroCall);
        of_name.find(|index| self.items[*index].kind == Kind::Function && is_in_modules(index)).or_else(
            || {
                calls.find(|index| {
                    is_in_modules(index) && self.items[*index].words.iter().any(|word| word == name)
                })
            },
        )
    }

    /// The original name if this one is imported, or else this one.
    pub(crate) fn declared_as<'n>(&'n self, name: &'n str) -> &'n str {
        let mut kinds = self.by_name.get(name).into_iter().flatten().map(|index| &self.items[*index].kind);
        match kinds.next() {
            Some(Kind::Use { original }) if kinds.all(|kind| matches!(kind, Kind::Use { .. })) => original,
            _ => name,
        }
    }

    /// The file of an item, unless it is the first file.
    pub(crate) fn other_file_of(&self, index: usize) -> Option<PathBuf> {
        let file = self.file_of[index];
        (file > 0).then(|| self.read[file].clone())
    }

    /// The tokens of this item, of all items that it names, and of those that these name, in the order in
    /// which they are named. If a name is declared in the file of the item, declarations in other files don't
    /// count.
    pub(crate) fn reached_from(&mut self, index: usize) -> impl Iterator<Item = &Digested> {
        self.all_reached(vec![index])
    }

    /// The tokens of all items that these words of the first file name, and of those that these name.
    pub(crate) fn reached_by(&mut self, words: &[String]) -> impl Iterator<Item = &Digested> {
        let named = self.named_by(words, 0);
        self.all_reached(named)
    }

    /// The tokens of these items, and of all that are reached from them.
    fn all_reached(&mut self, mut reached: Vec<usize>) -> impl Iterator<Item = &Digested> {
        let mut done = 0;
        while let Some(index) = reached.get(done).copied() {
            let words = self.items[index].words.clone();
            let mut named = self.named_by(&words, self.file_of[index]);
            named.retain(|named| !reached.contains(named));
            reached.extend(named);
            done += 1;
        }
        reached.into_iter().map(|index| &*self.items[index].digested)
    }

    /// The items that these words of a file name, each once.
    fn named_by(&mut self, words: &[String], file: usize) -> Vec<usize> {
        self.read_modules(words);
        let mut all = Vec::new();
        for word in words {
            let mut named = self.by_name.get(self.declared_as(word)).cloned().unwrap_or_default();
            named.retain(|named| {
                matches!(self.items[*named].kind, Kind::Function | Kind::MacroCall | Kind::Other)
            });
            let is_in_file = |named: &usize| self.file_of[*named] == file;
            if named.iter().any(is_in_file) {
                named.retain(is_in_file);
            }
            named.retain(|named| !all.contains(named));
            all.extend(named);
        }
        all
    }
}
