//! What a reader should know of a measurement, besides its figures.

use std::time::Duration;

use bench_diff_core::{Control, Measurement, Recording};

use super::memoised;

/// What is worth a note where a process takes so long to get a pair ready, and more than it takes to measure
/// it.
const LONG_PREPARING: Duration = Duration::from_millis(20);

/// What the judge notes, and what is noted of the calls.
pub(crate) fn notes(measurement: &Measurement, call_notes: &[String]) -> Vec<String> {
    let mut notes: Vec<String> = measurement.judgement.notes.iter().map(ToString::to_string).collect();
    if measurement.control.as_ref().is_some_and(Control::is_significant) {
        notes.push(CONTROL.to_owned());
    }
    notes.extend_from_slice(call_notes);
    if let Some(round) = measurement.rounds.iter().find(|round| round.limited_by_inputs) {
        let calls = round.warmup.iterations;
        notes.push(format!(
            "a slot has {calls} calls, because the inputs and outputs of more calls take over 10 ms or 64 MiB"
        ));
    }
    notes.extend(memoised::note(&measurement.rounds));
    notes.extend(preparing_of(&measurement.rounds));
    notes
}

const CONTROL: &str = "the baseline differs from itself, which happens by chance in fewer than 5 % of the controls: \
    a difference of this size may come from the machine";

/// Words of the notes that ask their reader to change something about a benchmark or its machine.
const TO_ACT_ON: [&str; 6] = [
    "no longer than a function that does nothing",
    "running after the other function costs",
    "the baseline differs from itself",
    "slower as this program is linked",
    "its figures are those of a cache",
    "threads go on computing",
];

/// Whether a reader has to act on this note. The others explain figures.
pub(crate) fn is_to_act_on(note: &str) -> bool {
    TO_ACT_ON.iter().any(|words| note.contains(words))
}

fn preparing_of(rounds: &[Recording]) -> Option<String> {
    let count = u32::try_from(rounds.len()).ok().filter(|count| *count > 0)?;
    let sum = |time: fn(&Recording) -> Duration| rounds.iter().map(time).sum::<Duration>() / count;
    let (preparing, measuring) = (sum(|round| round.preparing), sum(|round| round.elapsed));
    (preparing > LONG_PREPARING && preparing > measuring).then(|| {
        format!(
            "every process takes {preparing:.1?} to prepare the pair (`setup_once` and the first calls) and {measuring:.1?} \
             to measure it"
        )
    })
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Closures, Instruments, ManualClock, Note, Plan, Which, measure};

    use super::*;
    use crate::fixture::{entry, equal, planned, recording};

    #[test]
    fn a_control_that_differs_is_noted() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let plan = Plan { control: true, ..planned("", &[entry("a", 1, equal)]).pairs[0].plan };
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan, &mut |_| {}).unwrap();
        assert_eq!(notes(&measurement, &[]), [""; 0]);
        measurement.control.as_mut().unwrap().interval.low = 1.001;
        assert_eq!(notes(&measurement, &["hooks".to_owned()]), [CONTROL, "hooks"]);
    }

    #[test]
    fn notes_to_act_on_are_found() {
        for note in [
            Note::Empty { which: Which::Both }.to_string(),
            Note::CarryOver { difference: 0.02 }.to_string(),
            CONTROL.to_owned(),
        ] {
            assert!(is_to_act_on(&note), "{note}");
        }
        for note in [Note::OneFunction, Note::ManyOutliers { share: 0.4 }] {
            assert!(!is_to_act_on(&note.to_string()), "{note}");
        }
    }

    #[test]
    fn long_preparing_is_worth_a_note() {
        let note = |preparing, elapsed| {
            let round = Recording {
                preparing: Duration::from_millis(preparing),
                elapsed: Duration::from_millis(elapsed),
                ..recording(Vec::new())
            };
            preparing_of(&[round.clone(), round])
        };
        assert_eq!(
            note(300, 5).unwrap(),
            "every process takes 300.0ms to prepare the pair (`setup_once` and the first calls) and 5.0ms to measure it"
        );
        assert_eq!((note(300, 400), note(10, 5)), (None, None));
        assert_eq!(preparing_of(&[]), None);
    }
}
