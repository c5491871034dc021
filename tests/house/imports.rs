//! A small reader of the imports of a crate, which takes the source for what rustfmt makes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a module from the root of its crate, which is empty.
type Module = Vec<String>;

/// The modules of a crate, and who uses whom.
pub(crate) struct House {
    modules: BTreeSet<Module>,
    arrows: Vec<Arrow>,
}

struct Arrow {
    /// The file and the line.
    place: String,
    from: Module,
    to: Module,
}

impl House {
    /// The crate in this folder.
    pub(crate) fn read(src: &Path) -> Self {
        let text = |path: &PathBuf| fs::read_to_string(path).expect("a source file can be read");
        let relative = |path: &PathBuf| path.strip_prefix(src).expect("it lies in the folder").to_owned();
        Self::of(files(src).iter().map(|path| (relative(path), text(path))))
    }

    /// The crate of these files, by their paths inside of its folder. What is compiled for tests alone does
    /// not count.
    pub(crate) fn of(files: impl Iterator<Item = (PathBuf, String)>) -> Self {
        let mut sources: Vec<_> =
            files.map(|(path, text)| (module(&path), path.display().to_string(), text)).collect();
        let tests: Vec<Module> =
            sources.iter().flat_map(|(module, _, text)| modules_of_tests(module, text)).collect();
        sources.retain(|(module, ..)| !tests.iter().any(|test| module.starts_with(test)));

        let modules: BTreeSet<Module> = sources.iter().map(|(module, ..)| module.clone()).collect();
        let doors: BTreeMap<Module, Module> =
            sources.iter().flat_map(|(module, _, text)| re_exports(module, &production(text))).collect();
        let known = |mut path: Module| {
            // A name that a front door re-exports is that of a module behind it.
            while let Some((behind, at)) = (1..=path.len())
                .filter(|at| !modules.contains(&path[..*at]))
                .find_map(|at| Some((doors.get(&path[..at])?, at)))
            {
                path = [behind.as_slice(), &path[at..]].concat();
            }
            while !path.is_empty() && !modules.contains(&path) {
                path.pop();
            }
            path
        };
        let arrows = sources.iter().flat_map(|(from, path, text)| {
            // An exported macro stands at the root, wherever it is written, and what it makes `main` of.
            let is_macro =
                |path: &Module| path.first().is_some_and(|name| name.starts_with("__") || name == "main");
            let imports = imports(from, &production(text)).into_iter().filter(move |(_, to)| !is_macro(to));
            imports.map(move |(line, to)| Arrow {
                place: format!("{path}:{line}"),
                from: from.clone(),
                to: known(to),
            })
        });
        Self { arrows: arrows.collect(), modules }
    }

    /// The pairs of top-level modules of which one uses the other.
    pub(crate) fn arrows_between_rooms(&self) -> usize {
        self.edges(&[]).values().map(BTreeSet::len).sum()
    }

    /// The imports against this order, in which a module may use those that stand before it, and circles.
    pub(crate) fn complaints(&self, order: &[&str]) -> Vec<String> {
        let place = |room: &str| order.iter().position(|name| *name == room);
        let rooms: BTreeSet<&str> =
            self.modules.iter().filter_map(|module| module.first()).map(String::as_str).collect();
        let unknown = rooms
            .iter()
            .filter(|room| place(room).is_none())
            .map(|room| format!("{room} is not in the order"));
        let missing = order
            .iter()
            .filter(|room| !rooms.contains(*room))
            .map(|room| format!("{room} is in the order, and there is no such module"));
        let against =
            self.arrows.iter().filter_map(|Arrow { place: at, from, to }| match (from.first(), to.first()) {
                (Some(from), None) => Some(format!("{at}: {from} uses the crate's root: name the module")),
                (Some(from), Some(to)) if place(from) < place(to) => {
                    Some(format!("{at}: {from} uses {to}, which stands below it"))
                }
                _ => None,
            });
        let circles = self.modules.iter().filter(|module| !module.is_empty()).filter_map(|module| {
            let circle = circle(self.edges(module));
            (!circle.is_empty())
                .then(|| format!("{}: {} use each other in a circle", module.join("::"), circle.join(", ")))
        });
        unknown.chain(missing).chain(against).chain(circles).collect()
    }

    /// Which of the modules right below this one use which others of them.
    fn edges<'a>(&'a self, parent: &[String]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let child = |module: &'a Module| module.strip_prefix(parent)?.first().map(String::as_str);
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for Arrow { from, to, .. } in &self.arrows {
            if let (Some(from), Some(to)) = (child(from), child(to))
                && from != to
            {
                edges.entry(from).or_default().insert(to);
            }
        }
        edges
    }
}

/// The modules in circles: those left when modules that use nothing that is left, or that nothing that is
/// left uses, are taken away.
fn circle<'a>(mut edges: BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<&'a str> {
    loop {
        let (users, before) = (edges.clone(), edges.len());
        edges.retain(|module, used| {
            used.iter().any(|used| users.contains_key(used))
                && users.values().any(|used| used.contains(module))
        });
        if edges.len() == before {
            return edges.into_keys().collect();
        }
    }
}

/// The files of a crate, in the order of their paths.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of a crate can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    let files = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(files).filter(|path| path.extension().is_some_and(|ext| ext == "rs")).collect()
}

/// The module of a file, by its path.
fn module(path: &Path) -> Module {
    let path = path.with_extension("");
    let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    parts.filter(|part| !["lib", "main", "mod"].contains(&part.as_str())).collect()
}

/// The files that this one declares for tests.
fn modules_of_tests(module: &Module, text: &str) -> Vec<Module> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]").filter_map(|pair| {
        let declaration = pair[1].strip_suffix(';')?;
        declaration.split(' ').skip_while(|word| *word != "mod").nth(1)
    });
    declared.map(|name| [module.as_slice(), &[name.to_owned()]].concat()).collect()
}

/// The text without comments and without what stands in it for tests, with as many lines.
pub(crate) fn production(text: &str) -> String {
    let mut end_of_tests: Option<String> = None;
    let mut lines = text.lines().peekable();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.ends_with('{')) {
            end_of_tests.get_or_insert_with(|| format!("{indent}}}"));
        }
        if end_of_tests.is_none() {
            kept.push_str(line.split("//").next().unwrap_or_default());
        }
        if end_of_tests.as_deref() == Some(line) {
            end_of_tests = None;
        }
        kept.push('\n');
    }
    kept
}

/// The paths that a text names from the root or from the parent of its module, with the lines where they
/// begin.
fn imports(from: &Module, text: &str) -> Vec<(usize, Module)> {
    let mut found = Vec::new();
    for (start, word) in ["crate::", "super::"].iter().flat_map(|word| text.match_indices(word)) {
        // `$crate::` is the crate of whoever calls a macro, and what follows another `super::` was read with
        // that one.
        if text[..start].ends_with(|before: char| before.is_alphanumeric() || "_:$".contains(before)) {
            continue;
        }
        let mut rest = &text[start + word.len()..];
        let mut base = if word == "crate::" { Module::new() } else { parent(from) };
        while let Some(further) = rest.strip_prefix("super::") {
            (rest, base) = (further, parent(&base));
        }
        let line = 1 + text[..start].matches('\n').count();
        let mut paths = Vec::new();
        tree(rest, base, &mut paths);
        found.extend(paths.into_iter().map(|path| (line, path)));
    }
    found.sort();
    found
}

/// The names that a module takes from those below it, each with its path there.
fn re_exports(module: &Module, text: &str) -> Vec<(Module, Module)> {
    let uses = text.match_indices("use ").filter_map(|(at, word)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let is_use = line.is_empty() || line.starts_with("pub");
        let path = text[at + word.len()..].trim_start_matches("self::");
        is_use
            .then_some(path)
            .filter(|path| !["crate::", "super::"].iter().any(|start| path.starts_with(start)))
    });
    let mut paths = Vec::new();
    uses.for_each(|path| _ = tree(path, module.clone(), &mut paths));
    let named = |path: Module| {
        let name = [module.as_slice(), path.last().map(std::slice::from_ref)?].concat();
        (path.len() > module.len() + 1).then_some((name, path))
    };
    paths.into_iter().filter_map(named).collect()
}

fn parent(module: &Module) -> Module {
    module.split_last().map_or(Module::new(), |(_, parent)| parent.to_vec())
}

/// Adds the paths of a tree of imports below `base` and returns what follows it.
fn tree<'a>(text: &'a str, mut base: Module, paths: &mut Vec<Module>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() || rest.starts_with('}') {
                return rest.strip_prefix('}').unwrap_or(rest);
            }
            rest = tree(rest, base.clone(), paths);
            // A new name, as in `as _`.
            rest = rest.trim_start_matches(|c| c != ',' && c != '}');
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name != "self" && !name.is_empty() {
        base.push(name.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(rest) if !name.is_empty() => tree(rest, base, paths),
        _ => {
            paths.push(base);
            rest
        }
    }
}
