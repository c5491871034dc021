//! The digest of a pair's work, by which two revisions of a program are compared.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Signature, Visibility};

use crate::args::Arg;
use crate::digest::Digested;
use crate::function_work::with_named;
use crate::source_file::{hide_parameters, words_of};

/// The options that define the work.
const OPTIONS: [&str; 7] = ["args", "setup", "setup_once", "types", "consts", "threads", "clock"];

/// The options that make inputs.
const MAKERS: [&str; 3] = ["args", "setup", "setup_once"];

/// The digest of the tokens of a function and of the options that define its work. Formatting and comments do
/// not change it. If the file of the function is given, the digest also covers the items in it that the
/// function and some of the options name.
pub(crate) fn of_pair(function: &TokenStream, options: &[Arg], file: Option<&Path>) -> u64 {
    let mut digested = Digested::of(function.clone());
    let mut words = words_of(function);
    if let Ok(signature) = read_signature.parse2(function.clone()) {
        hide_parameters(&mut words, &signature);
        words.retain(|word| signature.ident != word);
    }
    for name in OPTIONS {
        if let Some(option) = options.iter().find(|option| option.name.unraw() == name) {
            digested.word(name);
            let value = option.value.to_token_stream();
            // Inputs are compared by their values.
            if !MAKERS.contains(&name) {
                words.extend(words_of(&value));
            }
            digested.tokens(value);
        }
    }
    with_named(digested, function, &words, file).digest()
}

fn read_signature(input: ParseStream<'_>) -> syn::Result<Signature> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    let signature = input.parse()?;
    input.parse::<TokenStream>()?;
    Ok(signature)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::args::Args;
    use crate::digest::of_text;

    fn of(function: &str, options: &str) -> u64 {
        of_pair(&function.parse().unwrap(), &Args::parse(options.parse().unwrap()).options, None)
    }

    #[test]
    fn items_and_data_of_the_file_are_part_of_the_work() {
        const FUNCTION: &str = "#[doc = include_str!(\"doc.txt\")] pub(crate) fn f(made: u64) -> u64 { run(made, include_str!(\"data.txt\",)) }";
        const ITEMS: &str = "const ROUNDS: u64 = 5;
            fn run(made: u64, data: &str) -> u64 { made * ROUNDS }
            fn made() -> u64 { 1 }
            #[bench_diff] fn n() {}
            const OTHER: u64 = 6;";
        let folder = tempfile::tempdir().unwrap();
        let of = |items: &str, data: &str| {
            let file = folder.path().join("b.rs");
            fs::write(&file, format!("#[bench_diff(setup = made)] {FUNCTION}{items}")).unwrap();
            fs::write(folder.path().join("data.txt"), data).unwrap();
            // A comment, whatever it says.
            fs::write(folder.path().join("doc.txt"), items).unwrap();
            let options = Args::parse("setup = made".parse().unwrap()).options;
            of_pair(&FUNCTION.parse().unwrap(), &options, Some(&file))
        };
        let plain = of(ITEMS, "a");
        let edited = |from: &str, to: &str| of(&ITEMS.replace(from, to), "a");
        assert_ne!(edited("= 5", "= 50"), plain, "a constant that a helper names");
        assert_ne!(of(ITEMS, "b"), plain, "data");
        assert_eq!(edited("= 6", "= 60"), plain, "a constant that nothing names");
        assert_eq!(edited("{ 1 }", "{ 2 }"), plain, "a setup, whose values are compared");
        assert_eq!(edited("fn n() {}", "fn n() { f() }"), plain, "another benchmark");
    }

    #[test]
    fn blanks_comments_and_attributes_without_work_do_not_matter() {
        let plain = of("fn f(n: u64) -> bool { n&1==0 }", "args = [1, 2]");
        for function in [
            "fn f( n : u64 )->bool{\n    n & 1 == 0 // even\n}",
            "/// Says whether.\n#[ignore = \"slow\"]\nfn f(n: u64) -> bool { n & 1 == 0 }",
            "#[bench_diff_harness::bench_diff(name = \"b\")] fn f(n: u64) -> bool { n & 1 == 0 }",
            "#[allow(dead_code)] fn f(n: u64) -> bool { /* even */ n & 1 == 0 }",
        ] {
            assert_eq!(of(function, "args = [1, 2]"), plain, "{function}");
        }
        let inner = |comment| of(&format!("fn f() {{ {comment} fn g() {{}} }}"), "");
        assert_eq!(inner("/// Goes.\n"), inner(""));
        assert_eq!(inner("#[doc = \"Goes.\"]"), inner(""));
        assert_eq!(inner("//! Goes.\n#![allow(dead_code)]"), inner(""));
        assert_ne!(inner("#[inline(never)]"), inner(""));
    }

    #[test]
    fn the_body_and_its_inputs_matter() {
        let function = "fn f(n: u64) -> bool { n & 1 == 0 }";
        let options = "args = [1, 2], setup = make, threads = 2";
        let plain = of(function, options);
        let others = [
            (function.replace("& 1", "% 2"), options.to_owned()),
            (function.replace("n & 1 == 0", "(n & 1) == 0"), options.to_owned()),
            (function.replace("fn", "#[inline(never)] fn"), options.to_owned()),
            (function.to_owned(), options.replace("1, 2", "12")),
            (function.to_owned(), options.replace("args = [1, 2]", "consts = [1, 2]")),
            (function.to_owned(), options.replace("make", "make_other")),
            (function.to_owned(), format!("{options}, clock = \"wall\"")),
            (function.to_owned(), format!("{options}, types = [u8, Vec<u8>]")),
        ];
        for (function, options) in others {
            assert_ne!(of(&function, &options), plain, "{function} {options}");
        }
    }

    #[test]
    fn other_options_and_their_order_do_not_matter() {
        let function = "fn f(n: u64) {}";
        let plain = of(function, "args = [1, 2], setup = make");
        for options in [
            "setup = make, args = [1,2]",
            "baseline = g, setup = make, name = \"x\", args = [1, 2], max_slowdown = \"5%\", ignore, items = 3",
        ] {
            assert_eq!(of(function, options), plain, "{options}");
        }
    }

    /// If another version computed another digest, it would report every benchmark as changed.
    #[test]
    fn digests_stay_as_they_are() {
        assert_eq!(of("fn f() {}", ""), 0x6f99_a2c0_d3a1_2f6a);
        assert_eq!(of_text("v2"), 0x686b_9519_4e50_24da);
    }
}
