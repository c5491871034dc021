//! A bench as it is written for Criterion, with a `main` by hand.

use criterion::{Criterion, black_box, criterion_group};

fn constant(c: &mut Criterion) {
    c.bench_function("constant", |b| b.iter(|| black_box(1)));
}

criterion_group!(benches, constant);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // A `main` may call groups, or the functions in them.
    benches();
    constant(&mut criterion);
    if std::env::var_os("NO_SUMMARY").is_none() {
        criterion.final_summary();
    }
}
