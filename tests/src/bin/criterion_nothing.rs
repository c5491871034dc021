//! A bench of Criterion whose benchmarks are all left out, as on another system.

use criterion::{Criterion, criterion_group, criterion_main};

fn left_out(_: &mut Criterion) {}

criterion_group!(benches, left_out);
criterion_main!(benches);
