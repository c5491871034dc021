//! The CPUs on which a thread may work.

/// CPUs by their numbers.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[derive(Clone, Copy)]
pub(crate) struct Cpus(libc::cpu_set_t);

#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the standard library has no such request")]
impl Cpus {
    /// The CPUs of the calling thread, if the system tells.
    pub(crate) fn own() -> Option<Self> {
        // SAFETY: a set of which every bit is 0 is one, and the call writes no more than its size.
        unsafe {
            let mut cpus: libc::cpu_set_t = std::mem::zeroed();
            let size = size_of::<libc::cpu_set_t>();
            (libc::sched_getaffinity(0, size, &raw mut cpus) == 0).then_some(Self(cpus))
        }
    }

    /// Their numbers.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        let count = 8 * size_of::<libc::cpu_set_t>();
        // SAFETY: each is a number for which the set has room.
        (0..count).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &self.0) }).collect()
    }

    /// Has the calling thread work on no others, where the system lets it.
    pub(crate) fn confine(&self) {
        // SAFETY: the call reads a set of this size.
        let _ = unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const self.0) };
    }

    fn one(cpu: usize) -> Option<Self> {
        let mut cpus: libc::cpu_set_t = {
            // SAFETY: a set of which every bit is 0 is one.
            unsafe { std::mem::zeroed() }
        };
        if cpu >= 8 * size_of::<libc::cpu_set_t>() {
            return None;
        }
        // SAFETY: it is a number for which the set has room.
        unsafe { libc::CPU_SET(cpu, &mut cpus) };
        Some(Self(cpus))
    }
}

/// Systems that do not tell.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[derive(Clone, Copy)]
pub(crate) struct Cpus(());

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Cpus {
    pub(crate) fn own() -> Option<Self> {
        None
    }

    pub(crate) fn numbers(&self) -> Vec<usize> {
        Vec::new()
    }

    pub(crate) fn confine(&self) {}

    fn one(_: usize) -> Option<Self> {
        None
    }
}

/// Has the calling thread work on this CPU alone, where the system lets it.
pub(crate) fn pin(cpu: usize) {
    if let Some(cpus) = Cpus::one(cpu) {
        cpus.confine();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_thread_works_where_it_is_told_and_others_where_they_were() {
        let before = Cpus::own().unwrap().numbers();
        let last = *before.last().unwrap();
        let pinned = thread::spawn(move || {
            let all = Cpus::own().unwrap();
            pin(last);
            let pinned = Cpus::own().unwrap().numbers();
            all.confine();
            (pinned, Cpus::own().unwrap().numbers())
        });
        assert_eq!(pinned.join().unwrap(), (vec![last], before.clone()));
        assert_eq!(Cpus::own().unwrap().numbers(), before);
        pin(usize::MAX);
    }
}
