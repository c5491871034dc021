//! The notes on a measurement, besides its figures.

use std::time::Duration;

use bench_diff_core::{Measurement, Note};

use bench_diff_system::text::counted;

/// The notes of the judge and those on the calls: first those that ask the reader to change the benchmark or
/// its machine, then those that explain figures.
pub(super) fn notes(measurement: &Measurement, call_notes: &[String]) -> [Vec<String>; 2] {
    let is_advice = |note: &&Note| matches!(note, Note::Empty { .. } | Note::OnAverage { .. });
    let (advice, remarks): (Vec<&Note>, _) = measurement.judgement.notes.iter().partition(is_advice);
    let texts = |notes: Vec<&Note>| notes.into_iter().map(Note::to_string).collect::<Vec<_>>();
    let (mut advice, mut remarks) = (texts(advice), texts(remarks));
    advice.extend(slow_start(measurement));
    remarks.extend_from_slice(call_notes);
    if let Some(round) = measurement.processes().find(|process| process.limited_by_inputs) {
        let calls = counted(round.warmup.iterations as usize, "call");
        remarks.push(format!(
            "a slot has {calls}, because the inputs and outputs of more take over 10 ms or 64 MiB, or exceed the \
             batch size"
        ));
    }
    [advice, remarks]
}

/// Explains why a pair took long although it was measured in a short time.
fn slow_start(measurement: &Measurement) -> Option<String> {
    const LONG: Duration = Duration::from_secs(2);

    let ready: Duration = measurement.processes().map(|process| process.preparing).sum();
    (ready >= LONG && ready >= measurement.elapsed()).then(|| {
        format!(
            "getting ready took {:.1} s and measuring {:.1} s: every process of every round runs `setup_once` and \
             whatever the first call initializes",
            ready.as_secs_f64(),
            measurement.elapsed().as_secs_f64()
        )
    })
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Closures, Instruments, JudgeKind, ManualClock, Plan, Which, measure};

    use super::*;

    #[test]
    fn what_a_reader_has_to_act_on_is_told_apart_from_what_explains_figures() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let judge = JudgeKind::Welch;
        let plan = Plan { judge, slots: 200, warmup: Duration::ZERO, max_rounds: None, ..Plan::default() };
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan).unwrap();
        let empty = Note::Empty { which: Which::Both };
        let undecided = Note::InsideZone { count: 12, of: "rounds" };
        measurement.judgement.notes = vec![empty, undecided, Note::OneFunction];
        let [advice, remarks] = notes(&measurement, &[]);
        assert_eq!(advice, [empty.to_string()]);
        assert_eq!(remarks, [undecided, Note::OneFunction].map(|note| note.to_string()));

        measurement.judgement.notes = vec![Note::OnAverage { change: 0.4 }];
        measurement.rounds[0][0].elapsed = Duration::from_millis(1_500);
        measurement.rounds[0][0].preparing = Duration::from_millis(1_900);
        assert_eq!(notes(&measurement, &[])[0], [Note::OnAverage { change: 0.4 }.to_string()]);
        measurement.rounds[0][0].preparing = Duration::from_millis(30_040);
        let [advice, _] = notes(&measurement, &[]);
        assert!(advice[1].starts_with("getting ready took 30.0 s and measuring 1.5 s: "), "{advice:?}");
    }
}
