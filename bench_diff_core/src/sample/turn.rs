//! A turn: consecutive slots of one function, while the other one of the pair waits in another process.

use super::functions::Functions;
use super::slot::SlotTime;
use super::stack;
use crate::clock::{BothClocks, Clocks};
use crate::coin::Chance;
use crate::duo::Order;

/// The slots of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Set for slots of an empty function.
    pub is_empty: bool,
    /// The calls of a slot.
    pub iterations: u64,
    /// The slots before the counted ones. The first slots after a turn of another process find its memory in
    /// the caches.
    pub uncounted: u64,
    /// The counted slots, from one to [`Turn::MOST_COUNTED`].
    pub counted: u64,
    /// Set if the CPU clock times the slots as well as the wall clock.
    pub by_cpu: bool,
}

impl Turn {
    /// The most counted slots.
    pub const MOST_COUNTED: u64 = 3;

    /// Measures the slots of the candidate, or empty ones, and returns the median of the counted ones.
    ///
    /// An interruption spoils one of three. The shortest slot would favor the function whose slots vary more.
    pub fn measure(
        self,
        clocks: &dyn Clocks,
        functions: &mut Functions<'_>,
        chance: &mut Chance,
    ) -> SlotTime {
        let side = if self.is_empty { &mut functions.empty } else { &mut functions.candidate };
        let wall = clocks.wall();
        let cpu = clocks.cpu().filter(|_| self.by_cpu);
        let both = BothClocks::new(wall, cpu);
        let by_clock = |time: &SlotTime| time.cpu.unwrap_or(time.wall);
        let mut times = [SlotTime::default(); Self::MOST_COUNTED as usize];
        let counted = self.counted.clamp(1, Self::MOST_COUNTED);
        let uncounted = self.uncounted + self.one_more(chance);
        stack::with_offset(chance.stack_offset(), &mut || {
            for number in 0..uncounted + counted {
                let time = if cpu.is_some() {
                    let wall = side.slot(&both, self.iterations);
                    let [.., cpu] = both.cpu_times();
                    SlotTime { wall, without_rest: wall, cpu: Some(cpu) }
                } else {
                    side.slot_and_rest(wall, self.iterations)
                };
                if let Some(place) = number.checked_sub(uncounted) {
                    times[place as usize] = time;
                }
            }
        });
        let times = &mut times[..counted as usize];
        // Sorts up to three, without the code of a sort that is fast for many.
        for [one, next] in [[0, 1], [1, 2], [0, 1]] {
            if next < times.len() && by_clock(&times[one]) > by_clock(&times[next]) {
                times.swap(one, next);
            }
        }
        times[times.len() / 2]
    }

    /// Returns 1 if one more slot is to be left uncounted. If a function is slow at every 16th call, turns of
    /// 16 single calls would otherwise always, or never, count the slow one.
    fn one_more(self, chance: &mut Chance) -> u64 {
        let varies = self.iterations == 1 && self.uncounted > 0;
        u64::from(varies && chance.order.flip() == Order::CandidateFirst)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::super::{Closures, Pair};
    use super::*;
    use crate::coin::{OrderPolicy, Seed};
    use crate::simulation::ManualClocks;

    /// Returns the time of this turn for a candidate whose calls compute and wait for these nanoseconds, and
    /// the number of its calls.
    fn taken(turn: Turn, calls: &[(u64, u64)]) -> (SlotTime, usize) {
        let (clocks, number) = (ManualClocks::new(), Cell::new(0));
        let call = || {
            let (computes, waits) = calls[number.get() % calls.len()];
            number.set(number.get() + 1);
            clocks.compute(Duration::from_nanos(computes));
            clocks.wait(Duration::from_nanos(waits));
        };
        let mut time = SlotTime::default();
        let mut pair = Closures::new(call, || panic!("it is in another process"))
            .with_empty(|| clocks.compute(Duration::from_nanos(1)));
        let mut chance = Chance::new(OrderPolicy::Coin, Seed(3));
        pair.with_functions(&mut |mut functions| time = turn.measure(&clocks, &mut functions, &mut chance));
        (time, number.get())
    }

    const TURN: Turn = Turn { is_empty: false, iterations: 2, uncounted: 1, counted: 3, by_cpu: false };

    #[test]
    fn a_turn_reports_the_median_of_the_counted_slots() {
        let (time, calls) = taken(TURN, &[(0, 0), (1, 0), (4, 0), (5, 0), (3, 0), (4, 0), (9, 0), (9, 0)]);
        assert_eq!((time, calls), (SlotTime { wall: 9, without_rest: 9, cpu: None }, 8));
        let (time, calls) = taken(Turn { iterations: 10, ..TURN }, &[(5, 0)]);
        assert_eq!((time.wall, calls), (50, 40));
        let (time, calls) = taken(Turn { counted: 1, ..TURN }, &[(1, 0), (1, 0), (4, 0), (4, 0)]);
        assert_eq!((time.wall, calls), (8, 4));
        let (time, calls) = taken(Turn { uncounted: 0, counted: 0, ..TURN }, &[(5, 0)]);
        assert_eq!((time.wall, calls), (10, 2), "at least one");
    }

    #[test]
    fn both_clocks_time_a_slot_on_request() {
        let by_cpu = Turn { by_cpu: true, ..TURN };
        let calls = [(0, 0), (0, 0), (3, 10), (4, 0), (9, 1), (0, 1), (1, 0), (1, 0)];
        let (time, _) = taken(by_cpu, &calls);
        assert_eq!(time, SlotTime { wall: 17, without_rest: 17, cpu: Some(7) });
        let (time, _) = taken(TURN, &calls);
        assert_eq!(time, SlotTime { wall: 11, without_rest: 11, cpu: None });
    }

    #[test]
    fn an_empty_turn_calls_nothing() {
        let (time, calls) = taken(Turn { is_empty: true, iterations: 8, ..TURN }, &[(5, 0)]);
        assert_eq!((time.wall, calls), (8, 0));
    }
}
