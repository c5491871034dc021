// Included by the bench targets `shapes`, whose lints it is under.

use bench_diff_harness::bench_diff;

fn one() -> u64 {
    1
}

#[bench_diff(baseline = one)]
fn plain() -> u64 {
    one()
}

/// Attributes of all kinds, above the attribute and below it.
#[must_use]
#[bench_diff(baseline = one)]
#[inline(never)]
#[track_caller]
const fn constant() -> u64 {
    1
}

const _: u64 = constant();

#[bench_diff(
    baseline = one,
    name = "all::options",
    max_slowdown = "300%",
    judge = "welch",
    alpha = 0.001,
    beta = "5%",
    slots = 4,
    warmup = "0s",
    ignore
)]
fn all_options() -> u64 {
    one()
}

#[bench_diff(baseline = one, min_speedup = 0.01)]
#[ignore]
fn ignored() -> u64 {
    one()
}

#[bench_diff(baseline = one, report_only)]
#[ignore = "only on a quiet machine"]
fn ignored_with_reason() -> u64 {
    one()
}

#[bench_diff(baseline = <u8 as Default>::default, max_difference = 0.5)]
fn qualified_baseline() -> u8 {
    0
}

#[bench_diff(baseline = baselines::made::<String, u8>)]
fn generic_baseline() -> String {
    String::new()
}

#[bench_diff(baseline = baselines::made::<_, u32>)]
fn inferred_baseline() -> Vec<String> {
    Vec::new()
}

#[allow(deprecated, clippy::allow_attributes)]
#[bench_diff(baseline = baselines::old)]
fn deprecated_baseline() -> u64 {
    one()
}

#[expect(deprecated, reason = "the function calls its baseline")]
#[bench_diff(baseline = baselines::old)]
fn expected_baseline() -> u64 {
    baselines::old()
}

mod baselines {
    pub(super) fn made<T: Default, N: Default + Into<u64>>() -> T {
        let _: u64 = N::default().into();
        T::default()
    }

    #[deprecated]
    pub(super) fn old() -> u64 {
        1
    }

    #[cfg(not(target_os = "none"))]
    pub(super) fn present() {}
}

#[cfg(any())]
#[bench_diff(baseline = baselines::absent)]
fn absent_above() {}

#[bench_diff(baseline = baselines::absent)]
#[cfg(any())]
fn absent_below() {}

#[cfg_attr(not(any()), bench_diff(baseline = baselines::present), cfg(not(any())))]
fn present_above() {}

#[bench_diff(baseline = baselines::present)]
#[cfg(not(target_os = "none"))]
#[cfg(not(any()))]
fn present_below() {}

mod outer {
    mod r#mod {
        #[bench_diff_harness::bench_diff(baseline = super::super::one)]
        fn deep() -> u64 {
            1
        }

        #[bench_diff_harness::bench_diff(baseline = r#fn)]
        fn r#type() {}

        fn r#fn() {}
    }
}

#[bench_diff(baseline = first)]
fn first() {
    #[bench_diff(baseline = first, name = "first::nested")]
    fn nested() {}
    nested();
}

#[bench_diff(baseline = first)]
fn second() {
    #[bench_diff(baseline = second, name = "second::nested")]
    fn nested() {
        fn reference() {}
        if true {
            #[bench_diff(baseline = reference)]
            fn in_a_block() {}
            in_a_block();
        }
    }
    nested();
}

mod inputs {
    use super::bench_diff;

    fn count(turns: usize) -> usize {
        turns
    }

    fn margin(turns: usize) -> f64 {
        if turns == 0 { 3.0 } else { 2.0 }
    }

    #[bench_diff(baseline = count, args = 0..2, max_slowdown = margin)]
    fn by_value(turns: usize) -> usize {
        count(turns)
    }

    #[bench_diff(baseline = count, args = Some(1 << 1))]
    fn optional(turns: usize) -> usize {
        count(turns)
    }

    fn text() -> String {
        String::from("a b")
    }

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[bench_diff(baseline = words, setup = text)]
    fn by_ref(text: &str) -> Vec<&str> {
        words(text)
    }

    fn push(text: &mut String) -> Result<String, std::char::ParseCharError> {
        text.push("c".parse()?);
        Ok(text.clone())
    }

    #[bench_diff(baseline = push, setup = text, check = same)]
    fn by_mut(text: &mut String) -> Result<String, std::char::ParseCharError> {
        push(text)
    }

    fn same(candidate: &str, baseline: &str) -> bool {
        candidate == baseline
    }

    fn push_or_fail(text: &mut String) -> Result<(), std::char::ParseCharError> {
        text.push("c".parse()?);
        Ok(())
    }

    #[bench_diff(baseline = push_or_fail, setup = text, check = same)]
    fn fallible(text: &mut String) -> Result<(), std::char::ParseCharError> {
        push_or_fail(text)
    }

    fn last(text: &mut [u8]) -> Option<&mut u8> {
        text.last_mut()
    }

    #[bench_diff(baseline = last, args = [vec![1_u8, 2]])]
    fn lent(text: &mut [u8]) -> Option<&mut u8> {
        last(text)
    }

    fn write(text: &mut dyn std::fmt::Write) -> bool {
        text.write_str("c").is_ok()
    }

    #[bench_diff(baseline = write, setup = text)]
    fn object(text: &mut dyn std::fmt::Write) -> bool {
        write(text)
    }

    fn length(text: &str, factor: usize) -> usize {
        text.len() * factor
    }

    #[bench_diff(baseline = length, setup_once = text, setup = factor)]
    async fn awaited(text: &str, factor: usize) -> usize {
        std::future::ready(length(text, factor)).await
    }

    #[bench_diff(baseline = length, threads = [1, 2], setup_once = text, setup = factor, bytes = |factor| *factor)]
    fn on_threads(text: &str, factor: usize) -> usize {
        length(text, factor)
    }

    #[bench_diff(baseline = named_future, setup = text, bytes = str::len, items = 8 * (1 << 30))]
    fn named_future(text: &str) -> std::future::Ready<usize> {
        std::future::ready(text.len())
    }

    #[bench_diff(baseline = length, setup_once = text, setup = factor)]
    fn of_state(text: &str, factor: usize) -> usize {
        length(text, factor)
    }

    fn factor(text: &str) -> usize {
        text.len()
    }

    fn filled<T: Copy + Default, const N: usize>() -> [T; N] {
        [T::default(); N]
    }

    #[bench_diff(baseline = filled, types = [u8, (u8, u16)], consts = [1, 2])]
    fn instances<T: Copy + Default, const N: usize>() -> [T; N] {
        filled()
    }

    #[bench_diff(baseline = filled::<u8, N>, consts = [3, 4], check = false)]
    fn const_array<const N: usize>() -> impl Sized {
        filled::<u16, N>()
    }
}

#[bench_diff(baseline = one, name = "stacked::one")]
#[bench_diff(baseline = plain, name = "stacked::plain")]
fn stacked() -> u64 {
    one()
}

macro_rules! pair {
    ($visibility:vis fn $candidate:ident, $baseline:path, $margin:literal) => {
        #[bench_diff(baseline = $baseline, max_slowdown = $margin)]
        $visibility fn $candidate() -> u64 {
            one()
        }
    };
}

pair!(fn made_by_macro, one, "2%");
pair!(pub(crate) fn made_by_macro_too, made_by_macro, 0.02);

bench_diff_harness::main!();
