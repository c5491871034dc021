//! The work of the functions of both revisions.

use std::cell::Cell;
use std::future::poll_fn;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, OnceLock};
use std::task::Poll;
use std::{env, fs, mem, process, thread};

/// Returns the same whatever it does.
pub(crate) fn work(turns: u64) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

/// Work of a thread that is started for it, and that may use as many CPUs as the first one.
pub(crate) fn work_of_thread(turns: u64) -> u64 {
    static CPUS: OnceLock<usize> = OnceLock::new();
    let working = thread::spawn(move || {
        let cpus = cpus();
        assert_eq!(*CPUS.get_or_init(|| cpus), cpus, "the CPUs of a thread");
        work(turns)
    });
    working.join().expect("it has them all")
}

/// Starts a thread that does nothing, and says whether it may still use as many CPUs as in the first call.
/// Counting them takes longer than the thread, so the caller of the thread does it.
pub(crate) fn start_brief_thread() -> u64 {
    static CPUS: OnceLock<usize> = OnceLock::new();
    let cpus = cpus();
    assert_eq!(*CPUS.get_or_init(|| cpus), cpus, "the CPUs of its threads");
    thread::spawn(|| ()).join().expect("it does nothing");
    1
}

/// Threads that live on. Each says how many CPUs it may use.
struct Pool {
    /// Those of the thread that started them.
    cpus: usize,
    turns: [Sender<u64>; 2],
    done: Receiver<usize>,
}

impl Pool {
    fn start() -> Mutex<Self> {
        let (tell, done) = mpsc::channel();
        let turns = [(); 2].map(|()| {
            let tell = tell.clone();
            let (turns, told) = mpsc::channel();
            thread::spawn(move || {
                for turns in told {
                    work(turns);
                    let _ = tell.send(cpus());
                }
            });
            turns
        });
        Mutex::new(Self { cpus: cpus(), turns, done })
    }
}

/// Work of threads that the first call starts and that every other one finds.
pub(crate) fn work_of_pool(turns: u64) -> u64 {
    static POOL: OnceLock<Mutex<Pool>> = OnceLock::new();
    let Pool { cpus, turns: threads, done } = &*POOL.get_or_init(Pool::start).lock().expect("it is whole");
    threads.iter().for_each(|thread| thread.send(turns).expect("it lives on"));
    for _ in threads {
        assert_eq!(done.recv().expect("it lives on"), *cpus, "the CPUs of a thread");
    }
    1
}

fn cpus() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Notes in the first call how many CPUs the thread may use, and later whenever that is another number.
pub(crate) fn note_cpus(side: &str) {
    thread_local!(static NOTED: Cell<usize> = const { Cell::new(0) });
    let (before, cpus) = (NOTED.get(), cpus());
    if before != cpus {
        NOTED.set(cpus);
        note(&format!("{side}-{}-{cpus}", if before == 0 { "first" } else { "later" }));
    }
}

/// Notes in the first call where on its page a block begins that is larger than any hole in the heap.
pub(crate) fn note_block(side: &str) {
    thread_local!(static IS_NOTED: Cell<bool> = const { Cell::new(false) });
    if !IS_NOTED.replace(true) {
        let block = black_box(Vec::<u8>::with_capacity(100_000));
        note(&format!("{side}-{}", block.as_ptr().addr() % 4096));
    }
}

/// Is ready when it is asked once more.
pub(crate) async fn ready_later() {
    let mut is_first = true;
    poll_fn(|context| {
        if !mem::take(&mut is_first) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
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
            thread::spawn(|| crate::breaks::hang());
        }
    }
    start
};

/// Prints what a process says to the run: that a slot took no time, that it is done, and that there is an
/// end. Reads what is for others.
pub(crate) fn print_words() {
    let mut input = Vec::new();
    assert_eq!(io::stdin().read_to_end(&mut input).expect("it is empty"), 0);
    let done = b"[null,{\"bytes\":null,\"items\":null}]";
    let message = |words: [u64; 7]| words.map(u64::to_le_bytes).concat();
    let words = [
        &message([1, 1, 1, 1, 0, 0, 0])[..],
        &message([5, done.len() as u64, 0, 0, 0, 0, 0]),
        done,
        &message([7, 0, 0, 0, 0, 0, 0]),
        b" failed [0,\"no\"]\n",
        b" end null\n",
    ];
    let written = [&mut io::stdout() as &mut dyn Write, &mut io::stderr()].into_iter().try_for_each(|out| {
        out.write_all(&words.concat())?;
        out.flush()
    });
    written.expect("they are files");
}

/// What the flags of cargo decide.
pub(crate) fn flags_of_cargo() -> [usize; 1] {
    [env::args().filter(|argument| argument == "--bench").count()]
}

/// Work for these flags.
pub(crate) fn of_flags(turns: usize) -> u64 {
    work(turns as u64 * 1_000)
}
