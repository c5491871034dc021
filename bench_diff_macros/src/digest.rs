//! A digest of the work of a benchmark, by which two revisions of a program are compared.

use std::iter;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;

use crate::args::Arg;

/// The options that define the work.
const OPTIONS: [&str; 7] = ["args", "setup", "setup_once", "types", "consts", "threads", "clock"];

/// The attributes of a function, and of the code inside it, that do not affect its work.
const WITHOUT_WORK: [&str; 5] = ["doc", "bench_diff", "ignore", "allow", "expect"];

/// The digest of the tokens of a function and of the options that define its work. Formatting and comments do
/// not change it.
pub(crate) fn of_tokens(function: &TokenStream, options: &[Arg]) -> u64 {
    let mut digested = Digested::of(function.clone());
    for name in OPTIONS {
        if let Some(option) = options.iter().find(|option| option.name.unraw() == name) {
            digested.word(name);
            digested.tokens(option.value.to_token_stream());
        }
    }
    digested.digest()
}

/// The digest of a `same_work` text, which replaces the other digest.
pub(crate) fn of_text(text: &str) -> u64 {
    of_items(text, iter::empty())
}

/// The digest of a function's path and of the items that define its work.
pub(crate) fn of_items<'a>(path: &str, items: impl Iterator<Item = &'a Digested>) -> u64 {
    let mut digested = Digested::default();
    digested.word(path);
    for item in items {
        digested.0.extend_from_slice(&item.0);
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

    /// FNV-1a, which is the same in every compilation and version of the compiler.
    fn digest(&self) -> u64 {
        self.0.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
            (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    fn word(&mut self, word: &str) {
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(0xff);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let may_be_attribute = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            let is_left_out = |next: &TokenTree| matches!(next, TokenTree::Group(group) if !has_work(group));
            let is_inner =
                |next: &TokenTree| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!');
            if may_be_attribute {
                // Inner attributes are treated like outer ones.
                tokens.next_if(is_inner);
                if tokens.next_if(is_left_out).is_some() {
                    continue;
                }
            }
            match token {
                TokenTree::Group(group) => self.group(&group),
                token => self.word(&token.to_string()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;

    fn of(function: &str, options: &str) -> u64 {
        of_tokens(&function.parse().unwrap(), &Args::parse(options.parse().unwrap()).options)
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
