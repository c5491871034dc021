//! What else a reader may want to know of a measurement: what was checked, the slow calls, the time it took.

use super::numbers;
use crate::call::probe::Check;
use crate::record::PairRecord;
use crate::record::json::Word;
use crate::system::text::known;

/// The line below a row, without the names of the functions.
pub(super) fn line(record: &PairRecord) -> Option<String> {
    let check = record.check.map(|Word(check)| checked(check).to_owned());
    // Those of one piece of code differ by chance alone.
    let summaries = record.candidate.zip(record.baseline).filter(|_| !record.is_one_code());
    let tails = summaries.map(|(candidate, baseline)| {
        let [p95, p99, of_baseline_p95, of_baseline_p99] =
            [candidate.p95, candidate.p99, baseline.p95, baseline.p99].map(numbers::latency);
        format!("p95 {p95} against {of_baseline_p95}, p99 {p99} against {of_baseline_p99}")
    });
    let time = record.elapsed_s.map(|seconds| format!("measured in {}", numbers::latency(seconds * 1e9)));
    let parts = known(vec![check, tails, time]);
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn checked(check: Check) -> &'static str {
    match check {
        Check::Equal => "the outputs are equal",
        Check::None => "the outputs cannot be compared",
        Check::Off => "the outputs are not compared",
    }
}
