//! The clocks of this machine.

use super::{Activity, Clocks, CpuClock, InstantClock, SlotClock};

/// The clocks of this machine.
///
/// The CPU clock exists on Linux, Android, the BSDs and Apple's systems, the activity on Linux and FreeBSD.
#[derive(Clone, Copy, Debug)]
pub struct SystemClocks {
    wall: InstantClock,
    cpu: Option<CpuClock>,
}

impl SystemClocks {
    /// The clocks that this system has.
    #[must_use]
    pub fn new() -> Self {
        Self { wall: InstantClock, cpu: CpuClock::new() }
    }
}

impl Default for SystemClocks {
    fn default() -> Self {
        Self::new()
    }
}

// Inlined into another crate, they would have the timed loop compiled there, perhaps without optimization.
impl Clocks for SystemClocks {
    #[inline(never)]
    fn wall(&self) -> &dyn SlotClock {
        &self.wall
    }

    #[inline(never)]
    fn cpu(&self) -> Option<&dyn SlotClock> {
        self.cpu.as_ref().map(|cpu| cpu as &dyn SlotClock)
    }

    fn activity(&self) -> Option<Activity> {
        Activity::read()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::hint::black_box;
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::clock::Clock;

    /// Computes until the CPU clock of the calling thread has advanced by this much, or for ten seconds.
    fn compute(time: Duration) -> Duration {
        let (cpu, deadline) =
            (CpuClock::new().expect("Linux has it"), Instant::now() + Duration::from_secs(10));
        let start = cpu.now();
        loop {
            black_box((0..black_box(1_000_u64)).fold(0, |sum, x| black_box(sum ^ x)));
            let spent = Duration::from_nanos(cpu.nanoseconds(start, cpu.now()));
            if spent >= time || Instant::now() >= deadline {
                return spent;
            }
        }
    }

    #[test]
    fn computing_advances_the_cpu_clock() {
        let spent = compute(Duration::from_millis(2));
        assert!(spent >= Duration::from_millis(2), "{spent:?}");
    }

    #[test]
    fn a_sleep_takes_no_cpu_time_and_gives_up_the_core() {
        let (clocks, cpu) = (SystemClocks::new(), CpuClock::new().unwrap());
        let (before, start) = (clocks.activity().unwrap(), cpu.now());
        thread::sleep(Duration::from_millis(20));
        let spent = cpu.nanoseconds(start, cpu.now());
        let activity = clocks.activity().unwrap().since(before);
        assert!(spent < 10_000_000, "{spent}");
        assert!(activity.voluntary_switches >= 1, "{activity:?}");
    }

    #[test]
    fn the_cpu_time_of_other_threads_is_seen() {
        let before = SystemClocks::new().activity().unwrap();
        let spent = thread::spawn(|| compute(Duration::from_millis(10))).join().unwrap();
        let seen = SystemClocks::new().activity().unwrap().since(before).other_threads_cpu;
        assert!(seen >= spent / 2, "{seen:?} of {spent:?}");
    }

    #[test]
    fn the_cpu_time_of_programs_that_it_waits_for_is_seen() {
        let before = SystemClocks::new().activity().unwrap();
        let program = Command::new(env::current_exe().unwrap()).arg("--list").output().unwrap();
        assert!(program.status.success());
        let activity = SystemClocks::new().activity().unwrap().since(before);
        assert!(activity.may_be_of_several_threads(), "{activity:?}");
    }
}
