//! A bench as it is written for Criterion, of everything that one may hold.

use std::cell::Cell;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;
use std::{env, fs, process};

use criterion::async_executor::AsyncExecutor;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{
    AxisScale, BatchSize, Bencher, Benchmark, BenchmarkGroup, BenchmarkId, Criterion, Fun,
    ParameterizedBenchmark, PlotConfiguration, SamplingMode, Throughput, black_box, criterion_group,
    criterion_main,
};

const LENGTHS: [u64; 2] = [2_000, 40_000];

fn turns(count: u64) -> u64 {
    (0..black_box(count)).fold(1, |product, turn| black_box(product ^ turn))
}

fn alone(c: &mut Criterion) {
    c.bench_function("a name with blanks", |b| b.iter(|| turns(2_000)));
    c.bench_with_input(BenchmarkId::new("of an input", 7), &7_000, |b, count| b.iter(|| turns(*count)));
    // What is made here lives as long as the target, and so may what a routine changes.
    let numbers: Vec<u64> = (0..1_000).collect();
    let mut calls = 0_u64;
    c.bench_function("of captured values", |b| {
        b.iter(|| {
            calls += 1;
            numbers.iter().sum::<u64>() ^ calls
        });
    });
}

fn length(group: &mut BenchmarkGroup<'_, WallTime>, count: u64) {
    group.throughput(Throughput::Elements(count));
    group.bench_with_input(BenchmarkId::from_parameter(count), &count, |b, count| b.iter(|| turns(*count)));
}

fn parameters(c: &mut Criterion) {
    let mut group = c.benchmark_group("lengths");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(1));
    for count in LENGTHS {
        length(&mut group, count);
    }
    group.throughput(Throughput::Bytes(14)).bench_with_input("text", "as wide as this", |b, text| {
        b.iter(|| black_box(text).bytes().map(u64::from).map(turns).sum::<u64>());
    });
    group.finish();
}

fn sort(b: &mut Bencher, size: BatchSize) {
    b.iter_batched_ref(|| (0..1_000).rev().collect::<Vec<u64>>(), |numbers| numbers.sort_unstable(), size);
}

fn batches(c: &mut Criterion) {
    let reversed = || (0..1_000).rev().collect::<Vec<u64>>();
    let sorted = |mut numbers: Vec<u64>| {
        numbers.sort_unstable();
        numbers
    };
    let mut group = c.benchmark_group("batches");
    for (name, size) in [
        ("small", BatchSize::SmallInput),
        ("large", BatchSize::LargeInput),
        ("one", BatchSize::PerIteration),
        ("ten", BatchSize::NumIterations(10)),
        ("all", BatchSize::NumBatches(1)),
    ] {
        group.bench_function(BenchmarkId::new("by value", name), |b| b.iter_batched(reversed, sorted, size));
        group.bench_function(BenchmarkId::new("by ref", name), |b| sort(b, size));
    }
    group.bench_function("with setup", |b| b.iter_with_setup(reversed, sorted));
    group.bench_function("with wrapper", |b| {
        let mut numbers = Vec::new();
        b.iter_with_setup_wrapper(|runner| {
            numbers = reversed();
            runner.run(|| numbers.sort_unstable());
        });
    });
    group.bench_function("short", |b| b.iter_with_setup(Vec::<u8>::new, |mut bytes| bytes.push(1)));
    group.bench_function("with large drop", |b| b.iter_with_large_drop(reversed));
}

/// A microsecond for each call, whatever the machine does.
fn times_itself(c: &mut Criterion) {
    c.bench_function("times itself", |b| b.iter_custom(Duration::from_micros));
    // As of threads that each make a part of the calls.
    let started = |calls: u64| Duration::from_micros(60) + Duration::from_nanos(400) * calls as u32;
    c.bench_function("with a start", |b| b.iter_custom(started));
}

thread_local! {
    /// True while an executor runs on this thread.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
    /// How often one has begun.
    static ENTERED: Cell<u64> = const { Cell::new(0) };
}

/// Polls until a future is ready.
struct Polling;

impl AsyncExecutor for Polling {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        assert!(!IS_RUNNING.replace(true), "an executor is running already");
        ENTERED.set(ENTERED.get() + 1);
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                IS_RUNNING.set(false);
                return output;
            }
        }
    }
}

/// Is ready when it is polled again.
async fn pause() {
    let is_polled = Cell::new(false);
    std::future::poll_fn(|_| if is_polled.replace(true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

fn futures(c: &mut Criterion) {
    let mut group = c.benchmark_group("futures");
    group.bench_function("iter", |b| {
        b.to_async(Polling).iter(|| async {
            pause().await;
            turns(2_000)
        });
    });
    group.bench_function("batched", |b| {
        let (entered, mut calls) = (ENTERED.get(), 0);
        let call = |count| {
            calls += 1;
            async move { turns(count) }
        };
        b.to_async(Polling).iter_batched(|| 2_000, call, BatchSize::LargeInput);
        let entered = ENTERED.get() - entered;
        assert!(entered <= 1 + calls / 4, "{calls} calls entered the executor {entered} times");
    });
    group.bench_function("times itself", |b| {
        b.to_async(Polling).iter_custom(|calls| async move { Duration::from_micros(calls) });
    });
}

/// Begins and ends only on an executor, as one does whose end is a task.
struct Connection(u64);

impl Connection {
    fn open() -> Self {
        assert!(IS_RUNNING.get(), "it begins without an executor");
        Self(2_000)
    }

    fn used(self) -> Self {
        black_box(turns(self.0));
        self
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        assert!(IS_RUNNING.get(), "it ends without an executor");
    }
}

fn connections(c: &mut Criterion) {
    let opened = || async { Connection::open().used() };
    let mut group = c.benchmark_group("connections");
    group.bench_function("iter", |b| b.to_async(Polling).iter(opened));
    group.bench_function("large drop", |b| b.to_async(Polling).iter_with_large_drop(opened));
    group.bench_function("by value", |b| {
        let used = |connection: Connection| async { connection.used() };
        b.to_async(Polling).iter_batched(Connection::open, used, BatchSize::SmallInput);
    });
    group.bench_function("by ref", |b| {
        b.to_async(Polling).iter_batched_ref(Connection::open, |_| opened(), BatchSize::LargeInput);
    });
}

/// As in the pool of rayon.
fn on_another_thread(b: &mut Bencher, routine: impl Fn() -> u64 + Send) {
    thread::scope(|threads| threads.spawn(|| b.iter(routine)).join().expect("the routine returns"));
}

fn elsewhere(c: &mut Criterion) {
    c.bench_function("on another thread", |b| on_another_thread(b, || turns(2_000)));
}

/// Makes a file for its benchmarks, and removes it when they are added.
fn cleaning(c: &mut Criterion) {
    let file =
        env::var_os("CRITERION_SCRATCH").map(|folder| Path::new(&folder).join(process::id().to_string()));
    file.iter().for_each(|file| fs::write(file, "data").expect("the folder is there"));
    for name in ["cleaning/one", "cleaning/two"] {
        c.bench_function(name, |b| b.iter(|| turns(2_000)));
    }
    file.iter().for_each(|file| fs::remove_file(file).expect("it is there"));
}

/// Calls, for which no clock is needed.
struct Calls;

impl Measurement for Calls {
    type Intermediate = ();
    type Value = u64;

    fn start(&self) {}

    fn end(&self, (): ()) -> u64 {
        1
    }

    fn add(&self, one: &u64, other: &u64) -> u64 {
        one + other
    }

    fn zero(&self) -> u64 {
        0
    }

    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

fn calls(c: &mut Criterion<Calls>) {
    c.bench_function("of another measurement", |b| b.iter(|| turns(10)));
}

fn broken(c: &mut Criterion) {
    c.bench_function("no routine", |_| {});
    c.bench_function("panicking", |b| b.iter(|| assert!(turns(1) == 0, "out of order")));
    c.bench_function("panicking elsewhere", |b| on_another_thread(b, || panic!("out of reach")));
    c.bench_function("adding", |_| _ = Criterion::default().bench_function("added", |b| b.iter(|| turns(1))));
}

fn older_forms(c: &mut Criterion) {
    let lengths = ParameterizedBenchmark::new("one", |b, count: &u64| b.iter(|| turns(*count)), [10, 20]);
    let lengths = lengths.with_function("two", |b, count| b.iter(|| turns(2 * count))).sample_size(10);
    c.bench("parameters", lengths.throughput(|count| Throughput::Elements(*count)));
    c.bench("only", Benchmark::new("only", |b| b.iter(|| turns(10))));
    c.bench(
        "several",
        Benchmark::new("a", |b| b.iter(|| turns(1))).with_function("b", |b| b.iter(|| turns(2))),
    );
    c.bench_function_over_inputs("over", |b, count| b.iter(|| turns(*count)), vec![3, 4]);
    let functions =
        vec![Fun::new("x", |b, count| b.iter(|| turns(*count))), Fun::new("y", |b, _| b.iter(|| 1))];
    c.bench_functions("functions", functions, 7);
}

/// With the id of the process in the names, if a test asks for it.
fn of_process(c: &mut Criterion) {
    let process = env::var_os("PROCESS_IN_NAMES").map_or(0, |_| process::id());
    let mut group = c.benchmark_group(format!("process {process}"));
    for count in LENGTHS {
        length(&mut group, count);
    }
}

/// Names with a number that depends on what the process has registered before.
fn numbered(c: &mut Criterion) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    for count in LENGTHS {
        let name = format!("number/{}", NEXT.fetch_add(1, Relaxed));
        c.bench_function(&name, |b| b.iter(|| turns(count)));
    }
}

fn numbered_too(c: &mut Criterion) {
    numbered(c);
}

/// Registers nothing, as one for another system does.
fn nothing(_: &mut Criterion) {}

fn by_hand() {
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("of a group by hand", |b| b.iter(|| turns(2_000)));
}

mod inner {
    pub(crate) fn twice(c: &mut criterion::Criterion) {
        for count in [1_000, 2_000] {
            c.bench_function("twice", |b| b.iter(|| super::turns(count)));
        }
    }

    fn once_more(c: &mut criterion::Criterion) {
        c.bench_function("twice", |b| b.iter(|| super::turns(3_000)));
    }

    criterion::criterion_group!(benches, twice, once_more);
}

criterion_group!(
    benches,
    alone,
    parameters,
    batches,
    times_itself,
    futures,
    connections,
    elsewhere,
    cleaning
);
criterion_group! {
    name = configured;
    config = Criterion::default().sample_size(20).with_measurement(Calls);
    targets = calls
}
criterion_group!(faults, broken,);
criterion_group!(varying, of_process, numbered, numbered_too);
criterion_group!(older, older_forms, nothing);
criterion_main!(benches, configured, by_hand, inner::benches, older, faults, varying);
