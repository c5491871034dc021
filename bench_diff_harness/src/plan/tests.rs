//! The settings of pairs from flags, attributes and defaults.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind};
use bench_diff_report::record::AllowedRecord;
use proptest::prelude::*;

use super::pair_plan::CPU_CLOCK_OF_THREADS;
use super::*;
use crate::fixture::{TARGET, config, entry, equal, listing, planned};
use crate::register::{Cases, PairEntry};

fn names(line: &str) -> Vec<String> {
    let entries =
        [entry("sort", 1, equal), entry("sort_by", 2, equal), entry("find", 3, equal).ignore("slow")];
    planned(line, &entries).pairs.into_iter().map(|pair| pair.listed.name).collect()
}

#[test]
fn a_filter_that_matches_nothing_is_told() {
    let warnings = |filter: &str| planned(filter, &[entry("a", 1, equal)]).warnings();
    let expected =
        "no pair matches the filter; 1 left out. A filter is a part of a name, and no regular expression";
    assert_eq!(warnings("^a$"), [expected]);
    assert!(warnings("a").is_empty());
}

#[test]
fn filters_select_as_in_libtest() {
    assert_eq!(names(""), ["sort", "sort_by", "find"]);
    assert_eq!(names("sort"), ["sort", "sort_by"]);
    assert_eq!(names("sort --exact"), ["sort"]);
    assert_eq!(names("by find"), ["sort_by", "find"]);
    assert_eq!(names("--skip sort"), ["find"]);
    assert_eq!(names("--skip sort --exact"), ["sort_by", "find"]);
    assert_eq!(names("--ignored"), ["find"]);
    assert_eq!(names("nothing"), [""; 0]);
}

#[test]
fn any_filter_may_be_for_functions_that_could_not_be_listed() {
    let failing = |cases: &mut Cases<'_>| {
        cases.add_named("json/a", 0, |_| {});
        panic!("no file");
    };
    let names = |line| {
        let plan = planned(line, &[entry("parsers", 1, failing), entry("find", 2, equal)]);
        plan.pairs.into_iter().map(|pair| pair.listed.name).collect::<Vec<_>>()
    };
    assert_eq!(names("json/b"), ["parsers"]);
    assert_eq!(names("json"), ["json/a", "parsers"]);
    assert_eq!(names("find --exact"), ["find"]);
    assert_eq!(names("find --skip parsers"), ["find"]);
}

#[test]
fn ignored_pairs_run_when_asked_for() {
    let ignored = |line| planned(line, &[entry("find", 3, equal).ignore("slow")]).pairs[0].ignored;
    assert_eq!(ignored(""), Some("slow"));
    assert_eq!(ignored("--ignored"), None);
    assert_eq!(ignored("--include-ignored"), None);
}

#[test]
fn a_flag_goes_before_the_attribute_and_that_before_the_default() {
    let plain = PairEntry::new(entry("a", 1, equal).location, "a", equal).baseline("a");
    let of = |line, entry| planned(line, &[entry]).pairs[0].plan;

    let default = of("", plain);
    assert_eq!((default.zone, default.judge), (Gate::MaxSlowdown(0.02).zone(), JudgeKind::Sequential));
    assert_eq!((default.alpha, default.beta), (0.01, 0.05));
    assert_eq!((default.max_time, default.warmup), (Duration::from_secs(2), Duration::from_millis(2)));
    assert_eq!((default.slots, default.clock), (2000, ClockPolicy::Auto));
    assert_eq!(default.max_rounds, Some(120));
    let welch = of("--judge welch", plain);
    assert_eq!((welch.judge, welch.warmup), (JudgeKind::Welch, Duration::from_secs(3)));
    assert_eq!(welch.max_rounds, None, "one process measures all of it");
    assert_eq!(of("--layouts none", plain).max_rounds, None);
    assert_eq!(of("", plain.layouts(Layouts::None)).max_rounds, None);
    assert_eq!(of("--layouts linked --max-rounds 60", plain.layouts(Layouts::None)).max_rounds, Some(60));

    let time = |line, entry| of(line, entry).max_time.as_secs();
    assert_eq!((time("--budget 5min", plain), time("--budget 5min --max-time 3s", plain)), (300, 3));
    assert_eq!(time("--budget 5min", plain.report_only(true)), 2, "it would keep others from a verdict");
    assert_eq!(time("--budget 5min --layouts none", plain), 2);

    let written = plain.max_slowdown(0.05).alpha(0.02).beta(0.1).slots(50).warmup(Duration::from_nanos(7));
    let written = written.max_time(Duration::from_nanos(6)).clock(ClockPolicy::Cpu).judge(JudgeKind::Welch);
    let attribute = of("", written);
    assert_eq!(attribute.zone, Gate::MaxSlowdown(0.05).zone());
    assert_eq!((attribute.max_time, attribute.clock), (Duration::from_nanos(6), ClockPolicy::Cpu));
    assert_eq!(attribute.judge, JudgeKind::Welch);
    assert_eq!((attribute.alpha, attribute.beta), (0.02, 0.1));
    assert_eq!((attribute.slots, attribute.warmup), (50, Duration::from_nanos(7)));

    let flag = of("--max-slowdown 3% --alpha 0.03 --judge sequential --max-time 9ns", written);
    assert_eq!(flag.zone, Gate::MaxSlowdown(0.03).zone());
    assert_eq!((flag.max_time, flag.alpha), (Duration::from_nanos(9), 0.03));
    assert_eq!(flag.judge, JudgeKind::Sequential);
    assert_eq!(
        of("--max-slowdown 3%", plain.min_speedup(2.0)).zone,
        Gate::MinSpeedup(2.0).zone(),
        "another gate stays"
    );
    assert_eq!(of("--report-only", plain.min_speedup(2.0)).zone, None);
}

#[test]
fn an_allowed_slowdown_raises_the_limit_of_a_slowdown_alone() {
    let allowed = Some(AllowedRecord { slowdown: 0.12, by: "3f2c9e1".to_owned() });
    let of = |line, entry: PairEntry| {
        let mut listing = listing(&[entry]);
        listing.pairs[0].allowed.clone_from(&allowed);
        let mut pairs = plan(&listing, &config(line), &TARGET, Seed(1), None, Repetition::of(&TARGET)).pairs;
        pairs.remove(0)
    };
    let plain = entry("a", 1, equal);
    let of_share = |share| Gate::MaxSlowdown(share).zone().map(|zone| zone.allowing(0.12));
    let pair = of("", plain.max_allocations(0.05));
    assert_eq!((pair.plan.zone, &pair.allowed), (of_share(0.02), &allowed));
    assert_eq!(pair.max_allocations, Some(0.05));
    assert_eq!(of("--max-slowdown 5%", plain).plan.zone, of_share(0.05));
    for gate in [Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02), Gate::ReportOnly] {
        let entry = match gate {
            Gate::MinSpeedup(times) => plain.min_speedup(times),
            Gate::MaxDifference(share) => plain.max_difference(share),
            _ => plain.report_only(true),
        };
        let pair = of("", entry);
        assert_eq!((pair.plan.zone, pair.allowed), (gate.zone(), None));
    }
}

#[test]
fn alpha_is_shared_by_all_gates_whatever_the_filter() {
    let entries = [
        entry("a", 1, equal),
        entry("b", 2, equal).ignore(""),
        entry("c", 3, equal).alpha(0.03),
        entry("d", 4, equal).report_only(true),
    ];
    for line in ["", "c", "--skip a"] {
        let plan = planned(line, &entries);
        let pair = plan.pairs.iter().find(|pair| pair.listed.name == "c").unwrap();
        assert!((pair.plan.alpha - 0.01).abs() < 1e-15, "{line}: {}", pair.plan.alpha);
    }
}

#[test]
fn the_coin_of_a_pair_does_not_depend_on_the_others() {
    let entries = [entry("a", 1, equal), entry("b", 2, equal)];
    let all = planned("--seed 8f3a", &entries);
    let one = planned("--seed 8f3a b --exact", &entries);
    assert_eq!(all.pairs[1].plan, one.pairs[0].plan);
    assert_ne!(all.pairs[0].plan.seed, all.pairs[1].plan.seed);
    assert_eq!(planned("", &entries).seed, Seed(1), "a fresh one where none is given");
}

#[test]
fn several_threads_are_timed_by_the_wall_clock() {
    let family = entry("a", 1, |cases| {
        cases.threads(&[1, 2]);
        equal(cases);
    });
    let planned = |entry| {
        let pairs = planned("", &[entry]).pairs;
        pairs.into_iter().map(|pair| (pair.plan.clock, pair.unmeasurable)).collect::<Vec<_>>()
    };
    assert_eq!(planned(family), [(ClockPolicy::Auto, None), (ClockPolicy::Wall, None)]);
    let on_wall = planned(family.clock(ClockPolicy::Wall));
    assert_eq!(on_wall, [(ClockPolicy::Wall, None), (ClockPolicy::Wall, None)]);
    let [one, two] = &planned(family.clock(ClockPolicy::Cpu))[..] else { panic!("two pairs") };
    assert_eq!(*one, (ClockPolicy::Cpu, None));
    assert_eq!(two.1.as_deref(), Some(CPU_CLOCK_OF_THREADS));
}

#[test]
fn what_cannot_gate_says_why() {
    let entries = [entry("a", 1, equal)];
    assert_eq!(planned("", &entries).unjudged, None);
    let debug = Target { debug: true, ..TARGET };
    let plan = plan(&listing(&entries), &config(""), &debug, Seed(1), None, Repetition::of(&debug));
    assert!(plan.unjudged.unwrap().contains("debug assertions"));
}

#[test]
fn too_few_rounds_for_a_verdict_are_refused() {
    let entries = |count: usize| -> Vec<_> {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let pair = |(line, name): (u32, &&'static str)| entry(name, line, equal).judge(JudgeKind::Sequential);
        (1..).zip(&names[..count]).map(pair).collect()
    };
    let refused = |line: &str, count: usize| {
        let config = config(line);
        plan(&listing(&entries(count)), &config, &TARGET, Seed(1), None, Repetition::of(&TARGET))
            .refuse_too_few()
            .err()
            .map(|error| error.0)
    };
    assert_eq!(
        refused("--max-rounds 5", 1).unwrap(),
        "invalid value '5' for '--max-rounds': `a` needs at least 8 rounds to be able to pass and to fail at its error rates"
    );
    let of_eight = refused("--max-rounds 9", 8).unwrap();
    assert!(of_eight.contains("`a` needs at least 11 rounds "), "{of_eight}");
    assert!(of_eight.ends_with(" at its error rates; 8 functions share alpha"), "{of_eight}");
    assert_eq!(refused("--max-rounds 9", 1), None);
    assert_eq!(refused("--max-rounds 1 --layouts none", 8), None);
    assert_eq!(refused("--max-rounds 1 --judge welch", 8), None);
    assert_eq!(refused("", 8), None);
    let of_manifest = planned("", &[entries(1)[0].max_rounds(5)]);
    let error = of_manifest.refuse_too_few().unwrap_err().0;
    assert!(error.starts_with("`max_rounds` in Cargo.toml: `a` needs at least 8 rounds "), "{error}");

    // Pairs that are proven have no share.
    let config = config("--max-rounds 9");
    let refused = |names: &[&str]| {
        let proofs = names.iter().map(|name| ((*name).to_owned(), Proof::same())).collect();
        let mut plan = plan(&listing(&entries(8)), &config, &TARGET, Seed(1), None, Repetition::of(&TARGET));
        plan.prove(&proofs);
        plan.refuse_too_few().err().map(|error| error.0)
    };
    assert_eq!(refused(&[]), Some(of_eight));
    assert_eq!(refused(&["a", "b", "c", "d", "e", "f"]), None);
}

/// A run of these pairs where those of these names are the same code.
fn with_same_code(line: &str, entries: &[PairEntry], names: &[&str]) -> RunPlan {
    let proofs = names.iter().map(|name| ((*name).to_owned(), Proof::same())).collect();
    let mut plan = planned(line, entries);
    plan.prove(&proofs);
    plan
}

#[test]
fn what_is_the_same_code_has_no_share_of_alpha_whichever_pairs_a_run_measures() {
    let entries = ["a", "b", "c", "d"].map(|name| entry(name, 1, equal).judge(JudgeKind::Sequential));
    let alpha = |line: &str, names: &[&str]| {
        let plan = with_same_code(line, &entries, names);
        (plan.pairs[0].plan.alpha * 1e6).round() / 1e4
    };
    for line in ["", "a", "--exact a", "--ignored"] {
        let ignored = line == "--ignored";
        let entries = entries.map(|entry| if ignored { entry.ignore("") } else { entry });
        let plan = with_same_code(line, &entries, &["b", "c"]);
        assert_eq!((plan.gated, plan.gated - plan.sharing()), (4, 2), "{line}");
        assert!((plan.pairs[0].plan.alpha - 0.005).abs() < 1e-12, "{line}");
    }
    assert_eq!(alpha("", &[]), 0.25);
    assert_eq!(alpha("", &["b"]), 0.3333);
    assert_eq!(alpha("--alpha 2%", &["b", "c", "d"]), 2.0);
    // The last one is measured for its latencies.
    assert_eq!(alpha("", &["a", "b", "c", "d"]), 1.0);
}

const NAMES: [&str; 8] = ["a", "ab", "abc", "b", "bc", "c", "ca", "d"];
const FILTERS: [&str; 8] =
    ["a", "b c", "--exact a", "--skip a", "--ignored", "--include-ignored", "--ignored b", "nothing"];

proptest! {
    #[test]
    fn what_can_fail_shares_alpha_whatever_is_proven_or_left_out(
        pairs in prop::collection::vec(any::<[bool; 3]>(), 1..=NAMES.len()),
        filter in prop::sample::select(FILTERS.to_vec()),
    ) {
        let named = || NAMES.into_iter().zip(&pairs);
        let of = |(name, &[is_ignored, is_reported, _]): (&'static str, &[bool; 3])| {
            let entry = entry(name, 1, equal).judge(JudgeKind::Sequential).report_only(is_reported);
            if is_ignored { entry.ignore("") } else { entry }
        };
        let entries: Vec<PairEntry> = named().map(of).collect();
        let same: Vec<&str> =
            named().filter(|(_, [_, _, is_same])| *is_same).map(|(name, _)| name).collect();
        let [all, run] = ["", filter].map(|line| with_same_code(line, &entries, &same));
        let sharing = pairs.iter().filter(|[_, is_reported, is_same]| !is_reported && !is_same).count();
        prop_assert_eq!([all.sharing(), run.sharing()], [sharing.max(1); 2]);

        let can_fail = |pair: &&PairPlan| {
            pair.plan.zone.is_some() && pair.ignored.is_none() && !pair.is_proven()
        };
        for run in [&all, &run] {
            let spent: f64 = run.pairs.iter().filter(can_fail).map(|pair| pair.plan.alpha).sum();
            prop_assert!(spent < 0.01 + 1e-12, "{}", spent);
        }
        for pair in &run.pairs {
            let in_all = all.pairs.iter().find(|other| other.listed.name == pair.listed.name).unwrap();
            prop_assert_eq!(pair.plan.alpha, in_all.plan.alpha);
        }
    }
}

#[test]
fn a_proof_decides_what_is_judged_in_any_place() {
    let sequential = |name| entry(name, 1, equal).judge(JudgeKind::Sequential);
    let entries = [
        sequential("gated"),
        sequential("reported").report_only(true),
        sequential("linked").layouts(Layouts::Linked),
        sequential("none").layouts(Layouts::None),
        entry("welch", 1, equal),
        sequential("ignored").ignore(""),
    ];
    let names = ["gated", "reported", "linked", "none", "welch", "ignored"];
    let plan = with_same_code("", &entries, &names);
    let proven: Vec<&str> =
        plan.pairs.iter().filter(|pair| pair.is_proven()).map(|pair| pair.listed.name.as_str()).collect();
    assert_eq!(proven, ["gated"]);
    assert_eq!(
        (plan.gated, plan.gated - plan.sharing()),
        (5, 2),
        "another run may measure what this one ignores"
    );
    assert!(plan.pairs.iter().all(|pair| pair.wants_layouts() == (pair.listed.name == "reported")));
}
