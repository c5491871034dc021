//! The crate's bench for bencher, which servo/rust-url#761 quotes, translated for Criterion.

use criterion::{black_box, criterion_group, criterion_main, Criterion, Throughput};

use url::Url;

fn parse(c: &mut Criterion) {
    for (name, url) in [
        ("short", "https://example.com/bench"),
        ("long", "https://example.com/parkbench?tre=es&st=uff"),
    ] {
        let mut group = c.benchmark_group("parse");
        group.throughput(Throughput::Bytes(url.len() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(url).parse::<Url>().unwrap()));
    }
}

criterion_group!(benches, parse);
criterion_main!(benches);
