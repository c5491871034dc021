//! The work of the functions of both revisions.

use std::hint::black_box;
use std::{env, fs, process, thread};

/// Returns the same whatever it does.
pub(crate) fn work(turns: u64) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

/// The baseline of all functions, which has no part in a comparison of revisions.
pub(crate) fn other() -> u64 {
    panic!("nobody calls it")
}

/// Notes that it was called, in the folder that `NOTES` names.
pub(crate) fn note(what: &str) {
    if let Some(folder) = env::var_os("NOTES") {
        let _ = fs::write(std::path::Path::new(&folder).join(format!("{what}-{}", process::id())), "");
    }
}

/// Ends its process, or never returns.
pub(crate) fn misbehave(how: &str) -> u64 {
    match how {
        "panics" => panic!("out of luck"),
        "aborts" => process::abort(),
        "exits" => process::exit(0),
        _ => loop {
            thread::park();
        },
    }
}
