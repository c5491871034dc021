use criterion::{Criterion, criterion_group, criterion_main};

fn all(criterion: &mut Criterion) {
    let numbers = numbers();
    macro_rules! measure {
        ($($name:ident)*) => {
            $(
                criterion.bench_function(stringify!($name), |bencher| {
                    bencher.iter(|| new::$name(&numbers[..black_box(amount::$name)]));
                });
            )*
        };
    }
    functions!(measure);
}

criterion_group!(benches, all);
criterion_main!(benches);
