//! The stored inputs of a fuzz target, and others like them, for a plain test: every stored one, and then
//! a number of mutated ones, or as many as the seconds of `BENCH_DIFF_FUZZ_SECONDS` allow.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Inputs between two looks at the clock.
const AT_ONCE: u32 = 64;

/// One thing that changes in an input. Places and lengths are taken modulo what there is.
#[derive(Clone, Debug)]
enum Mutation {
    Byte(usize, u8),
    Flip(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
    Word(usize, usize),
    /// The rest of another input, from there on.
    Splice(usize, usize, usize),
    Line(usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = || any::<usize>();
    prop_oneof![
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Byte(at, byte)),
        2 => (at(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        4 => (at(), at()).prop_map(|(at, word)| Mutation::Word(at, word)),
        1 => (at(), at(), at()).prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
        1 => (at(), at()).prop_map(|(at, other)| Mutation::Line(at, other)),
    ]
}

fn mutate(input: &mut Vec<u8>, mutation: &Mutation, words: &[Vec<u8>], inputs: &[(PathBuf, Vec<u8>)]) {
    let place = |at: usize, input: &[u8]| at % (input.len() + 1);
    let range = |at: usize, length: usize, input: &[u8]| {
        let start = place(at, input);
        start..input.len().min(start + length)
    };
    match *mutation {
        Mutation::Byte(at, byte) => {
            let at = place(at, input);
            input.splice(at..input.len().min(at + 1), [byte]);
        }
        Mutation::Flip(at, bit) => {
            let at = place(at, input);
            input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
        }
        Mutation::Remove(at, length) => drop(input.drain(range(at, length, input))),
        Mutation::Repeat(at, length) => {
            let range = range(at, length, input);
            let (end, again) = (range.end, input[range].to_vec());
            input.splice(end..end, again);
        }
        Mutation::Word(at, word) => {
            let (at, word) = (place(at, input), &words[word % words.len()]);
            input.splice(at..at, word.iter().copied());
        }
        Mutation::Splice(at, other, from) => {
            let other = &inputs[other % inputs.len()].1;
            input.truncate(place(at, input));
            input.extend(&other[place(from, other)..]);
        }
        Mutation::Line(at, other) => {
            let lines =
                |text: &[u8]| -> Vec<Vec<u8>> { text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
            let (mut own, others) = (lines(input), lines(&inputs[other % inputs.len()].1));
            own.insert(at % (own.len() + 1), others[at % others.len()].clone());
            *input = own.join(&b'\n');
        }
    }
}

/// The stored inputs of this target.
fn stored(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// The words of this target's dictionary, which is as libFuzzer takes it with `-dict=`: a quoted word a line.
fn words(target: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fuzz/dictionaries/{target}.dict"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let quoted = text.lines().map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(|word| word_of(word.expect("a word is quoted"))).collect()
}

/// A word whose escapes are `\\`, `\"` and `\xAB`.
fn word_of(escaped: &str) -> Vec<u8> {
    let (mut bytes, mut word) = (escaped.bytes(), Vec::new());
    while let Some(byte) = bytes.next() {
        let escape = if byte == b'\\' { bytes.next() } else { None };
        word.push(match escape {
            Some(b'x') => {
                let digits = [bytes.next(), bytes.next()].map(|digit| digit.expect("two digits") as char);
                u8::from_str_radix(&String::from_iter(digits), 16).expect("hexadecimal digits")
            }
            Some(character) => character,
            None => byte,
        });
    }
    word
}

/// Asserts that the target takes every stored input, and this many with a few changes and the words of its
/// dictionary in them: where no time is given, how much is tried does not depend on the machine.
pub(crate) fn assert_survives(target: &str, count: u32, check: fn(&[u8])) {
    let (inputs, words) = (stored(target), words(target));
    assert!(inputs.len() >= 3, "{target} has {} stored inputs", inputs.len());
    for (path, input) in &inputs {
        let survived = panic::catch_unwind(|| check(input));
        assert!(survived.is_ok(), "{}", path.display());
    }
    let seconds = std::env::var("BENCH_DIFF_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let time = seconds.map(Duration::from_secs);
    let strategy = (any::<usize>(), prop::collection::vec(mutation(), 1..6));
    let config = Config { cases: AT_ONCE, failure_persistence: None, ..Config::default() };
    let (start, mut tried) = (Instant::now(), 0);
    while time.map_or(tried < count, |time| start.elapsed() < time) {
        // One runner stops for good after this many.
        let mut runner = TestRunner::new(config.clone());
        let ended = runner.run(&strategy, |(which, mutations)| {
            let mut input = inputs[which % inputs.len()].1.clone();
            mutations.iter().for_each(|mutation| mutate(&mut input, mutation, &words, &inputs));
            let survived = panic::catch_unwind(AssertUnwindSafe(|| check(&input)));
            prop_assert!(survived.is_ok(), "{target} does not survive {:?}", String::from_utf8_lossy(&input));
            Ok(())
        });
        if let Err(error) = ended {
            panic!("{error}\nkeep the input in fuzz/corpus/{target}");
        }
        tried += AT_ONCE;
    }
    println!("{target}: {} stored inputs and {tried} mutated ones", inputs.len());
}
