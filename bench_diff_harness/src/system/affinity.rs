//! The CPUs on which a thread may work, by their numbers. Systems that do not tell have none.

#[cfg(any(target_os = "linux", target_os = "android"))]
use libc::{CPU_ISSET, CPU_SET, cpu_set_t, sched_getaffinity, sched_setaffinity};

/// The CPUs of the calling thread.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library has no such request")]
pub(crate) fn own() -> Vec<usize> {
    // SAFETY: a set of which every bit is 0 is one, and the call writes no more than its size. Each number is
    // one for which the set has room.
    unsafe {
        let mut cpus: cpu_set_t = std::mem::zeroed();
        let size = size_of::<cpu_set_t>();
        let is_told = sched_getaffinity(0, size, &raw mut cpus) == 0;
        (0..8 * size).filter(|cpu| is_told && CPU_ISSET(*cpu, &cpus)).collect()
    }
}

/// Has the calling thread work on no others than these, where the system lets it.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library has no such request")]
pub(crate) fn confine(numbers: &[usize]) {
    let size = size_of::<cpu_set_t>();
    // SAFETY: a set of which every bit is 0 is one, each number is one for which it has room, and the call
    // reads a set of this size.
    unsafe {
        let mut cpus: cpu_set_t = std::mem::zeroed();
        numbers.iter().filter(|cpu| **cpu < 8 * size).for_each(|cpu| CPU_SET(*cpu, &mut cpus));
        sched_setaffinity(0, size, &raw const cpus);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn own() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn confine(_: &[usize]) {}
