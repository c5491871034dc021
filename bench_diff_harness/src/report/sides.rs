//! The two sides of a comparison: what they are called, and what is said of both before their functions.

use crate::plan::OtherSide;
use crate::record::{Figures, Outcome, PairRecord, StartRecord};
use crate::system::text::few;

/// As wide as `baseline`.
const WIDTH: usize = 8;

/// The most functions that a line names.
const NAMED: usize = 10;

/// The titles of the columns with the subject of a row and with the latencies of its two sides.
pub(super) fn titles(start: &StartRecord) -> [String; 3] {
    match &start.against {
        Some(side) => ["function".to_owned(), side.name.chars().take(WIDTH).collect(), "now".to_owned()],
        None => ["pair", "baseline", "candidate"].map(str::to_owned),
    }
}

/// Lines on how the other side was found and built, if every function is compared with itself there.
pub(super) fn found(start: &StartRecord) -> &[String] {
    start.against.as_ref().map_or(&[], |side| &side.told)
}

/// The functions that both sides have in common, and those of one side, each in a line.
pub(super) fn matched(start: &StartRecord) -> Vec<String> {
    let Some(OtherSide { name, same_code, new, gone, program, .. }) = &start.against else {
        return Vec::new();
    };
    let all = start.pairs.len();
    let subject = match *same_code {
        1 if all == 1 => "the function is".to_owned(),
        1 => format!("1 of {all} functions is"),
        same if same == all => format!("all {all} functions are"),
        same => format!("{same} of {all} functions are"),
    };
    let mut lines = Vec::new();
    if *same_code > 0 {
        lines.push(format!("{subject} the same code: nothing to measure"));
    }
    // Where there is no other program, all are new, and that was said before.
    for (what, names) in [("new", new), ("gone", gone)] {
        if program.is_some() && !names.is_empty() {
            lines.push(format!("{what} since {name}: {}", few(names, NAMED)));
        }
    }
    lines
}

/// Returns whether a table leaves a function out: it is the same code on both sides.
pub(super) fn is_left_out(start: &StartRecord, record: &PairRecord) -> bool {
    start.against.is_some()
        && record.outcome() == Outcome::Pass
        && record.figures().is_some_and(Figures::is_one_code)
        && record.advice().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{IntervalRecord, PlannedRecord};

    fn start(same_code: usize, all: usize, new: usize) -> StartRecord {
        let names = |count: usize| (0..count).map(|number| format!("f{number}")).collect::<Vec<_>>();
        let pairs = names(all).into_iter().map(|name| PlannedRecord { name, group: None }).collect();
        let (name, program) = ("3f2c9e1ab".to_owned(), Some("0123".to_owned()));
        let against = OtherSide { name, program, same_code, new: names(new), ..OtherSide::default() };
        StartRecord { against: Some(against), pairs, ..StartRecord::default() }
    }

    #[test]
    fn the_sides_have_names_of_their_own_beside_another_revision() {
        assert_eq!(titles(&StartRecord::default()), ["pair", "baseline", "candidate"]);
        assert_eq!(titles(&start(0, 1, 0)), ["function", "3f2c9e1a", "now"]);
    }

    #[test]
    fn what_needs_no_measurement_is_one_line() {
        let line = |same, all| matched(&start(same, all, 0)).join("\n");
        assert_eq!(line(0, 3), "");
        assert_eq!(line(14, 17), "14 of 17 functions are the same code: nothing to measure");
        assert_eq!(line(1, 2), "1 of 2 functions is the same code: nothing to measure");
        assert_eq!(line(2, 2), "all 2 functions are the same code: nothing to measure");
        assert_eq!(line(1, 1), "the function is the same code: nothing to measure");
    }

    #[test]
    fn new_functions_are_named_and_many_counted() {
        assert_eq!(matched(&start(0, 0, 2)), ["new since 3f2c9e1ab: f0, f1"]);
        let many = &matched(&start(0, 0, 12))[0];
        assert!(many.ends_with("f8, f9 and 2 more"), "{many}");
    }

    #[test]
    fn a_function_that_is_the_same_code_has_no_row_unless_there_is_something_to_say() {
        let one = IntervalRecord { level: 0.9, low: Some(1.0), high: Some(1.0) };
        let record = |outcome| PairRecord::from(Figures { outcome, interval: one, ..Figures::default() });
        assert!(is_left_out(&start(1, 1, 0), &record(Outcome::Pass)));
        assert!(!is_left_out(&StartRecord::default(), &record(Outcome::Pass)));
        assert!(!is_left_out(&start(1, 1, 0), &record(Outcome::Fail)));
        let advised = record(Outcome::Pass).with(|figures| figures.advice = Some(vec!["x".to_owned()]));
        assert!(!is_left_out(&start(1, 1, 0), &advised));
    }
}
