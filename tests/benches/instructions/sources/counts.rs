use gungraun::{library_benchmark, library_benchmark_group, main};

#[library_benchmark(setup = instructions::square)]
#[bench::of()]
fn misses(square: Vec<u64>) -> u64 {
    instructions::misses(&square)
}

#[library_benchmark(setup = instructions::bytes)]
#[bench::of()]
fn mispredictions(bytes: Vec<u8>) -> u64 {
    instructions::mispredictions(&bytes)
}

#[library_benchmark]
fn hidden() -> u64 {
    instructions::hidden(std::hint::black_box(7))
}

#[library_benchmark]
fn work() -> u64 {
    instructions::work(std::hint::black_box(7))
}

#[library_benchmark]
fn unchanged() -> u64 {
    instructions::unchanged(std::hint::black_box(7))
}

library_benchmark_group!(name = all, benchmarks = [misses, mispredictions, hidden, work, unchanged]);
main!(library_benchmark_groups = all);
