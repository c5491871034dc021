//! The record of a pair as one JSON object, whose fields come from the parts that it has.

use bench_diff_system::json;
use miniserde::Serialize;

use super::{End, PairRecord};

/// The version of the shape of records.
const SCHEMA: u32 = 2;

/// A field of a record in JSON: from the first of these parts that exists, or if there are no parts, the
/// variable of this name.
macro_rules! field_of {
    ([] $name:ident) => { field(stringify!($name), Some(&$name)) };
    ([$($part:ident)*] $name:ident) => {{
        let value: Option<&dyn Serialize> = None;
        $(let value = value.or_else(|| $part.map(|part| &part.$name as &dyn Serialize));)*
        field(stringify!($name), value)
    }};
}

/// Fields, each after the parts of a record that have it.
macro_rules! object {
    ($($parts:tt $($name:ident)*;)*) => { [$($(field_of!($parts $name),)*)*] };
}

/// A field, which is null if its part does not exist.
fn field(name: &str, value: Option<&dyn Serialize>) -> String {
    let value = value.map_or_else(|| "null".to_owned(), json::to_string);
    format!("\"{name}\":{value}")
}

impl PairRecord {
    /// The record as one object, in which a field without a value is null, never NaN.
    pub(crate) fn to_json(&self) -> String {
        let (pair, figures, timing, slots) = (Some(self), self.figures(), self.timing(), self.slots());
        let (schema, event, outcome, reason) = (SCHEMA, "pair", self.outcome(), self.reason());
        let fails_in_old = matches!(self.end, End::Ignored { fails_in_old: true, .. }).then_some(true);
        let is_known = figures.is_some() || self.is_same_code();
        let same_code = is_known.then(|| self.is_same_code());
        let (output, judge) = (self.output(), self.judge.name());
        let clock = slots.map(|slots| slots.clock.name());
        let fields = object! {
            [] schema event;
            [pair] package bench name file line group against;
            [] outcome reason fails_in_old output;
            [figures] check;
            [] judge;
            [pair] gate;
            [timing] latency;
            [] same_code;
            [figures] differs ratio interval rounds layouts;
            [figures] doubt p_fail p_pass mde;
            [pair] ignored;
            [slots] duos iterations;
            [] clock;
            [pair] seed;
            [slots] elapsed_s;
            [figures] welch overhead;
            [slots] bytes items candidate;
            [figures] baseline;
            [figures timing] allocations;
            [pair] notes;
            [slots] advice;
            [pair] repeat nextest_run_id;
        };
        format!("{{{}}}", fields.join(","))
    }
}
