//! The notes on a measurement, besides its figures.

use bench_diff_core::{Measurement, Note};

/// The notes on a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// Notes that ask the reader to change the benchmark or its machine.
    pub(super) advice: Vec<String>,
    /// Notes that explain figures.
    pub(crate) remarks: Vec<String>,
}

/// The notes of the judge and those on the calls.
pub(crate) fn notes(measurement: &Measurement, call_notes: &[String]) -> Notes {
    let is_advice = |note: &&Note| matches!(note, Note::Empty { .. });
    let (advice, remarks): (Vec<&Note>, _) = measurement.judgement.notes.iter().partition(is_advice);
    let texts = |notes: Vec<&Note>| notes.into_iter().map(Note::to_string).collect::<Vec<_>>();
    let (advice, mut remarks) = (texts(advice), texts(remarks));
    remarks.extend_from_slice(call_notes);
    if let Some(round) = measurement.processes().find(|process| process.limited_by_inputs) {
        let calls = round.warmup.iterations;
        remarks.push(format!(
            "a slot has {calls} calls, because the inputs and outputs of more calls take over 10 ms or 64 MiB"
        ));
    }
    Notes { advice, remarks }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bench_diff_core::{Closures, Instruments, ManualClock, Which, measure};

    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn what_a_reader_has_to_act_on_is_told_apart_from_what_explains_figures() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let plan = planned("", &[entry("a", 1, equal)]).pairs[0].plan;
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan).unwrap();
        let empty = Note::Empty { which: Which::Both };
        let slow_calls = Note::TailUndecided { rounds: 12, slow_calls: 31 };
        measurement.judgement.notes = vec![empty, slow_calls, Note::OneFunction];
        let Notes { advice, remarks } = notes(&measurement, &[]);
        assert_eq!(advice, [empty.to_string()]);
        assert_eq!(remarks, [slow_calls, Note::OneFunction].map(|note| note.to_string()));
    }
}
