//! A benchmark for divan in a program that does more at its end.

fn main() {
    divan::main();
    // What the benchmark needs, so only one process may remove it.
    let file = std::env::var_os("NEEDED_BY_BENCHMARKS").expect("the test names it");
    std::fs::remove_file(file).expect("only one process cleans up");
}

#[divan::bench]
fn needy() -> u64 {
    let file = std::env::var_os("NEEDED_BY_BENCHMARKS").expect("the test names it");
    assert!(std::path::Path::new(&file).exists());
    (0..divan::black_box(1_000))
        .fold(1, |product: u64, turn| divan::black_box(product.wrapping_mul(turn | 1)))
}
