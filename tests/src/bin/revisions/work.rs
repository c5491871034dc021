//! The work of the functions of both revisions.

use std::hint::black_box;
use std::sync::OnceLock;
use std::{env, fs, process, thread};

/// Returns the same whatever it does.
pub(crate) fn work(turns: u64) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

/// Work of a thread that is started for it, and that may use as many CPUs as the first one.
pub(crate) fn work_of_thread(turns: u64) -> u64 {
    static CPUS: OnceLock<usize> = OnceLock::new();
    let working = thread::spawn(move || {
        let cpus = thread::available_parallelism().map_or(1, Into::into);
        assert_eq!(*CPUS.get_or_init(|| cpus), cpus, "the CPUs of a thread");
        work(turns)
    });
    working.join().expect("it has them all")
}

/// The baseline of all functions, which has no part in a comparison of revisions.
pub(crate) fn other() -> u64 {
    panic!("nobody calls it")
}

/// Notes that it was called, with this process and its parent, in the folder that `NOTES` names.
pub(crate) fn note(what: &str) {
    #[cfg(unix)]
    if let Some(folder) = env::var_os("NOTES") {
        let name = format!("{what}-{}-{}", process::id(), std::os::unix::process::parent_id());
        let _ = fs::write(std::path::Path::new(&folder).join(name), "");
    }
}

/// A thread before `main` if `THREAD` is set, as that of an allocator may be.
#[cfg(target_os = "linux")]
#[used]
#[expect(unsafe_code, reason = "nothing else runs before `main`")]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn start() {
        if env::var_os("THREAD").is_some() {
            thread::spawn(|| misbehave("hangs"));
        }
    }
    start
};

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
