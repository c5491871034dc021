//! A bench of divan whose benchmarks are all left out.

fn main() {
    divan::main();
}
