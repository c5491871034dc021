//! The source files of a bench in both trees: which of them differ, and whether they only gained items.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bench_diff_system::files::slashed;
use bench_diff_system::input;
use bench_diff_system::order::in_order;
use bench_diff_system::rustc_call::sources;
use bench_diff_system::text::few;

use super::bench::Build;
use super::manifest::{MANIFEST, resolved};

/// The files from which the bench was compiled, by their paths in the working tree. Those below `src` are the
/// code that a run compares, and cargo's own are made anew for each side.
pub(super) fn of_bench(build: &Build<'_>) -> Vec<PathBuf> {
    let Build { call, top, .. } = build;
    let root = call.folder.join(build.bench.file);
    let target = call.profile().map(|(target, _)| target);
    let sources = call.dep_info().map_or_else(Vec::new, |path| sources(&path));
    let mut files = Vec::new();
    for path in [root.clone()].into_iter().chain(sources) {
        let path = resolved(&call.folder.join(path));
        let is_built = target.as_ref().is_some_and(|target| path.starts_with(target));
        if let Ok(file) = path.strip_prefix(top)
            && path.is_file()
            && !is_built
            && (path == root || !is_in_source_folder(file, top))
        {
            files.push(file.to_owned());
        }
    }
    in_order(files)
}

/// Returns whether a file of the tree with this root is in the folder `src` of its package.
fn is_in_source_folder(file: &Path, top: &Path) -> bool {
    let package = file.ancestors().skip(1).find(|folder| top.join(folder).join(MANIFEST).is_file());
    package.is_some_and(|package| file.starts_with(package.join("src")))
}

/// How the files of a bench differ between the old tree and the working tree.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// The files that differ or are new, by their paths in the working tree.
    pub(super) files: Vec<String>,
    /// True if all of them are sources that lost nothing, and gained whole items.
    pub(super) only_gained: bool,
}

impl Differences {
    /// Compares pairs of files, the old one first: the bench's root, and then its other files.
    pub(super) fn of(top: &Path, pairs: &[(PathBuf, PathBuf)]) -> Self {
        let mut differences = Self { files: Vec::new(), only_gained: true };
        for (old, new) in pairs {
            let [old_text, new_text] = [old, new].map(|path| input::read(path, u64::MAX).ok());
            if old_text == new_text {
                continue;
            }
            let is_source = new.extension().is_some_and(|extension| extension == "rs");
            let [old_text, new_text] = [old_text, new_text]
                .map(|text| String::from_utf8(text.unwrap_or_default()).unwrap_or_default());
            differences.only_gained &= is_source && gained_items(&old_text, &new_text);
            differences.files.push(slashed(new.strip_prefix(top).unwrap_or(new)));
        }
        differences
    }

    /// The names of the files that differ, for a line about them; `None` if none differs.
    pub(super) fn named(&self) -> Option<String> {
        (!self.files.is_empty()).then(|| few(&self.files, NAMED))
    }
}

/// The most files that a line names.
const NAMED: usize = 3;

/// Returns whether nothing of the old text is gone, and each block of added lines is whole items, as rustfmt
/// writes them. Then the items of the old text do what they do in the new one.
fn gained_items(old: &str, new: &str) -> bool {
    let ((old, old_uses), (new, new_uses)) = (items_and_uses(old), items_and_uses(new));
    if !old_uses.is_subset(&new_uses) {
        return false;
    }
    let mut old = old.into_iter().peekable();
    let mut added: Vec<&str> = Vec::new();
    for line in new {
        if old.next_if(|old| *old == line).is_none() {
            added.push(line);
        } else if !is_whole(&added) {
            return false;
        } else {
            added.clear();
        }
    }
    old.peek().is_none() && is_whole(&added)
}

/// Returns whether added lines begin and end in the first column, and close the brackets that they open.
/// A new allocator is one for all items.
fn is_whole(added: &[&str]) -> bool {
    let count = |bracket| added.iter().flat_map(|line| line.chars()).filter(|c| *c == bracket).count();
    let is_outside = |line: &&str| !line.starts_with(char::is_whitespace);
    added.first().is_none_or(|first| is_outside(first) && !first.starts_with(['}', ')', ']']))
        && added.last().is_none_or(is_outside)
        && !added.iter().any(|line| line.contains("global_allocator"))
        && count('{') == count('}')
}

/// The lines of a source that are not blank, except those of `use` and of Criterion's groups, and the paths
/// that it uses: a new module with the names of an old one is another one.
fn items_and_uses(text: &str) -> (Vec<&str>, HashSet<String>) {
    let (mut lines, mut uses) = (Vec::new(), String::new());
    let mut end = None;
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        let start = line.trim_start_matches("pub ");
        if end.is_none() {
            let of = |name| start.strip_prefix(name);
            end = match of("criterion_group!").or_else(|| of("criterion_main!")) {
                Some(group) => Some(if group.starts_with('(') { ");" } else { "}" }),
                None => of("use ").map(|_| ";"),
            };
            if end.is_none() {
                lines.push(line);
            }
        }
        if end == Some(";") {
            uses += start.split("//").next().unwrap_or_default();
        }
        end = end.filter(|end| !line.contains(end));
    }
    (lines, uses.split(';').flat_map(|tree| paths("", tree.trim_start_matches("use "))).collect())
}

/// The paths of a tree of `use`, which is in a module.
fn paths(module: &str, tree: &str) -> Vec<String> {
    let mut depth = 0;
    let is_between = |letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    };
    let parts = tree.split(is_between).map(str::trim).filter(|part| !part.is_empty());
    let of_part = |part: &str| match part.split_once('{') {
        Some((inner, tree)) => paths(&format!("{module}{inner}"), tree.strip_suffix('}').unwrap_or(tree)),
        None => vec![format!("{module}{part}")],
    };
    parts.flat_map(of_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "use mine::sort;

const LEN: usize = 10;

/// Sorts.
#[bench_diff]
fn sorted() -> u64 {
    sort(LEN)
}

criterion_group!(benches, sorted);
bench_diff_harness::main!();
";
    const OTHER: &str = "#[bench_diff]\nfn other() -> u64 {\n    newer()\n}\n";

    #[test]
    fn items_may_be_added_anywhere_between_others() {
        for (before, more) in [
            ("const LEN", OTHER),
            ("/// Sorts.", "fn made() {\n    if true {\n    }\n}\n\nstatic A: u8 = 1;\n"),
            ("#[bench_diff]\nfn", OTHER),
            ("bench_diff_harness", OTHER),
        ] {
            assert!(gained_items(OLD, &OLD.replacen(before, &format!("{more}{before}"), 1)), "{before}");
        }
        assert!(gained_items(OLD, &format!("{OLD}{OTHER}")));
        assert!(gained_items("", OLD), "a new file");
        let nested = |more: &str| format!("pub use a::{{b, c::{{d, e as f{more}}}}};\n{OLD}");
        assert!(gained_items(&nested(""), &nested(",\n        g,\n    ")));
        assert!(!gained_items(&nested(", g"), &nested("")));
        let uses = OLD.replace("use mine::sort;", "use mine::{\n    newer,\n    sort,\n};");
        assert!(gained_items(OLD, &uses.replace("(benches, sorted)", "(\n    benches,\n    sorted,\n)")));
        let more = format!("{OTHER}criterion_group!(more, other);\ncriterion_main!(benches, more);\n");
        assert!(gained_items(&format!("{OLD}criterion_main!(benches);\n"), &format!("{OLD}{more}")));
        let group = "criterion_group! {\n    name = benches;\n    targets = sorted\n}";
        assert!(gained_items(&OLD.replace("criterion_group!(benches, sorted);", group), OLD));
    }

    #[test]
    fn what_is_gone_or_changed_is_no_gain() {
        for (from, to) in [
            ("mine::sort", "mine::v2::{\n    other, sort as it\n}"),
            ("mine::sort", "theirs::sort"),
            ("10", "20"),
            ("    sort(LEN)\n", "    sort(LEN);\n    sort(LEN)\n"),
            ("    sort(LEN)\n", "    if true {\n    }\n    sort(LEN)\n"),
            ("    sort(LEN)\n", "}\nfn new() -> u64 {\n    sort(LEN)\n"),
            ("/// Sorts.\n", ""),
            ("fn sorted", "fn other() {\n    1\nfn sorted"),
            ("#[bench_diff]\n", "#[bench_diff(threads = 2)]\n"),
            ("#[bench_diff]\n", "#[global_allocator]\nstatic A: Counted = Counted;\n#[bench_diff]\n"),
        ] {
            let new = OLD.replacen(from, to, 1);
            assert_ne!(new, OLD);
            assert!(!gained_items(OLD, &new), "{from} {to}");
        }
        let old = OLD.replacen("sort;", "sort; // it", 1);
        assert!(!gained_items(&old, &old.replacen("10", "20", 1)), "behind a comment");
        assert!(!gained_items(OLD, &OLD.replacen(" Sorts.", " Sorts them.", 1)), "a comment may be a text");
    }

    #[test]
    fn code_is_in_the_folder_src_of_its_package() {
        let top = tempfile::tempdir().unwrap();
        for folder in ["", "src/inner"] {
            std::fs::create_dir_all(top.path().join(folder)).unwrap();
            std::fs::write(top.path().join(folder).join(MANIFEST), "").unwrap();
        }
        for (file, is_code) in [
            ("src/lib.rs", true),
            ("benches/src.rs", false),
            ("src/inner/src/a/b.rs", true),
            ("src/inner/benches/c.rs", false),
            ("src/inner/testdata/d.json", false),
        ] {
            assert_eq!(is_in_source_folder(Path::new(file), top.path()), is_code, "{file}");
        }
    }

    #[test]
    fn files_that_differ_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for (file, text) in [
            ("old/b.rs", OLD),
            ("new/b.rs", &*format!("{OLD}{OTHER}")),
            ("old/same.rs", "fn a() {}"),
            ("new/same.rs", "fn a() {}"),
            ("new/more.rs", "fn b() {}"),
            ("old/data.txt", "1\n"),
            ("new/data.txt", "1\n2\n"),
        ] {
            std::fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            std::fs::write(at(file), text).unwrap();
        }
        let of = |files: &[&str]| {
            let pairs = files.iter().map(|file| (at("old").join(file), at("new").join(file)));
            let Differences { files, only_gained } = Differences::of(&at("new"), &pairs.collect::<Vec<_>>());
            (files.join(" "), only_gained)
        };
        assert_eq!(of(&["b.rs", "more.rs", "same.rs"]), ("b.rs more.rs".to_owned(), true));
        assert_eq!(of(&["b.rs", "data.txt"]), ("b.rs data.txt".to_owned(), false));
        assert_eq!(of(&["same.rs"]), (String::new(), true));
    }
}
