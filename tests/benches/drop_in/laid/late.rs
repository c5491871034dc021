//! Shorter paths that are found late (evenfurther/pathfinding#639).

use codspeed_criterion_compat::{black_box, criterion_group, criterion_main, Criterion};
use pathfinding::prelude::dijkstra;

/// Every node leads to all later ones, and a path of many short steps is cheaper than a long step.
fn late_improvements(c: &mut Criterion) {
    const NODES: usize = 50;
    c.bench_function("late_improvements", |b| {
        b.iter(|| {
            dijkstra(
                black_box(&0),
                |&from| (from + 1..NODES).map(move |to| (to, (to - from) * (to - from))),
                |&node| node == NODES - 1,
            )
        })
    });
}

criterion_group!(benches, late_improvements);
criterion_main!(benches);
