//! How the change of a pair has moved since the run before: for who watches it, and no part of a verdict.

use super::phrase;
use crate::record::PairRecord;

/// The line below a row: `last run (2026-11-21 14:02 UTC): 3.1 % slower; now: 0.2 % slower`.
pub(super) fn line(record: &PairRecord) -> Option<String> {
    let (last, ratio) = record.last_run.as_ref().zip(record.ratio)?;
    if last.ratio.ln() == 0.0 && ratio.ln() == 0.0 {
        // Both were one piece of code.
        return None;
    }
    let [before, now] = [last.ratio, ratio].map(change);
    let started = last.started.as_deref().and_then(to_the_minute);
    let started = started.map(|minute| format!(" ({minute} UTC)")).unwrap_or_default();
    Some(format!("last run{started}: {before}; now: {now}"))
}

fn change(ratio: f64) -> String {
    if ratio.ln() == 0.0 { "no difference".to_owned() } else { phrase::difference(ratio) }
}

/// The date and the time of a moment as a record has it: `2026-11-21 14:02` of `2026-11-21T14:02:33Z`.
fn to_the_minute(moment: &str) -> Option<String> {
    let (date, time) = moment.split_once('T')?;
    let minute = time.get(.."14:02".len())?;
    Some(format!("{date} {minute}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::plan::LastChange;
    use crate::record::Outcome;

    fn shown(last_run: Option<(f64, Option<&str>)>, ratio: Option<f64>) -> Option<String> {
        let plan = planned("", &[entry("a", 1, equal)]);
        let last_run =
            last_run.map(|(ratio, started)| LastChange { ratio, started: started.map(str::to_owned) });
        line(&PairRecord {
            ratio,
            last_run,
            ..PairRecord::unmeasured(&plan, &plan.pairs[0], Outcome::Pass, None)
        })
    }

    #[test]
    fn both_changes_and_the_time_of_the_former() {
        assert_eq!(
            shown(Some((1.031, Some("2026-11-21T14:02:33Z"))), Some(1.002)).unwrap(),
            "last run (2026-11-21 14:02 UTC): 3.1 % slower; now: 0.2 % slower"
        );
        assert_eq!(shown(Some((0.4, None)), Some(2.5)).unwrap(), "last run: 2.50x faster; now: 2.50x slower");
        assert_eq!(
            shown(Some((1.5, Some("yesterday"))), Some(1.5)).unwrap(),
            "last run: 50.0 % slower; now: 50.0 % slower"
        );
    }

    #[test]
    fn one_piece_of_code_does_not_move() {
        assert_eq!(shown(Some((1.0, None)), Some(1.0)), None);
        assert_eq!(
            shown(Some((1.0, None)), Some(1.25)).unwrap(),
            "last run: no difference; now: 25.0 % slower"
        );
    }

    #[test]
    fn nothing_without_both() {
        assert_eq!(shown(None, Some(1.0)), None);
        assert_eq!(shown(Some((1.031, None)), None), None);
    }
}
