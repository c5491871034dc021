//! JSON Lines: one record per line, unchanged.

use super::whole_run::WholeRun;
use crate::record::{Event, PairRecord, json};

/// The lines of a stream, in the order in which pairs are decided.
pub(super) fn lines(event: &Event<'_>) -> String {
    let record = match event {
        Event::PairFinished { record, .. } => record.to_json(),
        Event::RunFinished(record) => json::to_string(*record),
        _ => return String::new(),
    };
    record + "\n"
}

/// The document, in the order of the plan.
pub(super) fn document(run: &WholeRun) -> String {
    let pairs = run.pairs.iter().map(PairRecord::to_json);
    pairs.chain([json::to_string(&run.end)]).map(|record| record + "\n").collect()
}
