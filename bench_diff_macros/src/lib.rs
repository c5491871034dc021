//! The `#[bench_diff]` attribute of `bench_diff_harness`. That crate re-exports it; depend on it instead of
//! this crate.
//!
//! The options of an attribute (`args`, `key`) and its function (`item`) become a pair (`validate`,
//! `parsed_pair`), and that becomes the items that register it (`expand`). These name everything by a path
//! into the hidden module `__private` of the harness. This crate uses no other crate of bench_diff.

mod args;
mod attribute;
mod expand;
mod function;
mod function_line;
#[cfg(any(test, fuzzing))]
mod fuzz;
mod item;
mod key;
mod lifetimes;
mod literal;
mod parsed_pair;
mod rustc_call;
mod shape;
mod validate;

/// Registers a function as the candidate of a pair, which is compared with its baseline. Without a baseline,
/// the function is measured [by itself](#functions-without-a-baseline).
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
/// The function itself stays unchanged and can be called as before. All errors of an attribute are reported
/// together, each on the tokens that caused it.
///
/// # The two functions
///
/// Candidate and baseline take the same parameters and return the same type. Any type will do: an output is
/// passed to a black box, and if it has a destructor, it is dropped outside of the measured time, after the
/// other calls of its slot. So a function that returns a lock guard waits for itself, and one that returns a
/// buffer of a pool empties the pool: drop these inside of the function. If both functions work on a
/// constant, pass it through [`std::hint::black_box`] in both, or the compiler may do the work in advance.
/// Inputs pass through a black box automatically.
///
/// The candidate is a free function, possibly in a module or inside another function; it may be `const` or
/// [`async`](#futures). It must not be `unsafe` or have another ABI: measure a plain function that calls it
/// instead. The same holds for functions of an `impl` or a `trait`, with or without `self`.
///
/// Before anything is timed, both run once on equal inputs, and their outputs are compared; see
/// [`check`](#check). If one of them returns an `Err`, then or while it is timed, the pair ends with an
/// error.
///
/// A function may have several attributes, with different baselines and names.
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
/// A run shows the time of a call: the median over rounds, with its interval in percent. There is no verdict,
/// and the function takes no share of `alpha`. It is measured until half the interval is at most 1 %, in at
/// most 10 rounds. The remaining spread comes from the machine and affects every latency.
///
/// With `--against`, the function is compared with itself in another revision. `max_slowdown`, `alpha`,
/// `beta` and `ignore_below` apply to that comparison and not to a run without `--against`; the default is
/// `max_slowdown = "2%"`. Without a baseline, the options that compare two functions of one binary are
/// rejected: `min_speedup`, `max_difference`, `max_allocations`, `judge`, `slots` and `check`.
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
/// | `fn(Input)` | each call gets its own, a clone of one input, and drops it as a part of its work |
/// | `fn(&Input)` | all calls share one input, and what they return may borrow from it |
/// | `fn(&mut Input)` | each call gets its own, made like one by value; its value after the call is compared as well |
///
/// Calls are timed in slots of many calls. Four slots, two of each function, form a duo: they are compared
/// with each other and use one input, so both functions get the same values even if a setup is random. Inputs
/// are made before a slot and dropped after it, untimed; a `Copy` input of at most 64 bytes is copied in the
/// call. An input that is not `Clone` is made by calling the setup each time, which must then be
/// deterministic. Wrap an input in a type without `Clone` if a clone would not do: that of a `Vec` has no
/// spare capacity, and those of an `Rc` or `Arc` share one value. If the input is a `Vec<T>` and the function
/// takes a `&[T]`, or the like, the reference is coerced. An output that borrows from a `&mut` input names
/// its lifetime: `Drain<'_, T>`, `impl Iterator<Item = T> + '_`.
///
/// The memory of a slot is limited. Its inputs are made in at most 10 ms and take, with the outputs, at most
/// 64 MiB, not counting the memory that they own. If outputs are kept until the slot is over, its calls take
/// at most 10 ms. If this makes slots too short, the pair is usually inconclusive.
///
/// If the output of a `fn(&mut Input)` borrows from the input, it is dropped in the slot and not compared.
/// Only a difference between the inputs is noticed.
///
/// # Futures
///
/// With the feature `tokio` of the harness, a function may be `async` or return a future in another way:
/// `impl Future`, a boxed one, or any future type. A call makes the future and runs it to its end, and both
/// are timed. The output is checked, compared and dropped like that of any other function. A future may
/// borrow from the input.
///
/// The future runs on a tokio runtime of the current thread with all drivers that tokio was built with. It is
/// made once, before anything is timed. A task that the future spawns makes progress only while a function
/// runs. Entering the runtime is a part of every call and takes some hundred nanoseconds.
///
/// If the candidate is `async` or returns a type with `Future` in it, the baseline may return another future
/// type, or the output itself: one side may wait and the other block. Otherwise, both return the same type.
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
/// | [`max_slowdown = "2%"`](#gates) | limit: how much slower the candidate may be, with a [grey zone](#gates) | `"2%"` |
/// | [`min_speedup = 1.5`](#gates) | limit instead of `max_slowdown`: how many times faster it must be | |
/// | [`max_difference = "2%"`](#gates) | limit instead of `max_slowdown`: how much slower or faster it may be | |
/// | [`report_only`](#gates) | no limit: measured and shown, never fails | |
/// | [`max_allocations = "0%"`](#max_allocations) | second limit: how much more it may allocate in a call, in number and bytes | |
/// | [`ignore_below = "1ns"`](#small-differences) | a smaller difference per call counts as none | |
/// | [`judge = "sequential"`](#judge) | the test that decides | `"sequential"` |
/// | [`alpha = 0.01`](#error-rates) | how often a run of this binary, in which nothing is slower, may fail | 0.01 |
/// | [`beta = 0.05`](#error-rates) | how often a function that is slower than allowed may pass | 0.05 |
/// | [`max_time = "2s"`](#amount-of-work) | `sequential`: the time after which a pair is inconclusive | `"2s"` |
/// | [`slots = 2000`](#amount-of-work) | `welch`: samples per function | 2000 |
/// | [`clock = "auto"`](#clock) | what to time: elapsed or CPU time | `"auto"` |
/// | [`warmup = "2ms"`](#amount-of-work) | the least time to warm up both, shared by the processes of a round, unless a call takes at least 1.25 ms | `"2ms"`, `welch` `"3s"` |
/// | [`layouts = "auto"`](#layouts) | how code is placed in memory | `"auto"` |
/// | [`bytes = 4096`](#bytes-and-items) | the bytes that one call works on, shown as a rate | |
/// | [`items = 1_000`](#bytes-and-items) | the items that one call works on, shown as a rate | |
/// | [`check = false`](#check) | the comparison of the outputs | `==`, if they have it |
/// | [`ignore`](#ignore) | listed, run only on demand | |
/// | [`crate = path`](#crate) | the path of the harness | `::bench_diff_harness` |
///
/// Each option may be used once. Environment variables and command line flags of the harness override the
/// options (`--max-slowdown` only another `max_slowdown`).
///
/// ## `baseline`
///
/// The path of the function to compare with, resolved in the module of the attribute: `stable`,
/// `super::stable`, `parsing::parse::<u8>`, `<u8 as Default>::default`. It may be private. Type arguments can
/// be left out if the output determines them. A baseline with another signature is a compile error at its
/// path.
///
/// Functions whose attributes name the same baseline form a group. Those with the same types, consts and arg
/// run one after the other, and the table shows them together, fastest first.
///
/// ## `name`
///
/// The name consists of the modules and the function, without the name of the crate and without `r#`:
/// `sorting::unstable`. A function inside another function does not have that function in its path, so two
/// with the same name need a `name = "..."`, as does a second attribute on one function. A name is not empty,
/// does not start with `-`, and has no blanks or control characters.
///
/// The names of the pairs of one attribute end in the type, const, arg and threads, in this order:
/// `sorting::unstable<u8,16>/1000/threads=4`.
///
/// ## `args`
///
/// Any expression that can be iterated over, with values that are `Display` or `Debug`, and `Clone` unless
/// they only go to functions that borrow them: `[10, 1_000]`, `0..8`, `SIZES`, `names()`, or of a slice,
/// `SLICE.iter().copied()`. Each value is passed to `setup_once`, and to `setup` or, without one, to the
/// functions. The name ends with the value, formatted with `Display` if it has it, else with `Debug`.
/// Blanks and control characters become `_`, more than 64 characters are cut and end in a digest of the
/// whole text, as in `~1f0c9a3e`, and `#2`, `#3` are added to a name that is already taken.
///
/// A process evaluates the `args` of a function when it lists its pairs and before it measures them, so they
/// should be cheap and deterministic; expensive work belongs in the setup. If an expression panics or has no
/// values, its pair ends with an error.
///
/// ## `setup`
///
/// The path of a function that makes an input: `fn() -> Input`, or with `args` `fn(Arg) -> Input`. With
/// `setup_once`, the state comes first: `fn(&State) -> Input`, `fn(&State, Arg) -> Input`. It runs once
/// for every duo. If the input is not `Clone`, and functions take it by value or by `&mut`, it runs once for
/// every call.
///
/// ## `setup_once`
///
/// The path of a function that makes a state, such as a database or a pool: `fn() -> State`, or with `args`
/// `fn(Arg) -> State`. It runs once in every process that measures the pair or finds its machine code. The
/// functions borrow the state as their first parameter, before the input if there is one: `fn(&State)`,
/// `fn(&State, Input)`.
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
/// if you had written `baseline = slow::<T, N>`; write that if it takes others. In every option, the names of
/// the parameters stand for the type and the constant.
///
/// ## `threads`
///
/// A number, or a list of different numbers, from 1 to 1024: `threads = 4`, `threads = [1, 4]`. There is a
/// pair for each number, and that many threads, including the measuring one, call its functions at the same
/// time.
///
/// In a slot, every thread makes the same number of calls, and the slot lasts until the last thread has
/// finished. So a latency is the time of a call as the threads see it, not that time divided by their number.
/// Functions that do not slow each other down keep their latency, as long as there are enough cores. It is
/// wall-clock time, since the CPU clock sees only one thread; with `clock = "cpu"` and several threads, the
/// pair ends with an error. A slot is at least ten times as long as it takes to release and collect the
/// threads, or 10 ms if the machine is too busy for that.
///
/// Before a measurement, and in the test mode, each function is called once on a single thread, even with
/// `check = false`. A function that waits for the other threads, for example at a barrier, would wait
/// forever.
///
/// All threads share the state and a borrowed input, which have to be `Sync`. With inputs by value and by
/// `&mut`, each call of each thread gets its own input, which has to be `Send`. Each thread drops its
/// outputs. Each thread runs futures on its own runtime. After a panic or an `Err` on any thread, the pair
/// ends with an error.
///
/// ## Gates
///
/// A pair has one gate; two gates in one attribute do not compile. A limit of 2 % has a grey zone from 1 % to
/// 3 %: below it a pair should pass, above it it should fail, inside it any verdict is right.
///
/// - `max_slowdown = "2%"` and `max_difference = "2%"`: a percentage above 0, which may exceed 100
///   (`"300%"`). The same share can be written as a number below 1, `0.02` or `"0.02"`.
/// - `min_speedup = 1.5`: a number above 0. A value below 1 allows a slowdown. A failure proves that the
///   candidate is less than 1.5 times as fast, a pass that it is more than 1.47 times (1.5 / 1.02).
/// - `report_only`: without a value.
///
/// With `args`, `max_slowdown`, `max_difference` and `min_speedup` can be the path of a function that
/// computes the number from the arg, `fn(Arg) -> f64`: `max_slowdown = limit_for`. For 2 % it returns 0.02.
///
/// ## Small differences
///
/// Ten percent of a call of 3 ns is a third of a nanosecond, which matters to few programs. With
/// `ignore_below = "1ns"`, a smaller difference per call does not count, however large its share. The value
/// is a time above 0 and at most `"60min"`, with a unit, such as `"0.5ns"`. The bounds of the gate are at
/// least that far from 1, as a share of a typical call of the baseline. A failure proves that the candidate
/// takes more than 1 ns longer; a pass proves that it takes less than 3 ns longer, or no more than the gate
/// allows anyway. So nothing changes for long functions.
///
/// It widens `max_slowdown` and, in both directions, `max_difference`. A `min_speedup` of at least 1 requires
/// a speed-up, however little time that is, and is not affected; a value below 1 allows a slowdown and is
/// widened like the others. A pair that passes only for this reason has the verdict `pass (small)`.
///
/// ## `max_allocations`
///
/// A second gate: a call of the candidate makes at most this many more allocations than a call of the
/// baseline, and requests at most this many more bytes. `"0%"` allows no additional ones. If the baseline
/// allocates nothing, no percentage allows any. The option needs an allocator that counts, in the
/// file of the bench:
///
/// ```ignore
/// #[global_allocator]
/// static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();
/// ```
///
/// Without it, a pair with a verdict ends with an error. With it, `--verbose` and the files show the counts
/// of every pair, with or without this option. The peak of live bytes is shown, but there is no gate on it. A
/// `report_only` pair does not fail for its allocations either.
///
/// Two calls of each function on equal inputs are counted, after a first call that fills caches and before
/// anything is timed. Making inputs and dropping outputs do not count. With `threads`, one call of every
/// thread counts, all together. A `realloc` counts as an allocation of its whole new size. The counts are
/// exact: if they do not vary, every run finds a single additional allocation, and none finds one that does
/// not exist.
///
/// If the counts vary from call to call, or if the candidate allocates more, six more calls of each function
/// are counted. Counts that vary break the gate only if every call of the candidate exceeds what is allowed
/// for each call of the baseline. For functions that vary equally, this happens by chance in fewer than one
/// of 6000 runs. A note says that they vary.
///
/// ## `judge`
///
/// - `"sequential"`: looks at each round when it is complete, and stops as soon as a pass or a failure is
///   proven. A round is one new process or, in layouts, up to four. The proof requires only that rounds are
///   independent, and it holds whenever the judge stops.
/// - `"welch"`: Welch's t-test on a fixed number of measurements in one process.
///
/// ## Error rates
///
/// `alpha` and `beta` are above 0 and below 0.5, as numbers (`0.01`) or percentages (`"1%"`). `alpha` is
/// the probability that any pair of the bench binary fails wrongly in a run. Its pairs share it evenly, so
/// more pairs do not mean more false alarms. `beta` holds for each pair.
///
/// ## Amount of work
///
/// `max_time` and `warmup` are a number with one of the units `ns`, `us`, `ms`, `s` and `min`: `"50ms"`,
/// `"1.5 s"`. `max_time` is above 0. A `warmup` of `"0s"` leaves a few calls, which decide how long slots
/// have to be. A pair warms up in every process. `max_time` is a soft limit on the time of its slots in all
/// rounds: a slow function gets as many rounds as a clear failure needs, and up to three times as many if
/// they may decide. A pair that is undecided then is inconclusive. `slots` is a whole number from 2 to 15
/// 000 000; an odd number is rounded up, since slots are measured in fours.
///
/// ## `clock`
///
/// - `"wall"`: elapsed time.
/// - `"cpu"`: the time that the processor spends in this thread. Other programs on a busy machine do not
///   affect it. It does not include waiting, or work in other threads.
/// - `"auto"`: the CPU clock if the warm-up shows that nothing waits and that slots are long enough for it,
///   else the wall clock. The report names it.
///
/// ## `layouts`
///
/// How code is placed in memory, which decides what a verdict is about.
///
/// - `"auto"`: the source code. Each round is up to four fresh processes of the bench binary, linked again
///   with its functions and constants in a random order, at four offsets. If it cannot be linked again, the
///   rounds run the binary as it is, and a slowdown is reported as inconclusive, or as an error if the
///   environment variable `CI` is set.
/// - `"all"`: the same, but if the binary cannot be linked again, the pair ends with an error.
/// - `"linked"`: this binary. Each round is a fresh process of it, and the addresses that the linker chose
///   affect the ratio.
/// - `"none"`: one process of this binary. For a debugger, a profiler, or a quick look.
///
/// `judge = "welch"` always uses one process, as with `"none"`.
///
/// ## `bytes` and `items`
///
/// The work of one call, which reports show as a rate: `1.24 GB/s`, `35.0 M items/s`. A pair may have one of
/// them or both. They do not affect the verdict. Each is one of these:
///
/// - A number: any expression of an integer type, such as `4096`, `8 * N` or `TEXT.len()`.
/// - A function of the input that returns such a number: a closure, `|numbers| numbers.len()`, or a path,
///   `str::len`. It gets a reference to the input of a call, made by the setup or taken from the args: a
///   `&Vec<u64>` if the functions take a `Vec<u64>`, and a `&[u64]` if they take a `&[u64]` or a `&mut
///   [u64]`.
///
/// ```ignore
/// #[bench_diff(baseline = stable, args = [100, 10_000], setup = shuffled, items = |numbers| numbers.len())]
/// fn unstable(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort_unstable();
///     numbers
/// }
/// ```
///
/// Both are evaluated before anything is timed, once in every process of the pair. The numbers of the first
/// process are shown. A function gets its own input, which is made before all others of its process. After a
/// panic or a number below 1, the pair ends with an error.
///
/// With [`threads`](#threads), it is still the work of one call, so the rate is that of a single thread.
///
/// ## `check`
///
/// Before a pair is measured, and in the test mode, each function runs once on equal inputs. If the outputs
/// differ, the pair ends with an error that shows both. The same holds if the inputs differ after a call of a
/// `fn(&mut Input)`. For a `Result`, the `Ok` values are compared. A NaN equals a NaN. Types without `==` are
/// not compared.
///
/// If two values differ and neither equals itself, because they contain a NaN, their `Debug` texts are
/// compared. So two `HashMap`s with a NaN are equal only if their order is the same as well.
///
/// - `check = false`: nothing is compared. The functions may return different types, and `impl Trait`.
/// - `check = path`: a function decides whether two values are the same, `fn(&Candidate, &Baseline) -> bool`.
///   It gets the outputs, which may have different types. If the functions are a `fn(&mut Input)` that
///   returns `()` or `Result<(), E>`, or borrows from the input, it gets the inputs after the call. If they
///   return something else, it gets the outputs, and the inputs after the call are compared with `==`, as
///   without it.
///
/// The record of a pair and the end of a test run show the result: `equal`, `none` if there was nothing to
/// compare, or `off`.
///
/// ## `ignore`
///
/// Left out of a run without `--ignored` or `--include-ignored`, like `#[ignore]` on the function, which
/// may have a reason: `#[ignore = "slow"]`. Its setups still run once after each build, to find its machine
/// code.
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

/// Expands to the text of this type, without blanks. Only for other front ends.
#[doc(hidden)]
#[proc_macro]
pub fn __type_text(ty: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let text = expand::without_blanks(&proc_macro2::TokenStream::from(ty));
    proc_macro2::TokenStream::from(proc_macro2::TokenTree::from(proc_macro2::Literal::string(&text))).into()
}

/// Expands to the line of the function with this path, or 0 if it is not in the file of the path. Only for
/// front ends.
#[doc(hidden)]
#[proc_macro]
pub fn __function_line(path: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let file = function_line::file_of(path.clone());
    function_line::expand(path.into(), file.as_deref()).into()
}
