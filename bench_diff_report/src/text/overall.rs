//! What is said of a run as a whole: its sides, what was not compared, and how many pairs ended in which way.

use bench_diff_system::text::{counted, few};

use crate::record::{
    Event, Hindrance, Obstacle, OtherSide, Outcome, PairRecord, PlannedRecord, RunRecord, StartRecord,
    Uncompared,
};

/// The width of the heading `baseline`.
const WIDTH: usize = 8;

/// The most functions that a line names.
const NAMED: usize = 10;

const NO_PACKAGE: &str = "the old revision has no package of this name or library, nor one in this folder: \
    `--against-package NAME` says which one it was";

/// The word for one row: a function, unless each has a baseline that it is a pair with.
pub(crate) fn subject(start: &StartRecord) -> &'static str {
    let is_alone = |pair: &PlannedRecord| !pair.is_compared;
    if start.against.is_some() || start.pairs.iter().any(is_alone) { "function" } else { "pair" }
}

/// The names of the two sides.
pub(crate) fn names(start: &StartRecord) -> [String; 2] {
    match &start.against {
        Some(side) => [side.name.chars().take(WIDTH).collect(), "now".to_owned()],
        None => ["baseline", "candidate"].map(str::to_owned),
    }
}

/// Lines on how the old revision was found and built, if every function is compared with itself in it.
pub(crate) fn found(start: &StartRecord) -> &[String] {
    start.against.as_ref().map_or(&[], |side| &side.lines)
}

/// Lines on the functions that are unchanged, and on those that are not compared.
pub(crate) fn matched(start: &StartRecord) -> Vec<String> {
    let Some(side) = &start.against else { return Vec::new() };
    let OtherSide { name, same_code, hindrance, not_compared, uncompared, .. } = side;
    let all = start.pairs.len();
    let mut lines = Vec::new();
    if *same_code > 0 {
        lines.push(format!("{} unchanged: same machine code, not measured", some_of(*same_code, all)));
    }
    if let Some(Hindrance { obstacle, why, functions }) = hindrance {
        let cause = match obstacle {
            Obstacle::Unknown => why.clone(),
            Obstacle::Call => format!("each {why}"),
            Obstacle::Function => format!("they use `{why}`, which differs"),
        };
        lines.push(format!("{} not proven unchanged: {cause}", some_of(*functions, all)));
    }
    // Without an old binary nothing is compared, which an earlier line says.
    if uncompared.is_none_or(Uncompared::has_program) && !not_compared.is_empty() {
        let names = few(not_compared, NAMED);
        lines.push(format!(
            "not compared: {names}: {name} has no function of this name, or another number of them"
        ));
    }
    lines
}

/// The beginning of a sentence on some of all functions.
fn some_of(some: usize, all: usize) -> String {
    match some {
        1 if all == 1 => "the function is".to_owned(),
        1 => format!("1 of {all} functions is"),
        2 if all == 2 => "both functions are".to_owned(),
        some if some == all => format!("all {all} functions are"),
        some => format!("{some} of {all} functions are"),
    }
}

/// The verdict of a run that compared nothing with the old revision.
pub(crate) fn nothing_compared(run: &RunRecord) -> Option<String> {
    let side = run.against.as_ref()?;
    let why = match side.uncompared? {
        Uncompared::NoPackage => NO_PACKAGE.to_owned(),
        Uncompared::NoBench => "the package has no bench of this name in the old revision".to_owned(),
        Uncompared::NewBench => "this bench is new".to_owned(),
        Uncompared::Uncompilable => "this bench does not compile in the old revision".to_owned(),
        Uncompared::OtherHarness => {
            "the old revision has this bench for another harness or version of bench_diff".to_owned()
        }
        Uncompared::NotListed => "the bench of the old revision does not list its functions".to_owned(),
        Uncompared::NoFunction => uncompared_functions(run, side),
    };
    Some(format!("nothing was compared: {why}"))
}

/// How many functions were not compared for each reason: `2 functions are not in ..., 1 is ignored or ...`.
fn uncompared_functions(run: &RunRecord, side: &OtherSide) -> String {
    let counts = [
        (side.not_compared.len(), ["is not in the old revision", "are not in the old revision"]),
        (run.ignored, ["is ignored or fails in the old revision", "are ignored or fail in the old revision"]),
    ];
    let mut parts: Vec<String> = Vec::new();
    for (count, [one, many]) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let subject = if parts.is_empty() { counted(count, "function") } else { count.to_string() };
        parts.push(format!("{subject} {}", if count == 1 { one } else { many }));
    }
    parts.join(", ")
}

/// The same for people who look at the error stream, while programs read the report.
pub(crate) fn beside_records(event: &Event<'_>) -> String {
    let lines = match event {
        Event::RunStarted(start) => matched(start),
        Event::RunFinished(run) => nothing_compared(run).into_iter().collect(),
        _ => Vec::new(),
    };
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Returns whether a table leaves a function out: its machine code is unchanged.
pub(crate) fn is_left_out(start: &StartRecord, record: &PairRecord) -> bool {
    start.against.is_some()
        && record.outcome() == Outcome::Pass
        && record.is_same_code()
        && record.advice().is_empty()
}

/// How many functions ended in each way, or did not run; the reason if nothing was compared.
pub(crate) fn counts(run: &RunRecord) -> String {
    if let Some(nothing) = nothing_compared(run) {
        return nothing;
    }
    let with_part = |outcome: &str, part: usize, what: &str| match part {
        0 => outcome.to_owned(),
        _ => format!("{outcome} ({part} {what})"),
    };
    let passed = with_part("passed", run.allowed, "allowed");
    let inconclusive = with_part("inconclusive", run.over_budget, "over budget");
    let errors = if run.errors == 1 { "error" } else { "errors" };
    let counts = [
        (run.passed, &*passed),
        (run.failed, "failed"),
        (run.inconclusive, &*inconclusive),
        (run.errors, errors),
        (run.ignored, "ignored"),
        (run.measured, "measured without a verdict"),
        (run.not_compared, "not compared"),
        (run.filtered_out, "filtered out"),
    ];
    let occurring = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = occurring.map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { "0 passed".to_owned() } else { parts.join(", ") }
}

/// The pairs that were not run, if any.
pub(crate) fn left(run: &RunRecord) -> Option<String> {
    (run.not_run > 0).then(|| format!("stopped by --fail-fast, {} not run", run.not_run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::verdict;
    use crate::record::Figures;

    fn start(same_code: usize, all: usize, new: usize) -> StartRecord {
        let names = |count: usize| (0..count).map(|number| format!("f{number}")).collect::<Vec<_>>();
        let pairs = names(all)
            .into_iter()
            .map(|name| PlannedRecord { name, group: None, is_compared: true })
            .collect();
        let (name, program) = ("3f2c9e1ab".to_owned(), Some("0123".to_owned()));
        let against =
            OtherSide { name, program, same_code, not_compared: names(new), ..OtherSide::default() };
        StartRecord { against: Some(against), pairs, ..StartRecord::default() }
    }

    #[test]
    fn the_sides_have_other_names_beside_another_revision() {
        let shown = |start: &StartRecord| (subject(start), names(start).join(" "));
        assert_eq!(shown(&StartRecord::default()), ("pair", "baseline candidate".to_owned()));
        assert_eq!(shown(&start(0, 1, 0)), ("function", "3f2c9e1a now".to_owned()));
    }

    #[test]
    fn what_needs_no_measurement_is_one_line() {
        let line = |same, all| matched(&start(same, all, 0)).join("\n");
        assert_eq!(line(0, 3), "");
        assert_eq!(line(14, 17), "14 of 17 functions are unchanged: same machine code, not measured");
        assert_eq!(line(1, 2), "1 of 2 functions is unchanged: same machine code, not measured");
        assert_eq!(line(2, 2), "both functions are unchanged: same machine code, not measured");
        assert_eq!(line(1, 1), "the function is unchanged: same machine code, not measured");
    }

    #[test]
    fn what_hinders_most_proofs_is_one_line() {
        let lines = |same, all, obstacle, why: &str, functions| {
            let mut start = start(same, all, 0);
            let hindrance = Hindrance { obstacle, why: why.to_owned(), functions };
            start.against.as_mut().unwrap().hindrance = Some(hindrance);
            matched(&start)
        };
        let file = "they may read files below their tree, of which data/x.json differs";
        assert_eq!(
            lines(1, 6, Obstacle::Unknown, file, 4),
            [
                "1 of 6 functions is unchanged: same machine code, not measured".to_owned(),
                format!("4 of 6 functions are not proven unchanged: {file}")
            ]
        );
        let linked = "they are linked with other options";
        assert_eq!(
            lines(0, 1, Obstacle::Unknown, linked, 1),
            [format!("the function is not proven unchanged: {linked}")]
        );
        assert_eq!(
            lines(0, 2, Obstacle::Call, "now calls the allocator; 3f2c9e1 did not", 2),
            ["both functions are not proven unchanged: each now calls the allocator; 3f2c9e1 did not"]
        );
        assert_eq!(
            lines(0, 4, Obstacle::Function, "parser::lex", 3),
            ["3 of 4 functions are not proven unchanged: they use `parser::lex`, which differs"]
        );
    }

    #[test]
    fn new_functions_are_named_and_many_counted() {
        let why = "3f2c9e1ab has no function of this name, or another number of them";
        assert_eq!(matched(&start(0, 0, 2)), [format!("not compared: f0, f1: {why}")]);
        let many = &matched(&start(0, 0, 12))[0];
        assert!(many.ends_with(&format!("f8, f9 and 2 more: {why}")), "{many}");
    }

    #[test]
    fn no_function_is_named_without_an_old_binary() {
        let mut missing = start(0, 0, 2);
        missing.against.as_mut().unwrap().uncompared = Some(Uncompared::NoBench);
        assert_eq!(matched(&missing), [""; 0], "a line of its own says it");
    }

    #[test]
    fn the_verdict_of_a_run_that_compared_nothing_has_the_reason() {
        let line = |new: usize, ignored: usize, missing| {
            let mut start = start(0, ignored, new);
            start.against.as_mut().unwrap().uncompared = missing;
            nothing_compared(&RunRecord::of(&start, &vec![Outcome::Ignored; ignored], 1.0))
                .unwrap_or_default()
        };
        for (new, ignored, expected) in [
            (1, 0, "1 function is not in the old revision"),
            (3, 0, "3 functions are not in the old revision"),
            (0, 1, "1 function is ignored or fails in the old revision"),
            (1, 2, "1 function is not in the old revision, 2 are ignored or fail in the old revision"),
        ] {
            assert_eq!(line(new, ignored, None), format!("nothing was compared: {expected}"));
        }
        assert_eq!(line(0, 0, None), "", "equal trees");
        let harness = line(2, 0, Some(Uncompared::OtherHarness));
        assert!(
            harness
                .ends_with(": the old revision has this bench for another harness or version of bench_diff"),
            "{harness}"
        );
        let start = start(0, 2, 1);
        let so_far = RunRecord::of(&start, &[Outcome::Ignored], 1.0);
        assert_eq!(nothing_compared(&so_far), None, "another function may be compared");
    }

    #[test]
    fn a_function_that_is_the_same_code_has_no_row_unless_there_is_something_to_say() {
        let record = |outcome| {
            PairRecord::from(Figures { verdict: verdict(outcome), same_code: true, ..Figures::default() })
        };
        assert!(is_left_out(&start(1, 1, 0), &record(Outcome::Pass)));
        assert!(!is_left_out(&StartRecord::default(), &record(Outcome::Pass)));
        assert!(!is_left_out(&start(1, 1, 0), &record(Outcome::Fail)));
        let advised = record(Outcome::Pass).with(|figures| figures.slots.advice = vec!["x".to_owned()]);
        assert!(!is_left_out(&start(1, 1, 0), &advised));
    }

    #[test]
    fn the_counts_are_those_that_are_not_zero() {
        let run = RunRecord {
            passed: 12,
            failed: 1,
            inconclusive: 1,
            not_compared: 2,
            filtered_out: 3,
            ..RunRecord::default()
        };
        assert_eq!(counts(&run), "12 passed, 1 failed, 1 inconclusive, 2 not compared, 3 filtered out");
        let run = RunRecord { errors: 1, ignored: 1, measured: 2, ..RunRecord::default() };
        assert_eq!(counts(&run), "1 error, 1 ignored, 2 measured without a verdict");
        let run = RunRecord { inconclusive: 3, over_budget: 2, errors: 2, ..RunRecord::default() };
        assert_eq!(counts(&run), "3 inconclusive (2 over budget), 2 errors");
        let run = RunRecord { passed: 12, allowed: 1, ..RunRecord::default() };
        assert_eq!(counts(&run), "12 passed (1 allowed)");
        assert_eq!(counts(&RunRecord::default()), "0 passed");
    }

    #[test]
    fn what_the_old_side_lacks_and_what_filters_leave_out_is_counted() {
        let start = StartRecord { filtered_out: 3, ..start(1, 1, 2) };
        let run = RunRecord::of(&start, &[Outcome::Pass], 1.0);
        assert_eq!(counts(&run), "1 passed, 2 not compared, 3 filtered out");
    }
}
