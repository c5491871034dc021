//! The parts of a record that each reader gets to see.

use super::*;
use crate::report::Reports;
use crate::report::sink::{Channel, Reader};

/// The names and reasons that each kind of reader is given of a run, and what they are given of its start.
fn heard(start: &StartRecord, records: &[PairRecord]) -> [WholeRun; 2] {
    [Reader::People, Reader::Programs].map(|reader| {
        let mut keeper = Keeper(WholeRun::default());
        let channels = vec![Channel::new("a test", reader, Borrowed(&mut keeper))];
        let mut reports =
            Reports { channels, start: StartRecord::default(), exit: crate::system::exit::Exit::Success };
        reports.emit(&Event::RunStarted(start));
        for record in records {
            reports.emit(&Event::PairFinished { record, measured: None });
        }
        drop(reports);
        keeper.0
    })
}

struct Borrowed<'a>(&'a mut Keeper);

impl Sink for Borrowed<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.0.event(event)
    }
}

#[test]
fn people_are_told_from_which_bench_a_pair_is_where_there_are_several() {
    let plan = a_plan();
    let one = StartRecord::of(&plan, &a_machine());
    let several = StartRecord { bench: String::new(), ..one.clone() };
    let packages = StartRecord { package: String::new(), ..several.clone() };
    let records = &records(&plan)[..1];
    let names = |start| heard(start, records).map(|run| run.pairs[0].name.clone());
    assert_eq!(names(&one), ["sort::unstable"; 2]);
    assert_eq!(names(&several), ["sorting::sort::unstable", "sort::unstable"]);
    let in_package = "my_package::sorting::sort::unstable";
    assert_eq!(names(&packages), [in_package, "sort::unstable"]);
}

/// Every text of a record, and of what a run knows before it, as somebody else may have written it.
#[test]
fn every_text_is_safe_for_people_and_whole_for_programs() {
    const HOSTILE: &str = "\n::add-mask::x\u{1b}[2J\u{202e}##[group]";
    const SAFE: &str = r"\n\u{3a}:add-mask::x\u{1b}[2J\u{202e}\u{23}#[group]";

    let plan = a_plan();
    let as_text = |run: &WholeRun| {
        let start = serde_json::to_value(crate::record::json::to_string(&run.start)).unwrap();
        let pair = serde_json::to_value(run.pairs[0].to_json()).unwrap();
        format!("{}{}", start.as_str().unwrap(), pair.as_str().unwrap())
    };
    let mut start = serde_json::from_str(&crate::record::json::to_string(&StartRecord {
        unjudged: Some(String::new()),
        stored_as: Some(String::new()),
        ..StartRecord::of(&plan, &a_machine())
    }))
    .unwrap();
    let record = PairRecord { group: Some(String::new()), ..records(&plan).swap_remove(2) };
    let mut record: serde_json::Value = serde_json::from_str(&record.to_json()).unwrap();
    record["differs"] =
        serde_json::json!({"function": "", "baseline_bytes": 1, "candidate_bytes": 2, "why": ""});
    let count = make_hostile(&mut start, HOSTILE) + make_hostile(&mut record, HOSTILE);
    let start = crate::record::json::from_str(&start.to_string()).unwrap();
    let record = PairRecord::from_json(&record.to_string()).unwrap();
    let [people, programs] = heard(&start, &[record]);
    let text = as_text(&people);
    assert_eq!(text.matches("u001b").count() + text.matches("\\n::").count(), 0, "{text}");
    assert!(text.matches(&SAFE.replace('\\', "\\\\")).count() + 1 >= count, "{count} texts: {text}");
    assert!(people.pairs[0].reason().unwrap().starts_with("\n\\u{3a}:"), "a reason keeps its lines");
    assert_eq!(as_text(&programs).matches("u001b").count(), count);
    assert_eq!(programs.pairs[0].name, HOSTILE);
}

/// Puts this in the place of every text, and counts them. Words of a fixed set stay.
fn make_hostile(value: &mut serde_json::Value, text: &str) -> usize {
    use serde_json::Value;

    const WORDS: [&str; 9] =
        ["inconclusive", "max_slowdown", "welch", "coin", "wall", "equal", "start", "pair", "ln"];

    match value {
        Value::String(known) if !WORDS.contains(&known.as_str()) => {
            text.clone_into(known);
            1
        }
        Value::Array(list) => list.iter_mut().map(|inner| make_hostile(inner, text)).sum(),
        Value::Object(fields) => fields.values_mut().map(|inner| make_hostile(inner, text)).sum(),
        _ => 0,
    }
}
