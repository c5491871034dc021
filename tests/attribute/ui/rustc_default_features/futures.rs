//! Functions that return a future, without the runtime.

use std::future::{Ready, ready};

use bench_diff_harness::bench_diff;

fn blocking() -> u64 {
    1
}

async fn future() -> u64 {
    1
}

fn named_too() -> Ready<u64> {
    ready(1)
}

#[bench_diff(baseline = blocking)]
async fn candidate() -> u64 { //~ E0277 async
    1
}

#[bench_diff(baseline = future)] //~ E0277 future
async fn both() -> u64 { //~ E0277 async
    1
}

#[bench_diff(baseline = blocking)]
fn hidden() -> impl Future<Output = u64> { //~ E0277 impl
    future()
}

#[bench_diff(baseline = named_too)]
fn named() -> Ready<u64> { //~ E0277 Ready
    ready(1)
}

fn main() {}
