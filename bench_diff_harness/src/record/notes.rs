//! The notes on a measurement, besides its figures.

use std::time::Duration;

use bench_diff_core::{Measurement, Note, Recording, with_blank};

use crate::call::deferred;

/// The preparation time per process from which on there is a note, if it is also longer than the measurement.
const LONG_PREPARING: Duration = Duration::from_millis(20);

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
    let is_advice = |note: &&Note| matches!(note, Note::Empty { .. } | Note::CarryOver { .. });
    let (advice, remarks): (Vec<&Note>, _) = measurement.judgement.notes.iter().partition(is_advice);
    let texts = |notes: Vec<&Note>| notes.into_iter().map(Note::to_string).collect::<Vec<_>>();
    let (mut advice, mut remarks) = (texts(advice), texts(remarks));
    for note in call_notes {
        if note == deferred::NOTE { &mut advice } else { &mut remarks }.push(note.clone());
    }
    if let Some(round) = measurement.processes().find(|process| process.limited_by_inputs) {
        let calls = round.warmup.iterations;
        remarks.push(format!(
            "a slot has {calls} calls, because the inputs and outputs of more calls take over 10 ms or 64 MiB"
        ));
    }
    remarks.extend(preparing_of(&measurement.rounds));
    Notes { advice, remarks }
}

fn preparing_of(rounds: &[Vec<Recording>]) -> Option<String> {
    let count = u32::try_from(rounds.iter().flatten().count()).ok().filter(|count| *count > 0)?;
    let mean = |time: fn(&Recording) -> Duration| rounds.iter().flatten().map(time).sum::<Duration>() / count;
    let (preparing, measuring) = (mean(|process| process.preparing), mean(|process| process.elapsed));
    (preparing > LONG_PREPARING && preparing > measuring).then(|| {
        let [preparing, measuring] =
            [preparing, measuring].map(|time| with_blank(&format!("{time:.1?}")));
        format!(
            "every process takes {preparing} to prepare the pair (`setup_once` and the first calls) and {measuring} \
             to measure it"
        )
    })
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Closures, Instruments, ManualClock, Which, measure};

    use super::*;
    use crate::fixture::{entry, equal, planned, recording};

    #[test]
    fn what_a_reader_has_to_act_on_is_told_apart_from_what_explains_figures() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let plan = planned("", &[entry("a", 1, equal)]).pairs[0].plan;
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan, &mut |_| {}).unwrap();
        let (empty, outliers) = (Note::Empty { which: Which::Both }, Note::ManyOutliers { share: 0.4 });
        let carry_over = Note::CarryOver { difference: 0.02 };
        measurement.judgement.notes = vec![empty, outliers, carry_over, Note::OneFunction];
        let Notes { advice, remarks } = notes(&measurement, &[]);
        assert_eq!(advice, [empty, carry_over].map(|note| note.to_string()));
        assert_eq!(remarks, [outliers, Note::OneFunction].map(|note| note.to_string()));
    }

    #[test]
    fn long_preparing_is_worth_a_note() {
        let note = |preparing, elapsed| {
            let round = Recording {
                preparing: Duration::from_millis(preparing),
                elapsed: Duration::from_millis(elapsed),
                ..recording(Vec::new())
            };
            preparing_of(&[vec![round.clone()], vec![round]])
        };
        assert_eq!(
            note(300, 5).unwrap(),
            "every process takes 300.0 ms to prepare the pair (`setup_once` and the first calls) and 5.0 ms to measure it"
        );
        assert_eq!((note(300, 400), note(10, 5)), (None, None));
        assert_eq!(preparing_of(&[]), None);
    }
}
