//! Functions that hold what others need, and texts that a terminal or a log would obey.

use std::fmt::{self, Display};
use std::hint::black_box;
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bench_diff_harness::bench_diff;

fn works() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

fn works_well() -> Result<u64, &'static str> {
    Ok(works())
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn first() -> u64 {
    works()
}

/// A text without end: a thread that formats it while it holds a lock keeps the lock.
struct Endless;

/// Whether a thread does.
static HELD: AtomicBool = AtomicBool::new(false);

impl Display for Endless {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        HELD.store(true, Ordering::SeqCst);
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    }
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn holds_the_error_stream() -> u64 {
    eprintln!("{Endless}");
    works()
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn exits_while_the_error_stream_is_held() -> u64 {
    thread::spawn(|| eprintln!("{Endless}"));
    while !HELD.load(Ordering::SeqCst) {
        thread::yield_now();
    }
    process::exit(0)
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn panics_in_colour() -> u64 {
    panic!("\n::add-mask::out of order\u{1b}[2J\u{202e}")
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn panics_at_length() -> u64 {
    panic!("{}", "word ".repeat(1 << 20))
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn prints_in_colour() -> u64 {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| eprintln!("##[error]printed\u{1b}[2J\u{202e}"));
    works()
}

#[bench_diff(baseline = works_well, warmup = "0ms")]
fn returns_colour() -> Result<u64, &'static str> {
    Err("##[group]\u{1b}]0;owned\u{7}")
}

/// Args that are shown in names and would be obeyed by a page.
const NAMES: [&str; 6] = [
    "<script>document.title='owned'</script>",
    "\"><img/src=x/onerror=\"document.title='owned'\">",
    "'onclick='alert(1)",
    "&lt;b&gt;&amp;#39;",
    "\u{202e}elif\u{2066}",
    "</title></style></table><h1>owned",
];

fn works_for(_: &str) -> u64 {
    works()
}

#[bench_diff(baseline = works_for, args = NAMES, max_slowdown = "900%", warmup = "0ms")]
fn named(name: &str) -> u64 {
    works_for(name)
}

bench_diff_harness::main!();
