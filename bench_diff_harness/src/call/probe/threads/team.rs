//! Threads that take every step at the same time.

use std::cell::RefCell;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::{process, thread};

use bench_diff_system::lifeline;

use crate::call::panics;

/// How often a waiting thread checks before it yields its core: for a few microseconds.
const SPINS: usize = 128;

/// A step that every thread takes. No thread begins a step before all have finished the one before.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Makes the inputs of a slot, if each thread makes its own.
    Fill(u64),
    /// Makes room for the outputs of a slot.
    Prepare(u64),
    /// Makes the calls of a slot.
    Call(Function, u64),
    /// Drops the outputs of the slot, and its remaining inputs.
    Clear,
    /// Drops the outputs of the slot, and keeps inputs that each belong to one call.
    Keep,
}

/// The function that a slot calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Function {
    Candidate,
    Baseline,
    Empty,
}

/// The threads as seen by their leader, which is the first of them.
///
/// The code that a slot waits for is inlined, so that it is compiled and optimized together with the
/// functions.
pub(super) struct Team<'a> {
    shared: &'a Shared,
    own: RefCell<&'a mut dyn FnMut(Step)>,
}

impl Team<'_> {
    /// Runs `lead` with a team of this many threads.
    ///
    /// `work` returns the steps of the thread with the given number. The threads live until `lead` returns or
    /// panics.
    pub(super) fn with<W: FnMut(Step)>(
        threads: usize,
        work: &(impl Fn(usize) -> W + Sync),
        lead: impl FnOnce(&Team<'_>),
    ) {
        let shared = Shared::new(threads - 1);
        thread::scope(|scope| {
            let _dismissed = Dismissed(&shared);
            for number in 1..threads {
                let shared = &shared;
                scope.spawn(move || shared.follow(|| work(number)));
            }
            lead(&Team { shared: &shared, own: RefCell::new(&mut work(0)) });
        });
    }

    /// Takes this step on every thread, and waits for the last one.
    ///
    /// # Panics
    ///
    /// With the message of the first thread that panicked.
    pub(super) fn all(&self, step: Step) {
        self.start(step);
        self.wait();
    }

    /// Starts this step on the other threads, and takes it on the leading thread.
    #[inline]
    pub(super) fn start(&self, step: Step) {
        self.shared.release(Some(step));
        (self.own.borrow_mut())(step);
    }

    /// Waits until the last thread has finished the step.
    ///
    /// # Panics
    ///
    /// With the message of the first thread that panicked.
    #[inline]
    pub(super) fn wait(&self) {
        self.shared.wait_for_all();
        if let Some(message) = self.shared.panic.get() {
            panics::resume(message.clone());
        }
    }
}

/// The shared state of the threads.
#[derive(Debug)]
struct Shared {
    /// The number of threads besides the leading one.
    followers: usize,
    /// The current step; `None` ends the threads.
    step: RwLock<Option<Step>>,
    /// The number of that step.
    turn: AtomicUsize,
    /// The number of followers that have finished it.
    done: AtomicUsize,
    /// The message of the first follower that panicked.
    panic: OnceLock<String>,
    /// The process of these threads.
    process: u32,
}

impl Shared {
    fn new(followers: usize) -> Self {
        Self {
            followers,
            step: RwLock::new(None),
            turn: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            panic: OnceLock::new(),
            process: process::id(),
        }
    }

    #[inline]
    fn release(&self, step: Option<Step>) {
        *self.step.write().unwrap_or_else(PoisonError::into_inner) = step;
        self.turn.fetch_add(1, Ordering::Release);
    }

    #[inline]
    fn wait_for_all(&self) {
        self.wait_until(|| self.done.load(Ordering::Acquire) == self.followers);
        self.done.store(0, Ordering::Relaxed);
    }

    /// Takes every step until there are no more. After a panic, the thread records the message and goes on,
    /// since the others wait for it.
    fn follow<W: FnMut(Step)>(&self, work: impl FnOnce() -> W) {
        let mut work = self.recording_panics(work);
        for turn in 1.. {
            self.wait_until(|| self.turn.load(Ordering::Acquire) >= turn);
            let step = *self.step.read().unwrap_or_else(PoisonError::into_inner);
            let Some(step) = step else { return };
            if let Some(work) = &mut work {
                self.recording_panics(|| work(step));
            }
            self.done.fetch_add(1, Ordering::Release);
        }
    }

    /// Waits, at first without giving up the core, since waking a thread takes longer than many slots.
    ///
    /// If a function forks the process, the copy has only one of the threads and would wait forever, so the
    /// copy ends here.
    fn wait_until(&self, is_over: impl Fn() -> bool) {
        for _ in 0..SPINS {
            if is_over() {
                return;
            }
            spin_loop();
        }
        while !is_over() {
            lifeline::end_copy_of(self.process);
            thread::yield_now();
        }
    }

    fn recording_panics<T>(&self, function: impl FnOnce() -> T) -> Option<T> {
        panics::catch_here(function).map_err(|message| self.panic.set(message)).ok()
    }
}

/// Ends the threads when dropped, even if the leading thread panics.
struct Dismissed<'a>(&'a Shared);

impl Drop for Dismissed<'_> {
    fn drop(&mut self) {
        self.0.release(None);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU64;

    use super::*;

    const CALL: Step = Step::Call(Function::Empty, 1);

    #[test]
    fn every_thread_does_every_step_before_any_does_the_next() {
        // More threads than any machine has cores.
        const THREADS: usize = 64;
        let (steps, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |_| {
            made.fetch_add(1, Ordering::Relaxed);
            |_| _ = steps.fetch_add(1, Ordering::Relaxed)
        };
        Team::with(THREADS, &work, |team| {
            for turn in 1..=100 {
                team.all(CALL);
                assert_eq!(steps.load(Ordering::Relaxed), THREADS * turn);
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), THREADS);
    }

    #[test]
    fn all_threads_run_at_the_same_time() {
        let barrier = Barrier::new(3);
        let leaders = AtomicU64::new(0);
        let work = |_| {
            |_| {
                if barrier.wait().is_leader() {
                    leaders.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        Team::with(3, &work, |team| team.all(CALL));
        assert_eq!(leaders.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn one_thread_needs_no_other() {
        let steps = Cell::new(0);
        let shared = Shared::new(0);
        let mut own = |_| steps.set(steps.get() + 1);
        Team { shared: &shared, own: RefCell::new(&mut own) }.all(CALL);
        assert_eq!(steps.get(), 1);
    }

    /// The error of a team of three; `panics` decides by thread and step.
    fn error_of(panics: impl Fn(usize, usize) -> bool + Sync) -> String {
        let work = |number| {
            let (mut step, panics) = (0, &panics);
            move |_| {
                step += 1;
                assert!(!panics(number, step), "thread {number} in step {step}");
            }
        };
        let lead = |team: &Team<'_>| (0..5).for_each(|_| team.all(CALL));
        panics::catch(|| Team::with(3, &work, lead)).unwrap_err()
    }

    #[test]
    fn a_panic_of_any_thread_ends_all_and_keeps_its_message() {
        for number in 0..3 {
            let error = error_of(|thread, step| (thread, step) == (number, 3));
            assert!(error.contains("team.rs:"), "{error}");
            assert!(error.ends_with(&format!("thread {number} in step 3")), "{error}");
        }
        let error = error_of(|_, step| step == 2);
        assert!(error.ends_with(" in step 2"), "{error}");
    }

    #[test]
    fn a_thread_that_cannot_begin_is_an_error() {
        let work = |number| {
            assert_ne!(number, 2, "no room");
            |_| {}
        };
        let error = panics::catch(|| Team::with(3, &work, |team| team.all(CALL))).unwrap_err();
        assert!(error.contains("no room"), "{error}");
    }
}
