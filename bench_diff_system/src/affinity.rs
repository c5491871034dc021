//! The CPUs on which a thread may run, by number. The list is empty on systems that do not report them.

#[cfg(any(target_os = "linux", target_os = "android"))]
use libc::{CPU_ISSET, CPU_SET, cpu_set_t, sched_getaffinity, sched_setaffinity};

/// The CPUs of the calling thread.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library has no such request")]
pub fn own() -> Vec<usize> {
    // SAFETY: a set of zeros is valid, and the call writes no more than its size. Every number is within the
    // set.
    unsafe {
        let mut cpus: cpu_set_t = std::mem::zeroed();
        let size = size_of::<cpu_set_t>();
        let is_known = sched_getaffinity(0, size, &raw mut cpus) == 0;
        (0..8 * size).filter(|cpu| is_known && CPU_ISSET(*cpu, &cpus)).collect()
    }
}

/// Restricts the calling thread to these CPUs, if the system allows it.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library has no such request")]
pub fn confine(numbers: &[usize]) {
    let size = size_of::<cpu_set_t>();
    // SAFETY: a set of zeros is valid, every number is within it, and the call reads a set of this size.
    unsafe {
        let mut cpus: cpu_set_t = std::mem::zeroed();
        numbers.iter().filter(|cpu| **cpu < 8 * size).for_each(|cpu| CPU_SET(*cpu, &mut cpus));
        sched_setaffinity(0, size, &raw const cpus);
    }
}

/// The CPUs of the calling thread are not known on these systems.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn own() -> Vec<usize> {
    Vec::new()
}

/// Does nothing on these systems.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn confine(_: &[usize]) {}
