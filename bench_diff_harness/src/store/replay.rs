//! Evaluates stored runs again.

use std::path::Path;

use bench_diff_core::{Gate, JudgeKind, MeasureError, Measurement, Plan, Rejudged, Verdict, judge_again};

use super::loaded::{LoadedRun, pairs_of};
use crate::call::work::Work;
use crate::plan::judged_by;
use crate::record::json::Word;
use crate::record::{
    AllocationsRecord, End, Facts, FinishedPair, GateRecord, Measured, StartRecord, StoredPair,
};
use crate::settings::{Layouts, PairSettings, Selection};
use crate::system::order::in_order;
use crate::system::text::counted;

/// Evaluates the selected pairs of a run with these settings, and with those it was measured with for the
/// rest.
///
/// # Errors
///
/// The problem with the run, and its place.
pub(super) fn judged_again(
    run: &LoadedRun,
    settings: &PairSettings,
    selection: &Selection,
) -> Result<Vec<FinishedPair>, String> {
    let path = run.path.display();
    let Some(start) = &run.start else {
        return Err(format!(
            "{path}: it does not begin with the start of a run: --replay takes a stored run, and a file of `--json` has no \
             slots to evaluate"
        ));
    };
    let selected = run.pairs.iter().filter(|pair| selection.holds(&pair.record.name));
    selected
        .map(|pair| {
            pair_judged_again(pair, start, settings)
                .map_err(|reason| format!("{path}, pair `{}`: {reason}", pair.record.name))
        })
        .collect()
}

/// Notes for the reader of a replay.
pub(super) fn notes(runs: &[LoadedRun], path: &Path) -> Vec<String> {
    let what = match runs {
        [run] => run.path.display().to_string(),
        runs => format!("{} runs below {}", runs.len(), path.display()),
    };
    let mut notes = vec![format!("evaluated again: {what}; nothing is measured")];
    let found = pairs_of(runs);
    if in_order(found.iter().map(|pair| &pair.name)).len() < found.len() {
        notes.push("note: several runs of one function have a row each; `--merge` combines them".to_owned());
    }
    notes
}

/// Evaluates the slots of a pair with these settings, and with those it was measured with for the rest. A
/// pair without slots is returned as it is.
fn pair_judged_again(
    stored: &StoredPair,
    start: &StartRecord,
    settings: &PairSettings,
) -> Result<FinishedPair, String> {
    let mut record = stored.record.clone();
    let Some(measured) = stored.measured()? else {
        return match &record.end {
            End::Measured(_) | End::Timed(_) => {
                Err("not a stored run of bench_diff: a pair without its slots".to_owned())
            }
            End::Ignored { .. } | End::Error { .. } => Ok(FinishedPair::from(record)),
        };
    };
    // No setting affects a function without a baseline.
    let Some(before) = stored.record.figures() else {
        return Ok(FinishedPair { record, measured: Some(measured) });
    };
    let Measured { plan, layouts, rounds, linked, call_notes, lacks_counts_there } = measured;
    let doubt = stored.record.doubt();
    // A live run does not check this either.
    let max = settings.max_allocations.filter(|_| !lacks_counts_there);
    let allocations = before
        .allocations
        .map(|allocations| AllocationsRecord { max: max.or(allocations.max), ..allocations });
    if allocations.is_none() && max.is_some() {
        return Ok(FinishedPair::from(record.failed(NO_COUNTS.to_owned())));
    }
    let gate = settings.apply_to(record.gate.as_ref().map_or(Gate::ReportOnly, GateRecord::gate));
    let layouts = resolve_layouts(layouts, settings)?;
    let resolved = Plan { zone: gate.zone(), ..judged_by(plan, settings, layouts, start.sharing()) };
    let recorded = match resolved.max_rounds {
        Some(_) => counted(rounds.len(), "round"),
        None => counted(rounds.iter().flatten().map(|process| process.duos.len()).sum(), "duo"),
    };
    record.gate = GateRecord::of(gate, &resolved);
    record.judge = Word(resolved.judge);
    let unjudged = record.clone();
    let failed = |error: MeasureError| Ok(FinishedPair::from(unjudged.failed(error.to_string())));
    let Rejudged { mut measurement, wants_more } = match judge_again(&resolved, rounds) {
        Ok(rejudged) => rejudged,
        Err(error) => return failed(error),
    };
    let too_few = takes_more(&plan, &resolved, wants_more, &mut measurement);
    let stopped_early = (plan.judge, resolved.judge) == (JudgeKind::Sequential, JudgeKind::Welch);
    measurement.judgement.welch.nominal |= stopped_early;
    let mut remarks = call_notes.clone();
    remarks.extend(stopped_early.then(|| STOPPED_EARLY.to_owned()));
    let facts = Facts {
        unjudged: start.unjudged.as_deref(),
        undecided: (too_few && start.unjudged.is_none())
            .then(|| format!("the stored run ended after {recorded}: {TOO_FEW}")),
        remarks,
        check: before.check,
        work: Work { bytes: before.bytes, items: before.items },
        differs: before.differs.clone(),
        linked: linked.as_ref(),
        doubt,
        allocations,
        lacks_counts_there,
    };
    let record = match record.judged(&measurement, facts) {
        Ok(record) => record,
        Err(error) => return failed(error),
    };
    let (said, judged) = (before.outcome, record.outcome());
    if *settings == PairSettings::NONE && said != judged {
        let (stored, judged) = (said.name(), judged.name());
        return Err(format!("its verdict is {stored}, but its slots give {judged}: one of them was changed"));
    }
    let rounds = measurement.rounds;
    let measured = Measured { plan: resolved, layouts, rounds, linked, call_notes, lacks_counts_there };
    Ok(FinishedPair { record, measured: Some(measured) })
}

/// The layouts of a stored pair. No setting changes them, but its duos can be evaluated without them.
fn resolve_layouts(measured: Layouts, settings: &PairSettings) -> Result<Layouts, String> {
    match settings.layouts {
        None => Ok(measured),
        Some(asked) if asked == measured || asked == Layouts::None => Ok(asked),
        Some(asked) => Err(format!(
            "its rounds were measured with --layouts {}, and --layouts {} asks for others: measure again",
            measured.name(),
            asked.name()
        )),
    }
}

const NO_COUNTS: &str =
    "`max_allocations` needs counts, and the stored run had no allocator that counts: measure with one";
const STOPPED_EARLY: &str =
    "the sequential judge chose when to stop by looking at these slots, so the p-value of welch is nominal";
const TOO_FEW: &str = "more of them may decide it: measure again";

/// Returns whether a live run with these settings would have measured on.
fn takes_more(measured: &Plan, resolved: &Plan, wants_more: bool, measurement: &mut Measurement) -> bool {
    let judgement = &mut measurement.judgement;
    let undecided = judgement.verdict == Some(Verdict::Inconclusive) && wants_more;
    let too_few = undecided && resolved != measured && resolved.judge == JudgeKind::Sequential;
    if too_few {
        // The time that it would take is reckoned from a limit which may not be what ended these slots.
        judgement.notes.retain(|note| !note.says_what_is_needed());
    }
    too_few
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::{
        Allocator, allocating, config, entry, equal, panicking, slower, stored_pairs, undecided,
    };
    use crate::record::{Doubt, Outcome, PairRecord};
    use crate::register::PairEntry;

    /// A live run as it is stored.
    fn live(line: &str, entries: &[PairEntry]) -> (StartRecord, Vec<StoredPair>) {
        let (start, pairs) = stored_pairs(line, entries);
        (start, pairs.into_iter().map(|(pair, _)| pair).collect())
    }

    fn settings(line: &str) -> PairSettings {
        config(line).pairs
    }

    fn replayed(line: &str, (start, pairs): &(StartRecord, Vec<StoredPair>)) -> Vec<PairRecord> {
        let judged = pairs.iter().map(|pair| pair_judged_again(pair, start, &settings(line)).unwrap().record);
        judged.collect()
    }

    fn sequential(entry: PairEntry) -> PairEntry {
        entry.judge(JudgeKind::Sequential).max_time(Duration::from_millis(100))
    }

    #[test]
    fn the_same_settings_give_the_same_records() {
        let entries = [
            entry("a", 1, equal),
            entry("b", 2, slower),
            sequential(entry("c", 3, slower)),
            sequential(entry("i", 9, slower)).ignore_below(5_000.0),
            sequential(entry("d", 4, undecided)).alpha(1e-9).beta(1e-9),
            sequential(entry("e", 5, equal)).report_only(true),
            entry("f", 6, panicking),
            entry("g", 7, equal).ignore("later"),
            sequential(entry("h", 8, equal)).max_difference(0.05),
        ];
        for line in ["", "--max-slowdown 7% --alpha 3%"] {
            let live = live(line, &entries);
            let records: Vec<PairRecord> = live.1.iter().map(|pair| pair.record.clone()).collect();
            assert_eq!(replayed("", &live), records, "{line}");
        }
    }

    #[test]
    fn a_failure_stays_in_doubt_whatever_the_margin() {
        let mut live = live("", &[sequential(entry("a", 1, slower))]);
        let pair = &mut live.1[0];
        pair.record = pair.record.clone().doubted(Some(Doubt::UNITS));
        let doubted = pair.record.clone();
        assert_eq!(replayed("", &live), std::slice::from_ref(&doubted));
        for (margin, outcome) in [("1%", Outcome::Inconclusive), ("20%", Outcome::Pass)] {
            let record = replayed(&format!("--max-slowdown {margin}"), &live).remove(0);
            assert_eq!((record.outcome(), record.doubt()), (outcome, doubted.doubt()), "{margin}");
        }
    }

    #[test]
    fn another_margin_another_verdict() {
        let live = live("", &[sequential(entry("a", 1, slower)), entry("b", 2, slower).min_speedup(2.0)]);
        let records = replayed("--max-slowdown 20%", &live);
        assert_eq!((live.1[0].record.outcome(), records[0].outcome()), (Outcome::Fail, Outcome::Pass));
        assert_eq!(records[0].gate.as_ref().unwrap().margin, 0.2);
        assert_eq!(records[1], live.1[1].record, "another gate stays");
    }

    #[test]
    fn another_limit_of_allocations_another_verdict() {
        let allocator = Allocator::new();
        let live = live("", &[entry("a", 1, allocating), entry("b", 2, allocating).max_allocations(0.1)]);
        drop(allocator);
        let outcomes =
            |line| -> Vec<Outcome> { replayed(line, &live).iter().map(PairRecord::outcome).collect() };
        assert_eq!(outcomes(""), [Outcome::Pass; 2]);
        assert_eq!(outcomes("--max-allocations 10%"), [Outcome::Pass; 2]);
        assert_eq!(outcomes("--max-allocations 9%"), [Outcome::Fail; 2]);
        assert_eq!(outcomes("--max-allocations 9% --report-only"), [Outcome::Measured; 2]);
        let records = replayed("", &live);
        assert_eq!(records, live.1.iter().map(|pair| pair.record.clone()).collect::<Vec<_>>());
    }

    #[test]
    fn a_limit_of_allocations_takes_counts() {
        let mut live = live("", &[entry("a", 1, allocating)]);
        let record = replayed("--max-allocations 10%", &live).remove(0);
        assert_eq!((record.outcome(), record.reason().as_deref()), (Outcome::Error, Some(NO_COUNTS)));
        // The run did not judge them either.
        live.1[0].source.no_counts_in_old = Some(true);
        let record = replayed("--max-allocations 10%", &live).remove(0);
        assert_eq!((record.outcome(), record.reason()), (Outcome::Pass, None));
    }

    #[test]
    fn a_flag_ignores_a_difference_of_any_pair() {
        let live = live("", &[sequential(entry("a", 1, slower)), sequential(entry("b", 2, equal))]);
        assert_eq!(
            live.1.iter().map(|pair| pair.record.outcome()).collect::<Vec<_>>(),
            [Outcome::Fail, Outcome::Pass]
        );
        for line in ["--ignore-below 5us", "--ignore-below 5us --layouts none"] {
            let records = replayed(line, &live);
            let of = |record: &PairRecord| (record.outcome(), record.passes_by_ignoring());
            assert_eq!(
                [of(&records[0]), of(&records[1])],
                [(Outcome::Pass, true), (Outcome::Pass, false)],
                "{line}"
            );
        }
    }

    #[test]
    fn alpha_is_shared_as_it_was() {
        let live = live("", &[entry("a", 1, equal), entry("b", 2, equal)]);
        let alpha = replayed("--alpha 4%", &live)[0].gate.as_ref().unwrap().alpha;
        assert!((alpha - 0.02).abs() < 1e-15, "{alpha}");
    }

    #[test]
    fn another_judge_says_what_it_is_worth() {
        let live = live("", &[sequential(entry("a", 1, slower)), entry("b", 2, slower)]);
        let welch = replayed("--judge welch", &live);
        assert_eq!(welch[0].judge, Word(JudgeKind::Welch));
        assert!(welch[0].of().welch.nominal && welch[0].notes.contains(&STOPPED_EARLY.to_owned()));
        assert_eq!(welch[1], live.1[1].record, "a fixed number of slots is what it wants");
        let sequential = replayed("--judge sequential", &live);
        assert_eq!(
            (sequential[1].outcome(), sequential[1].judge),
            (Outcome::Fail, Word(JudgeKind::Sequential))
        );
        assert!(sequential[1].of().duos < live.1[1].record.of().duos, "it stops as soon as it knows");
    }

    #[test]
    fn what_a_live_run_would_measure_on_for_is_told() {
        let live = live("", &[sequential(entry("a", 1, slower))]);
        let record = replayed("--alpha 0.000000000000000001", &live).remove(0);
        assert_eq!(record.outcome(), Outcome::Inconclusive);
        let reason = record.reason().unwrap();
        assert!(reason.starts_with("the stored run ended after "), "{reason}");
        assert!(!record.notes.iter().any(|note| note.contains("max_time")), "{:?}", record.notes);
    }

    #[test]
    fn more_slots_are_asked_for_only_where_the_judge_wants_them() {
        let open = live("--layouts none", &[sequential(entry("a", 1, undecided)).alpha(1e-9).beta(1e-9)]);
        let Measured { plan, rounds, .. } = open.1[0].measured().unwrap().unwrap();
        let mut again = judge_again(&plan, rounds).unwrap();
        assert!(again.wants_more && again.measurement.judgement.verdict == Some(Verdict::Inconclusive));
        let resolved = Plan { alpha: 1e-12, ..plan };
        let mut too_few = |wants_more| takes_more(&plan, &resolved, wants_more, &mut again.measurement);
        assert_eq!(
            [true, false].map(&mut too_few),
            [true, false],
            "a zone that the ratio is inside of is no end"
        );
    }

    #[test]
    fn figures_without_slots_are_no_stored_run() {
        let (start, mut pairs) = live("", &[entry("a", 1, equal)]);
        pairs[0].rounds.clear();
        let error = pair_judged_again(&pairs[0], &start, &settings("")).unwrap_err();
        assert_eq!(error, "a plan without slots");
        (pairs[0].source.plan, pairs[0].source.call_notes) = (None, None);
        let error = pair_judged_again(&pairs[0], &start, &settings("")).unwrap_err();
        assert_eq!(error, "not a stored run of bench_diff: a pair without its slots");
    }
}
