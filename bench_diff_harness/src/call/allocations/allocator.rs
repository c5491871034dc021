//! An allocator that counts.
//!
//! It may be called before `main` and after it, by destructors of thread locals, and by several threads at
//! once. So it only touches atomic numbers, and it neither allocates nor panics nor waits.

#![expect(unsafe_code, reason = "an allocator is unsafe by nature; this one hands everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};

use super::Counts;

/// An allocator that counts what the functions of pairs allocate, and passes all requests on to another
/// allocator.
///
/// If it is the global allocator of a bench, `-v` and reports show for every pair how often a call of either
/// function allocates, how many bytes, and how many of them at once. Without `-v`, the table shows this only
/// for pairs that did not pass. [`max_allocations`](macro@crate::bench_diff#max_allocations) sets a limit.
///
/// ```
/// use bench_diff_harness::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator::system();
/// ```
///
/// If a bench has another global allocator, wrap that one:
///
/// ```
/// # use std::alloc::System as MiMalloc;
/// use bench_diff_harness::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator<MiMalloc> = CountingAllocator::new(MiMalloc);
/// ```
///
/// # What counts
///
/// Every call of `alloc`, `alloc_zeroed` and `realloc` is one allocation of the requested number of bytes, in
/// whichever thread; a `realloc` counts with its whole new size. bench_diff counts in separate calls of the
/// functions, while nothing is timed.
///
/// # What it costs
///
/// Nothing is counted in timed calls, but each call of the allocator takes one more load and branch: a tenth
/// of the time of a small allocation with its deallocation, as measured on one machine. The cost is the same
/// for both functions of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator<A = System> {
    allocator: A,
}

impl CountingAllocator {
    /// An allocator that passes all requests on to the allocator of the system.
    #[must_use]
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> CountingAllocator<A> {
    /// An allocator that passes all requests on to this one.
    pub const fn new(allocator: A) -> Self {
        Self { allocator }
    }
}

// SAFETY: every request goes to the other allocator unchanged, and so does the result to the caller.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_counting() {
            allocated(layout.size(), 0);
        }
        // SAFETY: the caller keeps the contract.
        unsafe { self.allocator.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_counting() {
            allocated(layout.size(), 0);
        }
        // SAFETY: the caller keeps the contract.
        unsafe { self.allocator.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if is_counting() {
            freed(layout.size());
        }
        // SAFETY: the caller keeps the contract.
        unsafe { self.allocator.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if is_counting() {
            allocated(new_size, layout.size());
        }
        // SAFETY: the caller keeps the contract.
        unsafe { self.allocator.realloc(pointer, layout, new_size) }
    }
}

/// The beginning of the names of these variables. Their values don't matter while a function is timed.
pub(crate) const COUNTERS: &str = module_path!();

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// The bytes allocated minus the bytes freed since the count began. Negative if more older memory was freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// `Relaxed` is enough, since the counting thread waits for all threads of the pair.
#[inline]
fn is_counting() -> bool {
    IS_COUNTING.load(Ordering::Relaxed)
}

/// Counts an allocation of `size` bytes that replaces one of `replaced` bytes.
#[cold]
fn allocated(size: usize, replaced: usize) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    BYTES.fetch_add(size, Ordering::Relaxed);
    // No allocation is larger than `isize::MAX`.
    let growth = size.wrapping_sub(replaced).cast_signed();
    let live = LIVE.fetch_add(growth, Ordering::Relaxed).wrapping_add(growth);
    PEAK.fetch_max(live, Ordering::Relaxed);
}

#[cold]
fn freed(size: usize) {
    LIVE.fetch_sub(size.cast_signed(), Ordering::Relaxed);
}

/// Calls a function once and counts what the program allocates during the call. `None` if the global
/// allocator does not count; then the function is not called.
pub(crate) fn count(call: &mut dyn FnMut()) -> Option<Counts> {
    let probe = counted(&mut || drop(black_box(Box::new(0_u8))));
    (probe.calls > 0).then(|| counted(call))
}

fn counted(call: &mut dyn FnMut()) -> Counts {
    for counter in [&CALLS, &BYTES] {
        counter.store(0, Ordering::Relaxed);
    }
    for counter in [&LIVE, &PEAK] {
        counter.store(0, Ordering::Relaxed);
    }
    IS_COUNTING.store(true, Ordering::Relaxed);
    let counting = Counting;
    call();
    drop(counting);
    let peak = PEAK.load(Ordering::Relaxed).max(0).cast_unsigned();
    Counts {
        calls: CALLS.load(Ordering::Relaxed) as u64,
        bytes: BYTES.load(Ordering::Relaxed) as u64,
        peak: peak as u64,
    }
}

/// Allocations are counted while this value lives, so counting also stops if the function panics.
struct Counting;

impl Drop for Counting {
    fn drop(&mut self) {
        IS_COUNTING.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::call::panics;

    /// The counters belong to the process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    const ALLOCATOR: CountingAllocator = CountingAllocator::system();

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 8).unwrap()
    }

    fn counts(mut call: impl FnMut()) -> Counts {
        counted(&mut call)
    }

    #[test]
    fn every_way_to_allocate_counts_once() {
        let _alone = ONE_AT_A_TIME.lock();
        // SAFETY: each pointer is freed with the layout that it was allocated with.
        let found = counts(|| unsafe {
            let zeroed = ALLOCATOR.alloc_zeroed(layout(64));
            assert!((0..64).all(|place| *zeroed.add(place) == 0));
            let grown = ALLOCATOR.realloc(ALLOCATOR.alloc(layout(16)), layout(16), 48);
            let shrunk = ALLOCATOR.realloc(grown, layout(48), 8);
            ALLOCATOR.dealloc(zeroed, layout(64));
            ALLOCATOR.dealloc(shrunk, layout(8));
        });
        assert_eq!(found, Counts { calls: 4, bytes: 64 + 16 + 48 + 8, peak: 64 + 48 });
    }

    #[test]
    fn memory_from_before_does_not_count_towards_the_peak() {
        let _alone = ONE_AT_A_TIME.lock();
        // SAFETY: each pointer is freed with the layout that it was allocated with.
        unsafe {
            let before = ALLOCATOR.alloc(layout(100));
            let found = counts(|| {
                ALLOCATOR.dealloc(before, layout(100));
                ALLOCATOR.dealloc(ALLOCATOR.alloc(layout(60)), layout(60));
            });
            assert_eq!(
                found,
                Counts { calls: 1, bytes: 60, peak: 0 },
                "the new memory replaces freed memory"
            );
        }
    }

    #[test]
    fn nothing_is_counted_before_and_after() {
        let _alone = ONE_AT_A_TIME.lock();
        // SAFETY: each pointer is freed with the layout that it was allocated with.
        let allocate = || unsafe { ALLOCATOR.dealloc(ALLOCATOR.alloc(layout(8)), layout(8)) };
        assert_eq!(counts(|| ()), Counts::default());
        allocate();
        assert_eq!(CALLS.load(Ordering::Relaxed), 0);
        let panics = panics::catch(|| {
            counts(|| panic!("out of order"));
        });
        assert!(panics.is_err() && !is_counting());
    }

    #[test]
    fn without_it_as_the_global_allocator_there_is_no_count() {
        let _alone = ONE_AT_A_TIME.lock();
        assert_eq!(count(&mut || unreachable!("the function is not called")), None);
    }
}
