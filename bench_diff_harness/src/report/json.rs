//! JSON lines: one record a line, as it is.

use crate::record::{Event, StartRecord, json};

pub(super) fn lines(_: &StartRecord, event: &Event<'_>) -> String {
    let record = match event {
        Event::PairFinished { record, .. } => record.to_json(),
        Event::RunFinished(record) => json::to_string(*record),
        Event::GateTested { test, .. } => json::to_string(*test),
        _ => return String::new(),
    };
    record + "\n"
}
