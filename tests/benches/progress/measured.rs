//! One run of the fixture, and the figures of its record.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::heard::isolate;
use crate::pseudo_terminal;

/// The figures of a run, in nanoseconds.
pub(crate) struct Figures {
    /// The latency of both functions, which are the same.
    pub(crate) median: f64,
    pub(crate) mean: f64,
    pub(crate) p99: f64,
    /// Between two slots, on average: all the time that went to no slot.
    pub(crate) gap: f64,
}

/// Measures a pair of equal functions with this many slots of each, in a folder for its files, with a
/// progress bar or without.
pub(crate) fn run(folder: &Path, slots: u64, with_bar: bool) -> Result<Figures, Box<dyn Error>> {
    let path = folder.join("record.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdicts"));
    command.args(["--exact", "equal", "--judge", "welch", "--warmup", "0ms", "--bench", "--json"]).arg(&path);
    command.args(["--slots", &slots.to_string()]);
    isolate(&mut command);
    command.env("BENCH_DIFF_DIR", folder).env("TERM", "xterm");
    if with_bar {
        let (status, written) = pseudo_terminal::run(command, 100, None)?;
        let written = String::from_utf8_lossy(&written);
        if !status.success() {
            return Err(format!("the fixture ended with {status}: {written}").into());
        }
        if !written.contains("round 1") {
            return Err("no bar was drawn: the run was too short for one, raise --slots".into());
        }
    } else {
        let output = command.stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the fixture ended with {}: {said}", output.status).into());
        }
    }
    figures(&fs::read_to_string(path)?).ok_or_else(|| "the record has no figures".into())
}

fn figures(records: &str) -> Option<Figures> {
    let records = records.lines().map_while(|line| serde_json::from_str::<Value>(line).ok());
    let record = records.into_iter().find(|record| record["event"] == "pair")?;
    let of_both = |figure: &str| {
        Some(f64::midpoint(record["candidate"][figure].as_f64()?, record["baseline"][figure].as_f64()?))
    };
    let mean = of_both("mean")?;
    let slots = record["duos"].as_f64()? * 4.0;
    let in_slots = slots * record["iterations"].as_f64()? * mean;
    let gap = (record["elapsed_s"].as_f64()? * 1e9 - in_slots) / slots;
    Some(Figures { median: of_both("median")?, mean, p99: of_both("p99")?, gap })
}
