//! The events of tests that the standard test harness writes as JSON, one object per line, for editors and
//! other programs.

use bench_diff_system::json::to_string;

/// The start of a run of this many tests.
pub(super) fn suite_started(count: usize) -> String {
    format!("{{\"type\":\"suite\",\"event\":\"started\",\"test_count\":{count}}}")
}

/// The result of a test, with its output if it failed or the reason if it was ignored.
pub(super) enum TestEvent<'a> {
    Ok,
    Failed(&'a str),
    Ignored(&'a str),
}

impl TestEvent<'_> {
    /// The events of the start and the end of a test.
    pub(super) fn lines(&self, name: &str) -> String {
        let (event, more) = match self {
            Self::Ok => ("ok", String::new()),
            Self::Failed(output) => ("failed", format!(",\"stdout\":{}", to_string(*output))),
            Self::Ignored("") => ("ignored", String::new()),
            Self::Ignored(reason) => ("ignored", format!(",\"message\":{}", to_string(*reason))),
        };
        let name = to_string(name);
        format!(
            "{{\"type\":\"test\",\"event\":\"started\",\"name\":{name}}}\n\
             {{\"type\":\"test\",\"name\":{name},\"event\":\"{event}\"{more}}}"
        )
    }
}

/// The end of a run with these numbers of tests.
pub(super) fn suite_ended([passed, failed, ignored, filtered_out]: [usize; 4], seconds: f64) -> String {
    let event = if failed == 0 { "ok" } else { "failed" };
    format!(
        "{{\"type\":\"suite\",\"event\":\"{event}\",\"passed\":{passed},\"failed\":{failed},\
         \"ignored\":{ignored},\"measured\":0,\"filtered_out\":{filtered_out},\"exec_time\":{seconds}}}"
    )
}
