//! Automatons of few patterns and of many (BurntSushi/aho-corasick#126).

use aho_corasick::AhoCorasick;
use criterion::{black_box, criterion_group, criterion_main, Criterion};

fn build(c: &mut Criterion) {
    let words: Vec<String> = (0..100).map(|number| format!("word{}", number * 7919)).collect();
    for count in [1, 3, 100] {
        let patterns = &words[..count];
        c.bench_function(&format!("build/{count}"), |b| {
            b.iter(|| AhoCorasick::new(black_box(patterns)).unwrap())
        });
    }
}

criterion_group!(benches, build);
criterion_main!(benches);
