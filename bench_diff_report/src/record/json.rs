//! The record of a pair as one JSON object, whose fields come from the parts that it has.

use bench_diff_system::json;
use miniserde::Serialize;

use super::{Outcome, PairRecord};

/// The version of the shape of records.
const SCHEMA: u32 = 2;

/// The fields in JSON that every record has, besides those of its pair.
struct Always {
    schema: u32,
    event: &'static str,
    outcome: Outcome,
    reason: Option<String>,
    /// True if the function is ignored since it fails in the old revision.
    fails_in_old: Option<bool>,
    output: Option<String>,
    judge: &'static str,
    clock: Option<&'static str>,
}

/// A field of a record in JSON, from the first of these parts that exists.
macro_rules! field_of {
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
        let always = Some(&Always {
            schema: SCHEMA,
            event: "pair",
            outcome: self.outcome(),
            reason: self.reason(),
            fails_in_old: self.fails_in_old().then_some(true),
            output: self.output().map(str::to_owned),
            judge: self.judge.name(),
            clock: slots.map(|slots| slots.clock.name()),
        });
        let fields = object! {
            [always] schema event;
            [pair] package bench name file line group against;
            [always] outcome reason fails_in_old output;
            [figures] check;
            [always] judge;
            [pair] gate;
            [timing] latency;
            [figures] same_code differs ratio interval rounds layouts;
            [figures] doubt p_fail p_pass mde;
            [pair] ignored;
            [slots] duos iterations;
            [always] clock;
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
