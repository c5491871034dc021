//! The work of a function, with the items that it names in its source file and in the files of the modules of
//! this file. A macro may know only the path of the function, which is then searched for in these files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use crate::alone::alone;
use crate::digest::{Digested, of_items, of_text};
use crate::source::Source;
use crate::source_file::words_of;

/// The digest of a function, and where it is.
#[derive(Clone, Debug, PartialEq)]
struct Work {
    digest: u64,
    /// 0 if the function was not found.
    line: u32,
    /// Its file, unless that is the file with the path.
    file: Option<PathBuf>,
}

/// The digest, the line and the file of the function with this path, and whether to compile it.
pub(crate) fn expand(path: TokenStream, file: Option<&Path>) -> TokenStream {
    let file = file.unwrap_or(Path::new(""));
    let text = fs::read_to_string(file).unwrap_or_default();
    let Work { digest, line, file } = match syn::parse2(path) {
        Ok(path) => work_of(&path, &text, file),
        Err(error) => return error.into_compile_error(),
    };
    let is_compiled = alone().is_none_or(|alone| alone.1 == digest && [alone.0, 0].contains(&line));
    let file = file.map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    quote!((#digest, #line, #file, #is_compiled))
}

/// The digest of these tokens, and of the items that they name in this file and in the files of its modules.
pub(crate) fn of_tokens(tokens: &TokenStream, file: Option<&Path>) -> u64 {
    let digested = Digested::of(tokens.clone());
    with_named(digested, tokens, &words_of(tokens), file).digest()
}

/// Adds to the digest of these tokens the data that they include, and the items of this file that the words
/// name.
pub(crate) fn with_named(
    mut digested: Digested,
    tokens: &TokenStream,
    words: &[String],
    file: Option<&Path>,
) -> Digested {
    if let Some(file) = file {
        digested.included(tokens, file);
        if let Some(mut source) = Source::of_file(file) {
            source.reached_by(words).for_each(|item| digested.add(item));
        }
    }
    digested
}

/// The source file that contains the name of this function, unless it is a source of a package: the items in
/// such a file may be the code to measure.
pub(crate) fn file_of_bench(function: proc_macro::TokenStream) -> Option<PathBuf> {
    // The other tokens may come from a macro of another file.
    let name = function.into_iter().skip_while(|token| token.to_string() != "fn").nth(1)?;
    file_of(name.into()).filter(|file| {
        let path = env::current_dir().unwrap_or_default().join(file);
        let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        let inside = path.strip_prefix(package).unwrap_or(file);
        inside.components().all(|part| part.as_os_str() != "src")
    })
}

/// The source file that contains the first of these tokens.
pub(crate) fn file_of(tokens: proc_macro::TokenStream) -> Option<PathBuf> {
    use proc_macro::TokenTree;

    match tokens.into_iter().next()? {
        TokenTree::Group(group) => file_of(group.stream()),
        token => token.span().local_file(),
    }
}

/// The work of a function in a file with this text, or in one of its modules. The digest covers the tokens of
/// the function, of the items that it names, and of the items that these name. If the function is somewhere
/// else, the digest is that of the path.
fn work_of(path: &syn::Path, here: &str, file: &Path) -> Work {
    let shown: String = path.to_token_stream().to_string().split_whitespace().collect();
    let mut names: Vec<String> = path.segments.iter().map(|part| part.ident.unraw().to_string()).collect();
    let from_here = ["crate", "self", "super"];
    names.drain(..names.iter().take_while(|name| from_here.contains(&name.as_str())).count());
    let found = names.split_last().and_then(|(name, modules)| {
        let mut source = Source::new(here, file)?;
        let place = source.find(name, modules)?;
        let other = source.other_file_of(place);
        let text = other.as_ref().and_then(|file| fs::read_to_string(file).ok());
        let line = line_of(source.declared_as(name), text.as_deref().unwrap_or(here));
        Some(Work { digest: of_items(&shown, source.reached_from(place)), line, file: other })
    });
    found.unwrap_or_else(|| Work { digest: of_text(&shown), line: 0, file: None })
}

/// The line that declares a function of this name, or else the first line that contains the name.
fn line_of(name: &str, text: &str) -> u32 {
    let is_part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let lines = || {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        (1..).zip(code.map(|code| code.split(|c| !is_part_of_word(c)).filter(|word| !word.is_empty())))
    };
    let declares = |words: Vec<&str>| words.windows(2).any(|pair| pair == ["fn", name]);
    let declared = lines().find(|(_, words)| declares(words.clone().collect()));
    let named = || lines().find(|(_, words)| words.clone().any(|word| word == name));
    declared.or_else(named).map_or(0, |(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//! Benches; fn sums is below.
use criterion::{Criterion, criterion_group, criterion_main};

const SIZES: [usize; 2] = [SMALL, 1_000];
const SMALL: usize = 10;
const OTHER: usize = 20;

fn input(size: usize) -> Input {
    Input { numbers: vec![1; size] }
}

struct Input {
    numbers: Vec<u64>,
}

impl Input {
    fn sum(&self) -> u64 { self.numbers.iter().sum() }
}

// fn sums(c: &mut Criterion) {}
fn sums(c: &mut Criterion) {
    for size in SIZES {
        let input = input(size);
        c.bench_function(\"sum\", |b| b.iter(|| input.sum()));
    }
}

fn others(c: &mut Criterion) {
    c.bench_function(\"other\", |b| b.iter(|| OTHER));
}

mod inner {
    pub fn nested(c: &mut Criterion) {}
}

macro_rules! bench {
    ($name:ident, $size:expr) => { fn $name(c: &mut Criterion) { made(c, $size); } };
}
bench!(of_macro, 5);
bench!(of_macro_too, 6);

lazy_static! { static ref TEXT: String = String::from(\"a\"); }
fn texts(c: &mut Criterion) { c.bench_function(&TEXT, |_| {}); }

criterion_group!(benches, sums, others, inner::nested, of_macro, texts);
criterion_main!(benches);
";

    fn of(path: &str, text: &str) -> Work {
        work_of(&syn::parse_str(path).unwrap(), text, Path::new(""))
    }

    /// Returns whether the digest of this function changes with this edit of the file.
    fn changes(path: &str, old: &str, new: &str) -> bool {
        assert!(FILE.contains(old), "{old}");
        of(path, FILE).digest != of(path, &FILE.replacen(old, new, 1)).digest
    }

    #[test]
    fn a_function_and_the_items_it_names_matter() {
        assert!(changes("sums", "input.sum()", "input.sum() + 1"));
        assert!(changes("sums", "1_000", "2_000"), "a constant");
        assert!(
            changes("sums", "SMALL: usize = 10", "SMALL: usize = 11"),
            "a constant that a constant names"
        );
        assert!(changes("sums", "vec![1; size]", "vec![2; size]"), "a function");
        assert!(changes("sums", "numbers: Vec<u64>", "numbers: Vec<u32>"), "a type");
        assert!(changes("sums", ".iter().sum()", ".iter().max()"), "a method");
        assert!(changes("texts", "\"a\"", "\"b\""), "a static that a macro makes");
    }

    #[test]
    fn everything_else_does_not_matter() {
        assert!(!changes("sums", "usize = 20", "usize = 21"));
        assert!(!changes("sums", "// fn sums", "// the fn sums"));
        assert!(!changes("sums", "fn others", "/// Says others.\nfn others"));
        assert!(!changes("sums", "sums, others,", "others,"));
        assert!(!changes("others", "input.sum()", "input.sum() + 1"));
        assert!(!changes("texts", "of_macro_too, 6", "of_macro_too, 7"));
    }

    #[test]
    fn the_order_of_a_file_does_not_matter() {
        let (constant, rest) =
            ("const SMALL: usize = 10;\n", FILE.replacen("const SMALL: usize = 10;\n", "", 1));
        assert_eq!(of("sums", &(rest + constant)).digest, of("sums", FILE).digest);
    }

    #[test]
    fn the_line_is_the_one_of_the_declaration() {
        let lines = ["sums", "self::sums", "r#sums", "others", "inner::nested", "of_macro", "texts"];
        assert_eq!(lines.map(|path| of(path, FILE).line), [21, 21, 21, 28, 33, 39, 43]);
    }

    #[test]
    fn the_work_of_a_function_made_by_a_macro_is_the_call_of_the_macro() {
        assert!(changes("of_macro", "of_macro, 5", "of_macro, 50"));
        assert!(changes("of_macro", "made(c, $size)", "made(c, $size + 1)"), "the macro");
        assert!(!changes("of_macro", "of_macro_too, 6", "of_macro_too, 7"));
    }

    #[test]
    fn the_work_of_a_function_elsewhere_is_its_path() {
        let other = of("other::sums", FILE);
        assert_eq!(other, of("other::sums", ""));
        assert_eq!(other, Work { digest: of_text("other::sums"), line: 0, file: None });
        assert_ne!(other, of("sums", ""));
        assert_eq!(of("sums", "fn sums( {").line, 0, "a text that is not Rust");
        assert_ne!(of("sums::<u8>", FILE).digest, of("sums::<u16>", FILE).digest);
    }

    /// The digest of a benchmark whose inputs are `numbers`, in a file with this text.
    fn of_file(text: &str) -> u64 {
        const BENCHMARK: &str = "fn sort(b: Bencher) { b.with_inputs(numbers).bench_refs(|v| v.sort()) }";
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        of_tokens(&BENCHMARK.parse().unwrap(), Some(file.path()))
    }

    #[test]
    fn the_items_that_tokens_name_matter() {
        const LINES: [&str; 6] = [
            "const LEN: u64 = 1_000;",
            "const OTHER: u64 = 1_000;",
            "fn numbers() -> Vec<u64> { (0..LEN).rev().collect() }",
            "#[divan::bench] fn sort(b: Bencher) { b.with_inputs(numbers).bench_refs(|v| v.sort()) }",
            "#[divan::bench(args = [OTHER])] fn reverse(len: u64) { numbers().reverse() }",
            "mod of_its_name { #[divan::bench(name = \"a\")] fn sort() {} }",
        ];
        let plain = of_file(&LINES.join("\n"));
        for (line, old, new, matters) in [
            (0, "1_000", "2_000", true),
            (2, "rev()", "skip(1)", true),
            (1, "1_000", "2_000", false),
            (3, "::bench", "::bench(sample_count = 5)", false),
            (4, "reverse()", "sort()", false),
            (5, "{}", "{ numbers(); }", false),
        ] {
            let mut lines = LINES.map(str::to_owned);
            lines[line] = lines[line].replace(old, new);
            assert_eq!(of_file(&lines.join("\n")) != plain, matters, "{}", lines[line]);
        }
    }

    #[test]
    fn tokens_without_a_file_matter_themselves() {
        let [sort, other] = ["fn sort() {}", "fn other() {}"].map(|text| text.parse().unwrap());
        assert_ne!(of_tokens(&sort, None), of_tokens(&other, None));
        assert_eq!(of_tokens(&sort, None), of_tokens(&sort, Some(Path::new("absent.rs"))));
    }

    /// The work of a function in a crate with these files. The first of them contains the path.
    fn in_files(path: &str, files: &[(&str, &str)]) -> Work {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        work_of(&syn::parse_str(path).unwrap(), files[0].1, &folder.path().join(files[0].0))
    }

    const SUMS: &str = "pub fn sums(c: &mut Criterion) { for size in sizes::SIZES { run(c, size) } }
        fn run(c: &mut Criterion, size: usize) { c.bench_function(\"sum\", |b| b.iter(|| size)); }
        fn others(c: &mut Criterion) { run(c, 5) }";
    const SIZES: &str = "pub const SIZES: [usize; 1] = [1_000];
        pub const OTHERS: [usize; 1] = [5];
        fn run() {}";

    #[test]
    fn modules_are_followed_to_their_files() {
        let roots = [
            ("other::sums", "mod other; mod sizes;"),
            ("sums", "mod other; mod sizes; use other::sums;"),
            ("sums", "mod other; mod sizes; use other::{self, sums};"),
            ("sums", "mod other; mod sizes; use other::*;"),
            ("renamed", "mod other; mod sizes; use self::other::sums as renamed;"),
            ("self::other::sums", "pub mod other; mod sizes;"),
        ];
        for (path, root) in roots {
            for [first, other] in [
                ["benches/a.rs", "benches/other.rs"],
                ["benches/a.rs", "benches/other/mod.rs"],
                ["benches/a.rs", "benches/a/other.rs"],
                ["benches/a/main.rs", "benches/a/other.rs"],
            ] {
                let sizes_file = Path::new(first).with_file_name("sizes.rs");
                let of = |sums: &str, sizes: &str| {
                    let files = [(first, root), (other, sums), (sizes_file.to_str().unwrap(), sizes)];
                    in_files(path, &files)
                };
                let plain = of(SUMS, SIZES);
                let differs = |sums: (&str, &str), sizes: (&str, &str)| {
                    let [sums, sizes] =
                        [(SUMS, sums), (SIZES, sizes)].map(|(text, (old, new))| text.replace(old, new));
                    of(&sums, &sizes).digest != plain.digest
                };
                let same = ("", "");
                assert_ne!(plain.digest, of_text(path), "{root} {other}");
                let file = plain.file.as_ref().is_some_and(|file| file.ends_with(other));
                assert!(file && plain.line == 1, "{root} {other}: {plain:?}");
                assert!(
                    differs(("|| size", "|| size + 1"), same),
                    "{root} {other}: a function that it calls"
                );
                assert!(differs(same, ("1_000", "2_000")), "{root} {other}: a constant of a third file");
                assert!(!differs(("run(c, 5)", "run(c, 6)"), same), "{root} {other}");
                assert!(!differs(same, ("[5]", "[6]")), "{root} {other}");
                assert!(
                    !differs(same, ("fn run() {}", "fn run() { more() }")),
                    "{root} {other}: of its name"
                );
            }
        }
    }

    #[test]
    fn a_path_of_a_module_is_followed_and_one_without_a_file_is_not() {
        let of = |sums: &str| {
            in_files("sums", &[("a.rs", "#[path = \"in/b.rs\"] mod c; use c::sums;"), ("in/b.rs", sums)])
        };
        assert_ne!(of(SUMS).digest, of(&SUMS.replace("|| size", "|| 1")).digest);
        let nested = |sums: &str| {
            in_files("inner::c::sums", &[("a.rs", "mod inner { pub mod c; }"), ("inner/c.rs", sums)])
        };
        assert_ne!(nested(SUMS).digest, nested(&SUMS.replace("|| size", "|| 1")).digest);
        let expected = Work { digest: of_text("c::sums"), line: 0, file: None };
        assert_eq!(in_files("c::sums", &[("a.rs", "mod c;")]), expected);
        assert_eq!(in_files("c::sums", &[("a.rs", "mod c;"), ("c.rs", "fn sums( {")]), expected);
        // A module that contains itself is read once.
        let round =
            [("mod.rs", "mod c; use c::sums;"), ("c/mod.rs", "#[path = \"mod.rs\"] mod c; pub use c::sums;")];
        assert_eq!(in_files("c::sums", &round), expected);
    }

    #[test]
    fn the_expansion_is_a_tuple() {
        let expanded = expand(quote!(sums), None).to_string();
        assert_eq!(expanded, format!("({}u64 , 0u32 , \"\" , true)", of_text("sums")));
        assert!(expand(quote!(1), None).to_string().contains("compile_error"));
    }
}
