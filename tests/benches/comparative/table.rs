//! A row of the table: what came out of the runs of a cell, beside the original's figures.

use crate::run::{Cell, METHODS, Method, Outcome};

pub(crate) const HEADER: &str = "\
| method | base median | sample size | difference | runs | reversals | anomalies | t-test right | error of the difference: median | \
original: reversals, anomalies of 100 | time |
|---|---|---|---|---|---|---|---|---|---|---|";

/// The reversals and anomalies that the original reports: scale, per mille, traditional, duos. Its t-tests
/// were all right.
const ORIGINAL: [(&str, u64, [u32; 2], [u32; 2]); 8] = [
    ("100us", 10, [47, 94], [2, 13]),
    ("100us", 20, [35, 89], [0, 5]),
    ("100us", 50, [21, 74], [0, 1]),
    ("100us", 100, [19, 57], [0, 0]),
    ("20ms", 10, [31, 82], [0, 2]),
    ("20ms", 20, [24, 75], [0, 0]),
    ("20ms", 50, [0, 6], [0, 0]),
    ("20ms", 100, [0, 1], [0, 0]),
];

pub(crate) fn row(cell: &Cell, lines: &[String], seconds: f64) -> Option<String> {
    let outcomes: Vec<Outcome> = lines.iter().map(|line| Outcome::read(line)).collect::<Option<_>>()?;
    let difference = cell.difference();
    let count = |says: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| says(outcome)).count();
    let mut errors: Vec<f64> = outcomes.iter().map(|outcome| outcome.error(difference)).collect();
    errors.sort_by(f64::total_cmp);
    let (method, _) = METHODS.into_iter().find(|(_, method)| *method == cell.method)?;
    let t_tests = match cell.method {
        Method::Traditional => "-".to_owned(),
        Method::Duos => count(&|outcome| outcome.t_test() == Some(true)).to_string(),
    };
    Some(format!(
        "| {method} | {} | {} | {} % | {} | {} | {} | {t_tests} | {:.2} % | {} | {seconds:.0} s |",
        cell.scale.name,
        cell.scale.exec_count,
        cell.per_mille as f64 / 10.0,
        outcomes.len(),
        count(&Outcome::is_reversed),
        count(&|outcome| outcome.is_anomalous(difference)),
        100.0 * errors.get(errors.len() / 2)?,
        original(cell),
    ))
}

fn original(cell: &Cell) -> String {
    let known = |(scale, per_mille, ..): &(&str, u64, _, _)| {
        (*scale, *per_mille) == (cell.scale.name, cell.per_mille)
    };
    ORIGINAL.into_iter().find(known).map_or("-".to_owned(), |(_, _, traditional, duos)| {
        let [reversals, anomalies] = if cell.method == Method::Duos { duos } else { traditional };
        format!("{reversals}, {anomalies}")
    })
}
