//! The parser of winnow-rs/winnow#223.

use criterion::{black_box, criterion_group, criterion_main, Criterion, Throughput};
use winnow::{character::multispace0, error::Error, Parser};

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse");
    let input = "\t ".repeat(1024 * 1024);
    group.throughput(Throughput::Bytes(input.len() as u64));
    group.bench_function("multispace0", |b| {
        multispace0::<&str, Error<&str>>.parse_next(&input).unwrap();
        b.iter(|| black_box(multispace0::<&str, Error<&str>>.parse_next(&input).unwrap()))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
