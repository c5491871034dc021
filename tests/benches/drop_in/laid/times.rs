//! The crate's bench for bencher, which dylanhart/ulid-rs#50 quotes, translated for Criterion.

use criterion::{criterion_group, criterion_main, Criterion};
use ulid::{Generator, Ulid, ULID_LEN};

fn ulid(c: &mut Criterion) {
    c.bench_function("bench_new", |b| b.iter(Ulid::new));
    c.bench_function("bench_generator_generate", |b| {
        let mut generator = Generator::new();
        b.iter(|| generator.generate().unwrap())
    });
    c.bench_function("bench_from_time", |b| {
        let time = Ulid::new().datetime();
        b.iter(|| Ulid::from_datetime(time))
    });
    c.bench_function("bench_to_str", |b| {
        let ulid = Ulid::new();
        b.iter(|| {
            let mut buffer = [0; ULID_LEN];
            ulid.to_str(&mut buffer).unwrap();
        })
    });
    c.bench_function("bench_to_string", |b| {
        let ulid = Ulid::new();
        b.iter(|| ulid.to_string())
    });
    c.bench_function("bench_from_string", |b| {
        let text = Ulid::new().to_string();
        b.iter(|| Ulid::from_string(&text).unwrap())
    });
}

criterion_group!(benches, ulid);
criterion_main!(benches);
