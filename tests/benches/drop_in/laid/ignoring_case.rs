//! The searches of rust-lang/regex#572.

extern crate criterion;
extern crate regex;

use criterion::{black_box, criterion_group, criterion_main, Criterion};
use regex::Regex;

fn is_match(c: &mut Criterion) {
    let input = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.2704.103 Safari/537.36";
    for (name, pattern) in
        [("ignoring case", r"(?i)googlebot/\d+\.\d+"), ("with case", r"googlebot/\d+\.\d+")]
    {
        let re = Regex::new(pattern).unwrap();
        c.bench_function(name, |b| b.iter(|| black_box(&re).is_match(black_box(input))));
    }
}

criterion_group!(benches, is_match);
criterion_main!(benches);
