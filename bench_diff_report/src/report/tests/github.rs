//! The reports to a job on GitHub.

use super::*;
use crate::report::destination::Destination;
use crate::report::github::{Annotations, Sources};
use crate::report::markdown;
use crate::report::whole_run::AtEnd;

fn annotations(plan: &Planned, records: &[PairRecord]) -> Vec<String> {
    let mut out = Vec::new();
    let sources = Sources { package: "/absent".into(), repository: None };
    let mut sink = Annotations::new(&mut out, sources);
    let start = plan.started(a_machine());
    sink.event(&Event::RunStarted(&start)).unwrap();
    for record in records {
        sink.event(&Event::PairFinished { record, rounds: &[] }).unwrap();
    }
    sink.event(&Event::RunFinished(&RunRecord::default())).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn what_did_not_pass_is_annotated() {
    let plan = a_plan();
    let lines = annotations(&plan, &records(&plan));
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        "::error file=benches/sorting.rs,line=11,title=bench_diff%3A sort%3A%3Aslow failed::\
         measured: 5.1 %25 slower; 21.02 us per call against 20.00 us%0A\
         limit:    2 %25 slower (max_slowdown); a failure proves more than 1 %25%0A\
         repeat:   cargo bench -p my_package@1.2.0 --bench sorting -- --exact sort::slow --max-time 2s --seed 0000000000008f3a"
    );
    assert!(lines[1].starts_with(
        "::warning file=benches/sorting.rs,line=12,title=bench_diff%3A find is inconclusive::too noisy"
    ));
    assert!(lines[2].starts_with(
        "::error file=benches/sorting.rs,line=13,title=bench_diff%3A broken could not be measured::panicked at"
    ));
}

#[test]
fn an_inconclusive_pair_is_an_error_of_a_strict_run() {
    let mut plan = planned("--strict ", &[entry("a", 1)]);
    plan.start.strict = true;
    let open = measured(&plan, 0, Outcome::Inconclusive, 1.0, 0.5);
    assert!(annotations(&plan, &[open])[0].starts_with("::error file=benches/sorting.rs,line=1,"));
}

#[test]
fn the_summary_stands_behind_what_others_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.md");
    fs::write(&path, "# Built\n").unwrap();
    let plan = a_plan();
    let (start, records) = (plan.started(a_machine()), records(&plan));
    let mut sink = AtEnd {
        destination: Destination::end_of(&path).unwrap(),
        document: markdown::document,
        run: WholeRun::default(),
    };
    let mut emit = |event: &Event<'_>| {
        sink.event(event).unwrap();
        fs::read_to_string(&path).unwrap()
    };
    assert_eq!(emit(&Event::RunStarted(&start)), "# Built\n");
    for record in &records {
        assert_eq!(emit(&Event::PairFinished { record, rounds: &[] }), "# Built\n");
    }
    let text = emit(&Event::RunFinished(&RunRecord::of(&start, &outcomes(&records), 1.0)));
    assert!(text.starts_with("# Built\n### `my_package::sorting`\n\n**1 passed, 1 failed, "), "{text}");
    assert_eq!(text.matches("\n### ").count(), 1);
    assert!(text.ends_with('\n'));
}
