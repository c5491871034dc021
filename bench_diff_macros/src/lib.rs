//! The `#[bench_diff]` attribute of `bench_diff_harness`, which re-exports it: depend on that crate, not on
//! this one.

mod alone;
mod args;
mod attribute;
mod digest;
mod errors;
mod expand;
mod function;
mod function_work;
#[cfg(any(test, fuzzing))]
mod fuzz;
mod item;
mod key;
mod lifetimes;
mod literal;
mod parsed_pair;
mod rustc_call;
mod shape;
mod source;
mod source_file;
mod validate;

/// Registers a function as the candidate of a pair, to be measured against its baseline; or
/// [by itself](#functions-without-a-baseline), with no baseline given.
///
/// ```ignore
/// use std::hint::black_box;
///
/// use bench_diff_harness::bench_diff;
///
/// fn by_division() -> u64 {
///     black_box(u64::MAX) / 10
/// }
///
/// #[bench_diff(baseline = by_division, max_slowdown = "2%")]
/// fn by_multiplication() -> u64 {
///     ((u128::from(black_box(u64::MAX)) * 0xCCCC_CCCC_CCCC_CCCD) >> 67) as u64
/// }
///
/// bench_diff_harness::main!();
/// ```
///
/// The function itself stays as it is and can be called as before. All errors of an attribute are reported
/// together, each on the tokens that caused it.
///
/// # The two functions
///
/// Candidate and baseline take the same parameters and return the same type, any type: an output is passed to
/// a black box, and one that has something to drop is dropped outside of the measured time. A constant that
/// both functions work on goes through [`std::hint::black_box`] in both, or the compiler may do the work
/// beforehand. Inputs pass through a black box automatically.
///
/// The candidate is a free function, also one in a module or inside another function; it may be `const` or
/// [`async`](#futures). It is not `unsafe` or of another ABI: for these, measure a plain function that calls
/// it. The same holds for functions of an `impl` or a `trait`, with or without `self`.
///
/// Before anything is timed both run once on equal inputs, and what they return is compared; see
/// [`check`](#check). An `Err` that one of them returns, then or when it is timed, is an error of the pair.
///
/// The attribute may stand on a function several times, with different baselines and names.
///
/// # Functions without a baseline
///
/// ```ignore
/// #[bench_diff(args = [100, 10_000], setup = shuffled)]
/// fn unstable(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort_unstable();
///     numbers
/// }
/// ```
///
/// A run shows how long a call takes: the median over rounds, with its interval in percent of it. Nothing is
/// judged, and the function has no share of `alpha`. It is measured until half the interval is at most 1 %,
/// in at most 10 rounds: the spread that is left is that of the machine, and part of any latency.
///
/// With `--against` the function is compared with itself in another revision. `max_slowdown`, `alpha`, `beta`
/// and `ignore_below` are the gate of that comparison and have no part in a run by itself; the default is
/// `max_slowdown = "2%"`. Options about two functions of one program are errors: `min_speedup`,
/// `max_difference`, `max_tail`, `max_allocations`, `judge`, `slots` and `check`.
///
/// # Inputs
///
/// ```ignore
/// fn stable(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort();
///     numbers
/// }
///
/// #[bench_diff(baseline = stable, args = [100, 10_000], setup = shuffled)]
/// fn unstable(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort_unstable();
///     numbers
/// }
///
/// fn shuffled(len: usize) -> Vec<u64> {
///     // ...
/// }
/// ```
///
/// | functions | input |
/// |---|---|
/// | `fn(Input)` | each call gets its own, a clone of the one that was made for the duo, and drops it as a part of its work |
/// | `fn(&Input)` | all calls of a duo share one, and what they return may borrow from it |
/// | `fn(&mut Input)` | each call gets its own, made like one by value; its value after the call is compared as well |
///
/// A duo is the four slots that are compared with each other, so both functions get the same values also
/// where a setup is random. Inputs are made before a slot and dropped after it, untimed; one of at most 64
/// bytes that is `Copy` is copied in the call. One that is not `Clone` is made by a call of the setup each
/// time, which must then be deterministic. Where the input is a `Vec<T>` and the function takes a `&[T]`, or
/// the like, the reference is coerced. An output that borrows from a `&mut` input names its lifetime:
/// `Drain<'_, T>`, `impl Iterator<Item = T> + '_`.
///
/// The memory of a slot is bounded. Its inputs are made in at most 10 ms and take, with the outputs, at most
/// 64 MiB, not counting what they own; if outputs are kept until the slot is over, its calls take at most 10
/// ms. If that leaves a slot too short for the clock, the pair is an error that says so.
///
/// An output of a `fn(&mut Input)` that borrows from the input is dropped in the slot, and not compared: only
/// a difference between the inputs is noticed.
///
/// # Futures
///
/// With the feature `tokio` of the harness a function may be `async` or return a future in another way: `impl
/// Future`, a boxed one, any type that is one. A call makes the future and runs it to its end, both of which
/// are timed; what it returns is checked, compared and dropped like the output of any other function. A
/// future may borrow from the input.
///
/// It runs on a tokio runtime of the current thread with all drivers that tokio was built with, made once and
/// before anything is timed. A task that it spawns makes progress only while a function runs. Entering the
/// runtime is a part of every call, some hundred nanoseconds of it.
///
/// If the candidate is `async` or returns a type that says `Future`, the baseline may return a future of its
/// own type, or the output itself: one side may wait and the other block. Otherwise both return the same
/// type.
///
/// # Options
///
/// | option | meaning | default |
/// |---|---|---|
/// | [`baseline = path`](#baseline) | the function to compare with | none: [its latency alone](#functions-without-a-baseline) |
/// | [`name = "..."`](#name) | the name of the pair | module path and function |
/// | [`args = [10, 1_000]`](#args) | one pair for each value | |
/// | [`setup = path`](#setup) | makes an input, untimed | |
/// | [`setup_once = path`](#setup_once) | makes a state that all calls of a pair borrow | |
/// | [`types = [A, B]`](#types-and-consts) | one pair for each type | |
/// | [`consts = [1, 2]`](#types-and-consts) | one pair for each constant | |
/// | [`threads = [1, 4]`](#threads) | the number of threads that call at the same time; one pair for each | |
/// | [`max_slowdown = "2%"`](#gates) | gate: the candidate is at most this much slower | `"2%"` |
/// | [`min_speedup = 1.5`](#gates) | gate: the candidate is at least this many times faster | |
/// | [`max_difference = "2%"`](#gates) | gate: neither is slower than the other by more than this | |
/// | [`report_only`](#gates) | no gate: measured and shown, never fails | |
/// | [`max_tail = 2.0`](#tails) | a second gate: slow calls are at most this many times as frequent as the baseline's | |
/// | [`max_allocations = "0%"`](#max_allocations) | a second gate: at most this many more allocations, and bytes, in a call | |
/// | [`ignore_below = "1ns"`](#small-differences) | a smaller difference per call counts as none | |
/// | [`judge = "sequential"`](#judge) | the test that decides | `"sequential"` |
/// | [`alpha = 0.01`](#error-rates) | how often a run of this binary, in which nothing is slower, may fail | 0.01 |
/// | [`beta = 0.05`](#error-rates) | how often a function that is slower than allowed may pass | 0.05 |
/// | [`max_time = "2s"`](#amount-of-work) | `sequential`: after this, inconclusive | `"2s"` |
/// | [`slots = 2000`](#amount-of-work) | `welch`: slots measured of each function | 2000 |
/// | [`clock = "auto"`](#clock) | the clock that times a slot | `"auto"` |
/// | [`warmup = "2ms"`](#amount-of-work) | the least time to warm up both in every round | `"2ms"`, `welch` `"3s"` |
/// | [`layouts = "auto"`](#layouts) | the programs that its rounds run in | `"auto"` |
/// | [`bytes = 4096`](#bytes-and-items) | the bytes that one call works on, shown as a rate | |
/// | [`items = 1_000`](#bytes-and-items) | the items that one call works on, shown as a rate | |
/// | [`check = false`](#check) | the comparison of the outputs | `==`, if they have it |
/// | [`ignore`](#ignore) | listed, run only on demand | |
/// | [`same_work = "..."`](#same_work) | a text that says that a benchmark does the work of its earlier revisions | |
/// | [`crate = path`](#crate) | the path of the harness | `::bench_diff_harness` |
///
/// Each option may be used once. Environment variables and command line flags of the harness override the
/// options.
///
/// ## `baseline`
///
/// The path of a function, private ones included, seen from where the attribute stands: `stable`,
/// `super::stable`, `parsing::parse::<u8>`, `<u8 as Default>::default`. Type arguments can be left out where
/// the output tells them. A baseline of another signature is an error on its path.
///
/// Functions of one module with the same baseline, written alike, are a group: those with the same types,
/// consts and arg run one after the other, and the table shows them together, fastest first.
///
/// ## `name`
///
/// The pair is named after the modules and the function that it stands in, without the name of the crate and
/// without `r#`: `sorting::unstable`. Functions inside a function do not have that function in their path, so
/// two of the same name need a `name = "..."`, as does a second attribute on one function. A name is not
/// empty, does not start with `-`, and has no blanks or control characters.
///
/// The names of the pairs of one attribute end in the type, const, arg and threads, in this order:
/// `sorting::unstable<u8,16>/1000/threads=4`.
///
/// ## `args`
///
/// Any expression that can be iterated over, of values that are `Clone` and `Display` or `Debug`: `[10,
/// 1_000]`, `0..8`, `SIZES`, `names()`. Each value is given to the setup, or without one to the functions. It
/// is the end of the name, as `Display` shows it, or else `Debug`: blanks and control characters become `_`,
/// more than 64 characters are cut and end in a digest of the whole text, as in `~1f0c9a3e`, and `#2`, `#3`
/// are added to a name that was there before.
///
/// Every process evaluates all `args` once at its start, so they should be cheap and deterministic; the work
/// belongs in the setup. A panic in one is an error of its pair, as is an expression without values.
///
/// ## `setup`
///
/// The path of a function that makes an input: `fn() -> Input`, or with `args` `fn(Arg) -> Input`. With
/// `setup_once` the state comes first: `fn(&State) -> Input`, `fn(&State, Arg) -> Input`. It runs once for
/// every duo.
///
/// ## `setup_once`
///
/// The path of a function that makes a state, a database or a pool, say: `fn() -> State`, or with `args`
/// `fn(Arg) -> State`. It runs once in every process that measures the pair. The functions borrow the state
/// as their first parameter, in front of the input if there is one: `fn(&State)`, `fn(&State, Input)`.
///
/// ## `types` and `consts`
///
/// For functions with a type parameter, a const parameter, or one of each:
///
/// ```ignore
/// #[bench_diff(baseline = slow, types = [u8, Vec<u8>], consts = [16, 64])]
/// fn fast<T: Default, const N: usize>() -> [T; N] {
///     // ...
/// }
/// ```
///
/// There is a pair for every combination. The baseline gets the same types and consts in the same order, as
/// if `baseline = slow::<T, N>` were written; write that if it takes others. In every option the names of the
/// parameters stand for the type and the constant.
///
/// ## `threads`
///
/// A number, or a list of different ones, from 1 to 1024: `threads = 4`, `threads = [1, 4]`. There is a pair
/// for each number, and that many threads call its functions at the same time, the measuring one among them.
///
/// In a slot every thread makes the same number of calls, and the slot lasts until the last of them is done.
/// So a latency is the time of a call as the threads see it, not that time divided by their number: functions
/// that do not get in each other's way keep theirs, as long as there are cores. It is wall-clock time, since
/// the CPU clock sees one thread only; `clock = "cpu"` with several threads is an error of the pair. A slot
/// is at least ten times as long as it takes to release and collect the threads, or 10 ms where the machine
/// is too busy for that.
///
/// Before a measurement, and in the test mode, each function is called once on one thread, also with `check =
/// false`. A function that waits for the other threads, at a barrier say, would wait forever.
///
/// All threads share the state and a borrowed input, which are `Sync`. Inputs by value and by `&mut` are one
/// for each call of each thread, and `Send`. Each thread drops its outputs. Futures run on a runtime of their
/// thread. A panic or an `Err` on any thread is an error of the pair.
///
/// ## Gates
///
/// A pair has one gate; two gates in one attribute are an error.
///
/// - `max_slowdown = "2%"` and `max_difference = "2%"`: a percentage above 0, which may exceed 100
///   (`"300%"`). The same share can be written as a number below 1, `0.02` or `"0.02"`.
/// - `min_speedup = 1.5`: a number above 0. A value below 1 allows a slowdown. A failure proves that the
///   candidate is less than 1.5 times as fast, a pass that it is more than 1.47 times (1.5 / 1.02).
/// - `report_only`: without a value.
///
/// With `args` the first three can be the path of a function that computes the number from the arg, `fn(Arg)
/// -> f64`: `max_slowdown = limit_for`.
///
/// ## Small differences
///
/// Ten percent of a call of 3 ns is a third of a nanosecond, which matters to few programs. With
/// `ignore_below = "1ns"` a smaller difference per call counts as none, whatever its share. The value is a
/// time above 0 and at most `"60min"`, with a unit, such as `"0.5ns"`. The bounds of the gate are no nearer
/// to 1 than that, as a share of a typical call of the baseline: a failure proves that the candidate takes
/// more than 1 ns longer, and a pass that it takes less than 3 ns longer, or no more than the gate lets pass
/// anyway. So for long functions nothing changes.
///
/// It widens `max_slowdown` and, in both directions, `max_difference`. A `min_speedup` from 1 on asks for a
/// speed-up, however little time that is, and is not affected; one below 1 allows a slowdown and is widened
/// like the others. A pair that passes only for this reason has the verdict `pass (<1ns)`, or `pass (small)`
/// if the time has no room in the column.
///
/// ## Tails
///
/// A gate looks at the typical call. `max_tail = 2.0`, a number above 1, looks at the slow ones as well:
/// calls that are slower than 99 % of those of the baseline, each measured against the median of its own
/// function, so that a function which is slower in every call has no more of them. The pair fails if the
/// candidate has too many, and passes if both gates are kept. With a margin of 2 a failure proves more than
/// 1.41 times as many, and a pass fewer than 2.83 times: `max_tail` to the power of 1/2 and of 3/2. The two
/// gates of a pair share its `alpha`.
///
/// Every slot is a single call then, by the wall clock unless another one is asked for, and a round has up to
/// 512 duos: a call has to last 100 steps of the clock, a microsecond on many machines, or the pair is an
/// error. Tails are judged by rounds: with `judge = "welch"` or `layouts = "none"` the pair is an error as
/// well. Without `--max-rounds` there are at most 40, or twice as many as a clear tail takes if that is
/// more.
///
/// ## `max_allocations`
///
/// A gate beside the other one: a call of the candidate makes at most this many more allocations than a call
/// of the baseline, and asks for at most this many more bytes. `"0%"` allows no more, and beside a baseline
/// that allocates nothing no percentage does. It needs an allocator that counts, in the file of the bench:
///
/// ```ignore
/// #[global_allocator]
/// static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();
/// ```
///
/// Without it the pair is an error that says so. With it every pair shows its counts, with `--verbose` and in
/// the files, whether or not it has the option. The most bytes that lived at once are shown and not gated. A
/// pair that is `report_only` does not fail for its allocations either.
///
/// Two calls of each function on equal inputs are counted, after a first call, which fills caches, and before
/// anything is timed. Making inputs and dropping outputs do not count. With `threads` it is a call of every
/// thread, together. A `realloc` is an allocation of its whole new size. The counts are exact: where they
/// agree, a single allocation more is found in every run, and one that is not there in none.
///
/// If they vary from call to call, or the candidate allocates more, six more calls of each are counted.
/// Counts that vary break the gate only if every call of the candidate exceeds what is allowed beside each
/// call of the baseline, which happens by chance in fewer than one of 6000 runs of functions that vary alike.
/// A note says that they vary.
///
/// ## `judge`
///
/// - `"sequential"`: looks at each round as it comes, and stops as soon as a pass or a failure is proven. A
///   round is a new process. The proof only requires that rounds are independent, and it holds whenever the
///   judge stops.
/// - `"welch"`: Welch's t-test on a fixed number of measurements of one process.
///
/// ## Error rates
///
/// `alpha` and `beta` lie between 0 and 0.5, both excluded, as numbers (`0.01`) or percentages (`"1%"`).
/// `alpha` is the probability that any pair of the bench binary fails wrongly in a run: its pairs share it
/// evenly, so that more pairs do not mean more false alarms. `beta` holds for each pair.
///
/// ## Amount of work
///
/// `max_time` and `warmup` are a number with one of the units `ns`, `us`, `ms`, `s` and `min`: `"50ms"`,
/// `"1.5 s"`, or `"0s"` for no warm-up. A pair warms up in every round. `max_time` is the time of its slots
/// in all rounds, and soft: a slow function gets the rounds that a clear failure takes, and goes on while all
/// of them say the same. If the former would last more than ten times as long, the pair is an error that says
/// which `max_time` is enough. `slots` is a whole number, at least 2; an odd one is rounded up, since slots
/// are measured in fours.
///
/// ## `clock`
///
/// - `"wall"`: elapsed time.
/// - `"cpu"`: the time that the processor spends in this thread, which other programs on a busy machine do
///   not lengthen. It does not see a function wait, or work in another thread.
/// - `"auto"`: the CPU clock if the warm-up shows that nothing waits and that slots are long enough for it,
///   else the wall clock. The report says which.
///
/// ## `layouts`
///
/// The programs that rounds run in, and so the subject of a verdict.
///
/// - `"auto"`: the source. Each round is four fresh processes of the program linked again, its functions and
///   constants in one random order at four places. If it cannot be linked again, the rounds run the program
///   as it is, and a failure is inconclusive, or an error where `CI` is set.
/// - `"all"`: the same, and a program that cannot be linked again is an error.
/// - `"linked"`: this program. Each round is a fresh process of it; the place that the linker gave to a
///   function is a part of the ratio.
/// - `"none"`: one process of this program, judged by its duos. For a debugger, a profiler, or a quick look.
///
/// `judge = "welch"` is a test of one process, as with `"none"`, whatever is set here.
///
/// ## `bytes` and `items`
///
/// The work of one call, which reports show as a rate: `1.24 GB/s`, `35.0 M items/s`. A pair may have one of
/// them or both, and neither has a part in the verdict. Each is one of these:
///
/// - A number: any expression of an integer type, such as `4096`, `8 * N` or `TEXT.len()`.
/// - A function of the input that returns such a number: a closure, `|numbers| numbers.len()`, or a path,
///   `str::len`. It gets a reference to the input of a call, which the setup made or which is the arg: a
///   `&Vec<u64>` where the functions take a `Vec<u64>`, and a `&[u64]` where they take a `&[u64]` or a
///   `&mut [u64]`.
///
/// ```ignore
/// #[bench_diff(baseline = stable, args = [100, 10_000], setup = shuffled, items = |numbers| numbers.len())]
/// fn unstable(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort_unstable();
///     numbers
/// }
/// ```
///
/// Both are evaluated before anything is timed, once in every process of the pair, and the first process is
/// the one whose numbers are shown. A function gets an input that is made for it alone, before all others of
/// its process. A number below 1 is an error of the pair, and so is a panic.
///
/// With [`threads`](#threads) it is the work of one call as well, so the rate is that of one thread.
///
/// ## `check`
///
/// Before a pair is measured, and in the test mode, each function runs once on equal inputs. Outputs that
/// differ are an error that shows both, and so are inputs that differ after a call of a `fn(&mut Input)`. Of
/// a `Result` the `Ok` values are compared, and a NaN equals a NaN. Types without `==` are not compared.
///
/// Values that hold a NaN, so that neither equals itself, are compared by what their `Debug` shows: those of
/// a `HashMap` are equal only if their order is the same as well.
///
/// - `check = false`: nothing is compared. The functions may return different types, and `impl Trait`.
/// - `check = path`: a function says whether two values are the same, `fn(&Candidate, &Baseline) -> bool`. It
///   gets the outputs, which may be of different types; of a `fn(&mut Input)` that returns nothing or borrows
///   from the input it gets the inputs after the call. Of one that returns something else it gets the
///   outputs, and the inputs after the call are compared with `==`, as without it.
///
/// The record of a pair and the end of a test run show the result: `equal`, `none` if there was nothing to
/// compare, or `off`.
///
/// ## `ignore`
///
/// Left out of a run without `--ignored` or `--include-ignored`, as with `#[ignore]` on the function, which
/// may have a reason: `#[ignore = "slow"]`.
///
/// ## `same_work`
///
/// With `--against` a function is compared with itself in another revision. If the tokens of the function, or
/// of the `args`, `setup`, `setup_once`, `types`, `consts`, `threads` or `clock` of its attribute differ,
/// comments aside, it may do other work, and a failure is reported as inconclusive. So is one on other inputs
/// that the bench makes. The same text in both revisions, `same_work = "the words of the corpus"`, says that
/// the work is the same.
///
/// ## `crate`
///
/// The path of the harness, if it has another name or is re-exported by another crate: `crate =
/// my_benchmarks::bench_diff_harness`.
#[proc_macro_attribute]
pub fn bench_diff(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    attribute::with_registration(args.into(), item.into()).into()
}

/// Expands to the rustc command line, for `main!()` only.
#[doc(hidden)]
#[proc_macro]
pub fn __rustc_call(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    rustc_call::expand().into()
}

/// Expands to the digest of these tokens, for other front ends only.
#[doc(hidden)]
#[proc_macro]
pub fn __digest(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let digest = digest::of_tokens(&tokens.into(), &[]);
    proc_macro2::TokenStream::from(proc_macro2::TokenTree::from(proc_macro2::Literal::u64_suffixed(digest)))
        .into()
}

/// Expands to the text of this type, as one word; for other front ends only.
#[doc(hidden)]
#[proc_macro]
pub fn __type_text(ty: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let text = expand::without_blanks(&proc_macro2::TokenStream::from(ty));
    proc_macro2::TokenStream::from(proc_macro2::TokenTree::from(proc_macro2::Literal::string(&text))).into()
}

/// Expands to the digest of the work of the function of this path, its line, its file, and whether it is to
/// be compiled; for front ends only.
#[doc(hidden)]
#[proc_macro]
pub fn __function_work(path: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let file = function_work::file_of(path.clone());
    function_work::expand(path.into(), file.as_deref()).into()
}
