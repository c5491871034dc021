//! Raw slots: what a process measured of a pair, as it is handed from process to process.

use std::time::Duration;

use bench_diff_core::{ClockKind, Duo, Order, Places, Recording, Warmup, saturating_nanoseconds};

/// The recording of a process for a pair, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct RawRecord {
    iterations: u64,
    is_cpu: bool,
    resolution_ns: u64,
    has_baseline: bool,
    is_one_function: bool,
    limited_by_inputs: bool,
    /// The offsets of the candidate's and the baseline's code on its cache line, if they are known.
    places: Option<(u8, u8)>,
    preparing_ns: u64,
    elapsed_ns: u64,
    warmup: DuosRecord,
    warmup_empty: Vec<u64>,
    duos: DuosRecord,
    empty: Vec<u64>,
}

/// Duos in columns.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
struct DuosRecord {
    /// The function that each duo starts and ends with: `b` for the baseline, `c` for the candidate.
    first: String,
    /// Four slots of each duo: two of the candidate, two of the baseline.
    slots: Vec<u64>,
}

impl From<&Recording> for RawRecord {
    fn from(recording: &Recording) -> Self {
        let Recording { warmup, duos, places, .. } = recording;
        Self {
            iterations: warmup.iterations,
            is_cpu: warmup.clock == ClockKind::Cpu,
            resolution_ns: warmup.resolution,
            has_baseline: recording.has_baseline,
            is_one_function: recording.is_one_function,
            limited_by_inputs: recording.limited_by_inputs,
            places: places.map(|Places { candidate, baseline }| (candidate, baseline)),
            preparing_ns: saturating_nanoseconds(recording.preparing),
            elapsed_ns: saturating_nanoseconds(recording.elapsed),
            warmup: DuosRecord::new(&warmup.duos),
            warmup_empty: warmup.empty.clone(),
            duos: DuosRecord::new(duos),
            empty: recording.empty.clone(),
        }
    }
}

impl RawRecord {
    /// The time that it took to prepare and to measure the pair.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_nanos(self.preparing_ns.saturating_add(self.elapsed_ns))
    }

    /// Restores the recording.
    pub(crate) fn recording(&self) -> Recording {
        Recording {
            warmup: Warmup {
                duos: self.warmup.duos(),
                empty: self.warmup_empty.clone(),
                iterations: self.iterations,
                clock: if self.is_cpu { ClockKind::Cpu } else { ClockKind::Wall },
                resolution: self.resolution_ns,
            },
            duos: self.duos.duos(),
            empty: self.empty.clone(),
            has_baseline: self.has_baseline,
            is_one_function: self.is_one_function,
            limited_by_inputs: self.limited_by_inputs,
            places: self.places.map(|(candidate, baseline)| Places { candidate, baseline }),
            preparing: Duration::from_nanos(self.preparing_ns),
            elapsed: Duration::from_nanos(self.elapsed_ns),
        }
    }
}

impl DuosRecord {
    fn new(duos: &[Duo]) -> Self {
        let mut record = Self { first: String::new(), slots: Vec::with_capacity(4 * duos.len()) };
        for duo in duos {
            record.first.push(match duo.order {
                Order::BaselineFirst => 'b',
                Order::CandidateFirst => 'c',
                Order::BaselineOnce => 'B',
                Order::CandidateOnce => 'C',
            });
            record.slots.extend_from_slice(&duo.candidate);
            record.slots.extend_from_slice(&duo.baseline);
        }
        record
    }

    fn duos(&self) -> Vec<Duo> {
        let (slots, _) = self.slots.as_chunks::<4>();
        let duo = |(first, [c1, c2, b1, b2]): (char, &[u64; 4])| {
            let order = match first {
                'b' => Order::BaselineFirst,
                'c' => Order::CandidateFirst,
                'B' => Order::BaselineOnce,
                _ => Order::CandidateOnce,
            };
            Duo { order, candidate: [*c1, *c2], baseline: [*b1, *b2] }
        };
        self.first.chars().zip(slots).map(duo).collect()
    }
}
