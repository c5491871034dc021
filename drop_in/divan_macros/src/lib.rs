//! The attributes of `bench_diff_divan`. That crate re-exports them; depend on it instead of this crate.

mod bench;
mod group;
mod instances;
mod options;

/// Registers a function as a benchmark, with the options of `divan::bench`.
///
/// ```ignore
/// #[divan::bench(args = [10, 1_000])]
/// fn sorted(bencher: divan::Bencher, len: u64) {
///     bencher.with_inputs(|| (0..len).rev().collect::<Vec<_>>()).bench_refs(|numbers| numbers.sort());
/// }
/// ```
///
/// | option | meaning |
/// |---|---|
/// | `name = "..."` | replaces the function's name |
/// | `args = [1, 2]` | one benchmark for each value of an iterator |
/// | `types = [A, B]`, `consts = [1, 2]` | one benchmark for each |
/// | `threads`, `threads = [1, 4]` | the number of threads that call the function at the same time; one benchmark for each, and 0 is the parallelism of the machine |
/// | `counter = ..`, `counters = [..]`, `bytes_count = ..`, `items_count = ..`, `chars_count = ..`, `cycles_count = ..` | the work of one call |
/// | `ignore`, `ignore = bool`, also `#[ignore]` | listed, run only on demand |
/// | `crate = path` | the path of this crate |
/// | `sample_size = 1` | the most inputs that are made at a time; no effect without inputs |
/// | `sample_count`, `min_time`, `max_time`, `skip_ext_time` | no effect |
#[proc_macro_attribute]
pub fn bench(options: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    bench::expand(options.into(), &item.into()).into()
}

/// Sets options of all benchmarks in a module: those of [`macro@bench`] except `args`, `types` and `consts`.
///
/// They also apply to benchmarks that macros write into the module. Options of a benchmark or of an inner
/// group override them.
///
/// A `name` replaces the name of the module in the names of benchmarks.
#[proc_macro_attribute]
pub fn bench_group(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    group::expand(options.into(), &item.into()).into()
}
