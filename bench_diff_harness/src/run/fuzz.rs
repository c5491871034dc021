//! The fuzz target for the parser of a process's answers.

use std::fs;
use std::time::Duration;

use bench_diff_core::{Measurement, Plan, Recording, Rounds};
use bench_diff_system::json;
use bench_diff_system::temporary::TempFolder;

use super::inbox::Inbox;
use super::protocol::{AnswerReader, Request};

/// The word that marks the lines of this process.
const WORD: &str = "fuzz";

/// The number of requested pairs.
const REQUESTED: usize = 4;

/// Reads an answer in two parts. Every pair must get one finding, whatever the lines contain, and judging the
/// measurements must not panic. Each line is tried as a request as well.
pub fn protocol(bytes: &[u8]) {
    let folder = TempFolder::of_run().expect("a folder for a file");
    let request = folder.path().join("request");
    let mut reader = AnswerReader::to(&request, WORD).expect("a file can be made");
    let answer = request.with_file_name("answer");
    let mut inbox = Inbox::new(REQUESTED);
    let mut answers = Vec::new();
    let mut end = Ok(());
    for so_far in [&bytes[..bytes.len() / 2], bytes] {
        fs::write(&answer, so_far).expect("a file can be written");
        while let Some(line) = reader.line() {
            match inbox.line(line) {
                Ok(found) => answers.extend(found),
                Err(reason) => end = end.and(Err(reason)),
            }
            if end.is_err() {
                break;
            }
        }
    }
    answers.extend(inbox.end(end));
    let places: Vec<usize> = answers.iter().map(|(pair, _)| *pair).collect();
    assert!(places.len() <= REQUESTED && places.iter().enumerate().all(|(place, pair)| place == *pair));
    let findings = answers.into_iter().filter_map(|(_, found)| found.ok());
    judge(findings.filter_map(|finding| finding.recording?.recording().ok()).collect());
    for line in String::from_utf8_lossy(bytes).lines() {
        if let Ok(request) = json::from_str::<Request>(line) {
            request.round.iter().flat_map(|round| &round.pairs).for_each(|pair| _ = pair.task());
        }
    }
}

/// Judges rounds as a run does: one by one, and all together.
fn judge(rounds: Vec<Recording>) {
    let plan = Plan { max_time: Duration::from_secs(3600), ..Plan::default() };
    let mut judge = Rounds::new(&plan);
    for round in &rounds {
        // If rounds cannot be judged, a run reports an error of their pair.
        if judge.add(std::slice::from_ref(round)).is_err() {
            break;
        }
        let _ = judge.next();
    }
    if !rounds.is_empty() {
        let rounds: Vec<Vec<Recording>> = rounds.into_iter().map(|round| vec![round]).collect();
        drop(Measurement::of(&plan, vec![rounds.concat()]));
        drop(Measurement::of(&plan, rounds.clone()));
        drop(Measurement::of(&Plan { max_rounds: None, ..plan }, rounds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_in_the_corpus_is_valid() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/protocol/request");
        let request: Request = json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert!(matches!(request.round.unwrap().pairs[0].task(), crate::run::Task::Measure { .. }));
    }
}
