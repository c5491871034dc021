//! Reads the output of the harnesses as a person reads it.

use serde_json::Value;

/// The verdict of a harness on a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Slower,
    NoSlower,
    Faster,
    /// It says that it cannot tell.
    Open,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) function: String,
    /// The newer time over the older one, less 1.
    pub(crate) change: f64,
    pub(crate) verdict: Verdict,
}

fn answer(function: &str, change: f64, verdict: Verdict) -> Answer {
    Answer { function: function.to_owned(), change, verdict }
}

/// The records of this harness. A pass is about no slower, so a faster one is no claim.
pub(crate) fn records(json: &str) -> Vec<Answer> {
    let records = json.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    records
        .filter(|record| record["event"] == "pair")
        .filter_map(|record| {
            let verdict = match record["outcome"].as_str()? {
                "fail" => Verdict::Slower,
                "pass" => Verdict::NoSlower,
                _ => Verdict::Open,
            };
            let function = record["name"].as_str()?;
            Some(answer(function, record["ratio"].as_f64()? - 1.0, verdict))
        })
        .collect()
}

/// The report on the terminal, `change: [-0.5% +0.1% +0.7%]` and a sentence for each function.
pub(crate) fn criterion(text: &str) -> Vec<Answer> {
    let (mut answers, mut function, mut change) = (Vec::new(), "", 0.0);
    for line in text.lines() {
        if let Some((name, _)) = line.split_once(" time: ").filter(|(name, _)| !name.trim().is_empty()) {
            function = name.trim();
        } else if let Some((_, interval)) = line.split_once("change: [") {
            change = interval.split(' ').nth(1).and_then(percent).unwrap_or(f64::NAN);
        }
        let verdict = match line.trim() {
            "Performance has regressed." => Verdict::Slower,
            "Performance has improved." => Verdict::Faster,
            "No change in performance detected." | "Change within noise threshold." => Verdict::NoSlower,
            _ => continue,
        };
        answers.push(answer(function, change, verdict));
    }
    answers
}

/// `name  [ 375.5 ns ... 369.0 ns ]  -1.58%*`, with the star where it is significant.
pub(crate) fn tango(text: &str) -> Vec<Answer> {
    text.lines()
        .filter_map(|line| {
            let (function, rest) = line.split_once('[')?;
            let shown = rest.split_once(']')?.1.trim();
            let change = percent(shown.trim_end_matches('*'))?;
            let verdict = match (shown.ends_with('*'), change > 0.0) {
                (true, true) => Verdict::Slower,
                (true, false) => Verdict::Faster,
                (false, _) => Verdict::NoSlower,
            };
            Some(answer(function.trim(), change, verdict))
        })
        .collect()
}

/// `  sum  312.2ns →  315.0ns   +0.90%    unchanged`, or with `▲ slower` or `▼ faster` in colours.
pub(crate) fn zenbench_comparison(text: &str) -> Vec<Answer> {
    let read = |line: &str| {
        let (function, rest) = line.trim().split_once(' ')?;
        let (_, rest) = rest.split_once('→')?;
        let change = rest.split_whitespace().find_map(percent)?;
        let verdict = match rest {
            _ if rest.contains("▲") => Verdict::Slower,
            _ if rest.contains("▼") => Verdict::Faster,
            _ => Verdict::NoSlower,
        };
        // A group of one benchmark: `sum::sum`.
        let function = function.rsplit("::").next().unwrap_or(function);
        Some(answer(function, change, verdict))
    };
    text.lines().filter_map(read).collect()
}

/// `+5.1%`, as a share. A minus sign may be that of typographers.
fn percent(text: &str) -> Option<f64> {
    let text = text.strip_suffix('%')?.replace('\u{2212}', "-");
    Some(text.parse::<f64>().ok()? / 100.0)
}
