//! Functions that hand their work to a thread, of which one does not wait for it.

use std::hint::black_box;
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bench_diff_harness::bench_diff;

type Worker = LazyLock<Mutex<Sender<Sender<()>>>>;

/// A thread that answers each request after so much work.
fn worker(time: Duration) -> Mutex<Sender<Sender<()>>> {
    let (sender, requests) = channel::<Sender<()>>();
    thread::spawn(move || {
        for done in requests {
            let start = Instant::now();
            while start.elapsed() < time {
                black_box(time);
            }
            let _ = done.send(());
        }
    });
    Mutex::new(sender)
}

fn hand_over(worker: &Worker, done: Sender<()>) {
    worker.lock().expect("nothing panics").send(done).expect("the thread lives");
}

fn waits() {
    static WORKER: Worker = LazyLock::new(|| worker(Duration::from_micros(20)));
    let (sender, done) = channel();
    hand_over(&WORKER, sender);
    done.recv().expect("the thread answers");
}

#[bench_diff(baseline = waits, report_only, warmup = "0ms")]
fn waits_too() {
    waits();
}

#[bench_diff(baseline = waits, report_only, warmup = "0ms")]
fn leaves() {
    static WORKER: Worker = LazyLock::new(|| worker(Duration::from_secs(1)));
    hand_over(&WORKER, channel().0);
}

bench_diff_harness::main!();
