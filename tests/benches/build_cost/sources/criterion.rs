use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

macro_rules! benchmarks {
    ($($name:ident)*) => {
        fn all(criterion: &mut Criterion) {
            $(criterion.bench_function(stringify!($name), |b| b.iter(|| user::$name(black_box(7))));)*
        }
    };
}

benchmarks!(one two three four five six seven changed);
criterion_group!(benches, all);
criterion_main!(benches);
