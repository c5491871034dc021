//! The parts of a record that each reader gets to see.

use super::*;
use crate::Reports;
use crate::record::{Differs, Doubt, DoubtKind, End, Hindrance, Obstacle, OtherSide, PlannedRecord, Timing};
use crate::sink::{Channel, Reader};

/// The names and reasons that each kind of reader is given of a run, and what they are given of its start.
fn heard(start: &StartRecord, records: &[PairRecord]) -> [WholeRun; 2] {
    [Reader::People, Reader::Programs].map(|reader| {
        let mut run = WholeRun::default();
        let channels = vec![Channel::new("a test", reader, &mut run)];
        let mut reports = Reports { channels, exit: bench_diff_system::exit::Exit::Success };
        reports.emit(&Event::RunStarted(start));
        for record in records {
            reports.emit(&Event::PairFinished { record, rounds: &[] });
        }
        drop(reports);
        run
    })
}

/// A text that somebody else may have written, and the form in which people see it.
const HOSTILE: &str = "\n::add-mask::x\u{1b}[2J\u{202e}##[group]";
const SAFE: &str = r"\n\u{3a}:add-mask::x\u{1b}[2J\u{202e}\u{23}#[group]";

fn hostile() -> String {
    HOSTILE.to_owned()
}

fn hostile_start() -> StartRecord {
    let texts = || vec![hostile()];
    let side = OtherSide {
        asked: hostile(),
        name: hostile(),
        id: Some(hostile()),
        subject: Some(hostile()),
        program: Some(hostile()),
        same_code: 0,
        hindrance: Some(Hindrance { obstacle: Obstacle::Call, why: hostile(), functions: 1 }),
        not_compared: texts(),
        other_work: texts().pop(),
        lock: texts(),
        laid_over: Vec::new(),
        lines: texts(),
        uncompared: None,
    };
    StartRecord {
        package: hostile(),
        bench: hostile(),
        seed: hostile(),
        strict: false,
        unjudged: Some(hostile()),
        against: Some(side),
        machine: Machine { cpu: Some(hostile()), governor: Some(hostile()), ..Machine::default() },
        pairs: vec![PlannedRecord { name: hostile(), group: Some(hostile()), is_compared: true }],
        filtered_out: 0,
    }
}

fn hostile_pair(end: End) -> PairRecord {
    PairRecord {
        package: hostile(),
        bench: hostile(),
        name: hostile(),
        file: hostile(),
        group: Some(hostile()),
        against: Some(hostile()),
        seed: hostile(),
        notes: vec![hostile()],
        repeat: hostile(),
        nextest_run_id: Some(hostile()),
        end,
        ..PairRecord::default()
    }
}

/// Every text of a record, and of what a run knows before it.
#[test]
fn every_text_is_safe_for_people_and_whole_for_programs() {
    let differs = Differs { function: hostile(), baseline_bytes: 1, candidate_bytes: 2, why: hostile() };
    let slots = SlotsRecord { advice: vec![hostile()], ..SlotsRecord::default() };
    let figures = Figures {
        reason: Some(hostile()),
        doubt: Some(Doubt::new(DoubtKind::Place, &hostile())),
        differs: Some(differs),
        slots: slots.clone(),
        ..Figures::default()
    };
    let timing = Timing { slots: slots.clone(), ..Timing::default() };
    let ends = [
        End::Ignored { reason: Some(hostile()), fails_in_old: false },
        End::Error { reason: hostile(), output: Some(hostile()) },
        figures.into(),
        End::Timed(Box::new(timing)),
    ];
    for end in ends {
        let [people, programs] = heard(&hostile_start(), &[hostile_pair(end)]);
        // `Debug` escapes the texts once more.
        let [people_see, programs_get] =
            [&people, &programs].map(|run| format!("{:?}{:?}", run.start, run.pairs));
        let count = |text: &str, part: &str| text.matches(format!("{part:?}").trim_matches('"')).count();
        // Reasons keep their lines. The end of `\\n`, as it is anywhere else, looks like a line break here.
        let lines = SAFE.replacen(r"\n", "\n", 1);
        assert_eq!(count(&people_see, HOSTILE), 0, "{people_see}");
        assert_eq!(count(&people_see, &lines), count(&programs_get, HOSTILE), "{people_see}");
        assert_eq!(programs.pairs[0].name, HOSTILE);
        let reason = people.pairs[0].reason();
        assert!(reason.is_none_or(|reason| reason.contains(&lines)), "a reason keeps its lines");
    }
}
