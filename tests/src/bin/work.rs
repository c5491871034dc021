//! Pairs whose attributes say how much work a call is, in every way, and some that say it wrongly.

#![expect(clippy::redundant_closure_for_method_calls, reason = "closures are tested as well as paths")]

use std::cell::Cell;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

const SIZE: usize = 4096;

fn turns(count: usize) -> u64 {
    (0..black_box(count) as u64).fold(1, |product, turn| black_box(product ^ turn))
}

mod numbers {
    use super::*;

    fn turn() -> u64 {
        turns(1_000)
    }

    #[bench_diff(baseline = turn, bytes = 4096, report_only)]
    fn literal() -> u64 {
        turn()
    }

    #[bench_diff(baseline = turn, bytes = SIZE, items = SIZE as u32 / 4 - 24, report_only)]
    fn both() -> u64 {
        turn()
    }

    #[bench_diff(baseline = turn, bytes = SIZE, threads = 2, report_only)]
    fn on_threads() -> u64 {
        turn()
    }

    fn filled<T: Default + Copy, const N: usize>() -> [T; N] {
        turns(1_000);
        [T::default(); N]
    }

    #[bench_diff(baseline = filled, types = [u8, u16], consts = [16], bytes = N * size_of::<T>(), items = N, report_only)]
    fn of_instance<T: Default + Copy, const N: usize>() -> [T; N] {
        filled()
    }
}

mod functions {
    use super::*;

    fn count(turns: usize) -> u64 {
        super::turns(turns)
    }

    #[bench_diff(baseline = count, args = [1_000, 2_000], items = |turns| *turns, report_only)]
    fn of_arg(turns: usize) -> u64 {
        count(turns)
    }

    fn numbers(len: usize) -> Vec<u64> {
        (0..len as u64).rev().collect()
    }

    fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort();
        numbers
    }

    #[bench_diff(baseline = sorted, args = [500], setup = numbers, items = Vec::len, bytes = |v| 8 * v.len(), report_only)]
    fn by_value(numbers: Vec<u64>) -> Vec<u64> {
        sorted(numbers)
    }

    fn sum(numbers: &[u64]) -> u64 {
        numbers.iter().fold(0, |sum, number| black_box(sum ^ number))
    }

    #[bench_diff(baseline = sum, args = [500], setup = numbers, items = |v| v.len(), bytes = size_of_val, report_only)]
    fn by_ref(numbers: &[u64]) -> u64 {
        sum(numbers)
    }

    struct Text(&'static str);

    impl std::fmt::Display for Text {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    fn letters(text: &Text) -> u64 {
        turns(100 * text.0.len())
    }

    #[bench_diff(baseline = letters, args = [Text("abc")], bytes = |text| text.0.len(), report_only)]
    fn of_an_arg_that_is_not_clone(text: &Text) -> u64 {
        letters(text)
    }

    fn sort(numbers: &mut [u64]) {
        numbers.sort();
    }

    #[bench_diff(baseline = sort, args = [500], setup = numbers, items = <[u64]>::len, bytes = SIZE, report_only)]
    fn by_mut(numbers: &mut [u64]) {
        sort(numbers);
    }

    fn drain(numbers: &mut dyn ExactSizeIterator<Item = u64>) -> u64 {
        numbers.fold(0, |sum, number| black_box(sum ^ number))
    }

    fn iterator() -> std::vec::IntoIter<u64> {
        numbers(500).into_iter()
    }

    #[bench_diff(baseline = drain, setup = iterator, items = |numbers| numbers.len(), report_only)]
    fn by_mut_dyn(numbers: &mut dyn ExactSizeIterator<Item = u64>) -> u64 {
        drain(numbers)
    }

    fn state() -> String {
        "abc".to_owned()
    }

    fn repeated(text: &str, count: usize) -> String {
        text.repeat(count)
    }

    #[bench_diff(baseline = repeated, setup_once = state_of, args = [500], items = |count| *count, report_only)]
    fn beside_a_state(text: &str, count: usize) -> String {
        repeated(text, count)
    }

    fn state_of(_: usize) -> String {
        state()
    }

    thread_local!(static MADE: Cell<usize> = const { Cell::new(0) });

    fn next() -> Vec<u8> {
        MADE.set(MADE.get() + 1);
        vec![1; 100 * MADE.get()]
    }

    fn xor(bytes: &[u8]) -> u8 {
        bytes.iter().fold(0, |sum, byte| black_box(sum ^ byte))
    }

    /// The first input of every process has 100 bytes, and the next one 200.
    #[bench_diff(baseline = xor, setup = next, bytes = <[u8]>::len, report_only)]
    fn of_the_first_input(bytes: &[u8]) -> u8 {
        xor(bytes)
    }
}

mod wrong {
    use super::*;

    fn count(turns: usize) -> u64 {
        super::turns(turns)
    }

    #[bench_diff(baseline = count, args = [0, 1_000], items = |turns| *turns, report_only)]
    fn zero(turns: usize) -> u64 {
        assert_ne!(turns, 0, "nothing is called");
        count(turns)
    }

    #[bench_diff(baseline = count, args = [1_000], bytes = |turns| 10 - *turns as i64, report_only)]
    fn negative(turns: usize) -> u64 {
        count(turns)
    }

    #[bench_diff(baseline = count, args = [1_000], bytes = |_| -> usize { panic!("nobody knows") }, report_only)]
    fn panics(turns: usize) -> u64 {
        count(turns)
    }
}

bench_diff_harness::main!();
