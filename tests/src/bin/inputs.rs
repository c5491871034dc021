//! A pair of every shape, all of them quick and right.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::num::ParseIntError;

use bench_diff_harness::bench_diff;

fn turns(count: usize) -> u64 {
    (0..std::hint::black_box(count) as u64).fold(1, |product, turn| std::hint::black_box(product ^ turn))
}

mod args {
    use super::*;

    fn count(turns: usize) -> u64 {
        super::turns(turns)
    }

    #[bench_diff(baseline = count, args = [1_000, 2_000], max_slowdown = "300%", warmup = "0ms")]
    fn by_value(turns: usize) -> u64 {
        count(turns)
    }

    const WORDS: [&str; 3] = ["a b", "a b", "c\td"];

    fn split(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[bench_diff(baseline = split, args = WORDS, max_slowdown = "300%", warmup = "0ms")]
    fn by_ref(text: &str) -> Vec<&str> {
        split(text)
    }

    fn sort(numbers: &mut [u64]) {
        numbers.sort();
    }

    #[bench_diff(baseline = sort, args = [vec![3, 1, 2]], max_slowdown = "300%", warmup = "0ms")]
    fn by_mut(numbers: &mut [u64]) {
        numbers.sort_unstable();
    }

    fn margin(turns: usize) -> f64 {
        if turns == 1_000 { 3.0 } else { 5.0 }
    }

    #[bench_diff(baseline = count, args = (1..=2).map(|it| it * 1_000), max_slowdown = margin, warmup = "0ms")]
    fn with_margins(turns: usize) -> u64 {
        count(turns)
    }

    fn small() -> BTreeSet<usize> {
        BTreeSet::from([1_000, 2_000])
    }

    #[bench_diff(baseline = count, args = &small() | &BTreeSet::from([3_000]), max_slowdown = "300%", warmup = "0ms")]
    fn of_operator(turns: usize) -> u64 {
        count(turns)
    }

    #[bench_diff(baseline = borrowed, args = &[1_000, 2_000], max_slowdown = "300%", warmup = "0ms")]
    fn borrowed(turns: &usize) -> u64 {
        count(*turns)
    }
}

mod setup {
    use super::*;

    thread_local!(static NEXT: Cell<u64> = const { Cell::new(1) });

    /// Other numbers with every call, so that only equal inputs give equal outputs.
    fn random(len: usize) -> Vec<u64> {
        let next = |_| NEXT.replace(NEXT.get().wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        (0..len).map(next).collect()
    }

    fn hundred() -> Vec<u64> {
        random(100)
    }

    fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort();
        numbers
    }

    #[bench_diff(baseline = sorted, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    fn by_value(numbers: Vec<u64>) -> Vec<u64> {
        sorted(numbers)
    }

    #[bench_diff(baseline = sorted, args = [10, 100], setup = random, max_slowdown = "300%", warmup = "0ms")]
    fn by_value_of_arg(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort_unstable();
        numbers
    }

    fn positive(numbers: &[u64]) -> Vec<&u64> {
        numbers.iter().filter(|number| **number > 0).collect()
    }

    #[bench_diff(baseline = positive, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    fn by_ref(numbers: &[u64]) -> Vec<&u64> {
        positive(numbers)
    }

    fn sort(numbers: &mut [u64]) -> usize {
        numbers.sort();
        numbers.len()
    }

    #[bench_diff(baseline = sort, args = [10, 100], setup = random, max_slowdown = "300%", warmup = "0ms")]
    fn by_mut(numbers: &mut [u64]) -> usize {
        numbers.sort_unstable();
        numbers.len()
    }

    fn largest(numbers: &mut [u64]) -> Option<&mut u64> {
        numbers.iter_mut().max()
    }

    #[bench_diff(baseline = largest, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    fn lent_from_mut(numbers: &mut [u64]) -> Option<&mut u64> {
        largest(numbers)
    }

    fn bytes() -> Box<dyn Iterator<Item = u8>> {
        Box::new(0..100)
    }

    fn last_byte(bytes: &mut dyn Iterator<Item = u8>) -> Option<u8> {
        bytes.last()
    }

    #[bench_diff(baseline = last_byte, setup = bytes, max_slowdown = "300%", warmup = "0ms")]
    fn by_mut_dyn(bytes: &mut dyn Iterator<Item = u8>) -> Option<u8> {
        last_byte(bytes)
    }

    fn text() -> &'static str {
        "one two"
    }

    fn first_word<'a>(text: &mut &'a str) -> Option<&'a str> {
        let (word, rest) = text.split_once(' ')?;
        *text = rest;
        Some(word)
    }

    #[bench_diff(baseline = first_word, setup = text, max_slowdown = "300%", warmup = "0ms")]
    fn lent_from_behind_mut<'a>(text: &mut &'a str) -> Option<&'a str> {
        first_word(text)
    }

    /// Neither `Clone` nor `==` nor `Debug`.
    struct Opaque(Vec<u64>);

    fn opaque() -> Opaque {
        Opaque(vec![1; 100])
    }

    fn consume(opaque: Opaque) -> Opaque {
        Opaque(opaque.0.into_iter().rev().collect())
    }

    #[bench_diff(baseline = consume, setup = opaque, max_slowdown = "300%", warmup = "0ms")]
    fn not_clone(input: Opaque) -> Opaque {
        consume(input)
    }
}

mod state {
    use super::*;

    /// Not `Clone`: a database, say.
    struct Rows(RefCell<Vec<u64>>);

    fn rows(len: usize) -> Rows {
        Rows(RefCell::new((0..len as u64).collect()))
    }

    fn ten_rows() -> Rows {
        rows(10)
    }

    fn sum(rows: &Rows) -> u64 {
        rows.0.borrow().iter().sum::<u64>() + turns(500)
    }

    #[bench_diff(baseline = sum, setup_once = ten_rows, max_slowdown = "300%", warmup = "0ms")]
    fn alone(rows: &Rows) -> u64 {
        sum(rows)
    }

    #[bench_diff(baseline = sum, args = [10, 20], setup_once = rows, max_slowdown = "300%", warmup = "0ms")]
    fn of_arg(rows: &Rows) -> u64 {
        sum(rows)
    }

    fn find(rows: &Rows, row: u64) -> Option<usize> {
        let found = rows.0.borrow().iter().position(|it| *it == row);
        std::hint::black_box(turns(500));
        found
    }

    fn last(rows: &Rows) -> u64 {
        rows.0.borrow().len() as u64 - 1
    }

    #[bench_diff(baseline = find, setup_once = ten_rows, setup = last, max_slowdown = "300%", warmup = "0ms")]
    fn by_value(rows: &Rows, row: u64) -> Option<usize> {
        find(rows, row)
    }

    fn keys(rows: &Rows, _len: usize) -> Vec<u64> {
        rows.0.borrow().clone()
    }

    fn count(rows: &Rows, keys: &[u64]) -> usize {
        keys.iter().filter(|key| find(rows, **key).is_some()).count()
    }

    #[bench_diff(
        baseline = count, args = [10, 20], setup_once = rows, setup = keys, max_slowdown = "300%", warmup = "0ms"
    )]
    fn by_ref(rows: &Rows, keys: &[u64]) -> usize {
        count(rows, keys)
    }

    fn found<'a>(rows: &Rows, keys: &'a [u64]) -> Vec<&'a u64> {
        keys.iter().filter(|key| find(rows, **key).is_some()).collect()
    }

    #[bench_diff(
        baseline = found, args = [10], setup_once = rows, setup = keys, max_slowdown = "300%", warmup = "0ms"
    )]
    fn by_named_ref<'a>(rows: &Rows, keys: &'a [u64]) -> Vec<&'a u64> {
        found(rows, keys)
    }

    fn drain(rows: &Rows, keys: &mut Vec<u64>) -> usize {
        let count = count(rows, keys);
        keys.clear();
        count
    }

    #[bench_diff(baseline = drain, args = [10], setup_once = rows, setup = keys, max_slowdown = "300%", warmup = "0ms")]
    fn by_mut(rows: &Rows, keys: &mut Vec<u64>) -> usize {
        drain(rows, keys)
    }

    fn of(rows: &Rows, row: usize) -> u64 {
        rows.0.borrow()[row - 1] + turns(500)
    }

    #[bench_diff(baseline = of, args = [10, 20], setup_once = rows, max_slowdown = "300%", warmup = "0ms")]
    fn and_arg(rows: &Rows, row: usize) -> u64 {
        of(rows, row)
    }
}

mod instances {
    use super::*;

    fn slow<T: Default + Clone + Debug>() -> Vec<T> {
        let made = vec![T::default(); 10];
        std::hint::black_box(turns(500));
        made
    }

    #[bench_diff(baseline = slow, types = [u8, Vec<Option<u8>>, &'static str], max_slowdown = "300%", warmup = "0ms")]
    fn types<T: Default + Clone + Debug>() -> Vec<T> {
        slow()
    }

    fn array<const N: usize>() -> [u64; N] {
        [turns(500); N]
    }

    #[bench_diff(baseline = array, consts = [1, 1 << 4], max_slowdown = "300%", warmup = "0ms")]
    fn consts<const N: usize>() -> [u64; N] {
        array::<N>()
    }

    fn const_then_type<const N: usize, T: Copy + Default>() -> [T; N] {
        std::hint::black_box(turns(500));
        [T::default(); N]
    }

    #[bench_diff(
        baseline = const_then_type, types = [u8, u16], consts = [1, 2], max_slowdown = "300%", warmup = "0ms"
    )]
    fn const_first<const N: usize, T: Copy + Default>() -> [T; N] {
        const_then_type()
    }

    fn filled<T: Copy, const N: usize>(value: T) -> [T; N] {
        std::hint::black_box(turns(500));
        [value; N]
    }

    fn from<T: From<u8>>(arg: u8) -> T {
        T::from(arg)
    }

    #[bench_diff(
        baseline = filled,
        types = [u16, u64],
        consts = [2, 3],
        args = [7],
        setup = from,
        max_slowdown = "300%",
        warmup = "0ms"
    )]
    fn all<T: Copy, const N: usize>(value: T) -> [T; N] {
        filled(value)
    }
}

mod outputs {
    use super::*;

    fn parse(text: &str) -> Result<u64, ParseIntError> {
        Ok(text.parse::<u64>()? + turns(500))
    }

    #[bench_diff(baseline = parse, args = ["1", "23"], max_slowdown = "300%", warmup = "0ms")]
    fn result(text: &str) -> Result<u64, ParseIntError> {
        parse(text)
    }

    #[bench_diff(baseline = nan, max_slowdown = "300%", warmup = "0ms")]
    fn nan() -> Vec<f64> {
        vec![f64::NAN, turns(500) as f64]
    }

    fn boxed() -> Box<str> {
        turns(500).to_string().into_boxed_str()
    }

    fn same_text(candidate: &str, baseline: &str) -> bool {
        candidate == baseline
    }

    #[bench_diff(baseline = boxed, check = same_text, max_slowdown = "300%", warmup = "0ms")]
    fn compared() -> String {
        boxed().into()
    }

    #[bench_diff(baseline = boxed, check = false, max_slowdown = "300%", warmup = "0ms")]
    fn unchecked() -> impl Debug {
        turns(500)
    }

    fn sort(numbers: &mut [f64]) {
        numbers.sort_by(f64::total_cmp);
    }

    fn numbers() -> Vec<f64> {
        (0..100).rev().map(f64::from).collect()
    }

    fn same_sum(candidate: &[f64], baseline: &[f64]) -> bool {
        candidate.iter().sum::<f64>() == baseline.iter().sum::<f64>()
    }

    #[bench_diff(baseline = sort, setup = numbers, check = same_sum, max_slowdown = "300%", warmup = "0ms")]
    fn compared_after_the_call(numbers: &mut [f64]) {
        numbers.rotate_left(1);
    }
}

bench_diff_harness::main!();
