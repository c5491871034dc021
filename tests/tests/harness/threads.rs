//! Functions that several threads call at the same time.

use crate::fixture::{THREADS, run};

#[test]
fn the_number_of_threads_ends_the_name() {
    run(THREADS, "--list --format terse").lists(include_str!("lists/threads.txt"));
}

#[test]
fn a_test_runs_on_one_thread() {
    let ran = run(THREADS, "").ends_with(101).says("test wrong::worker_panics/threads=3 ... ok");
    ran.says("test wrong::worker_returns_err/threads=2 ... ok").says("18 passed; 2 failed;");
}

/// In one process: where the cores have other work, a dozen rounds of threads that wait for each other take
/// long.
#[test]
fn every_shape_is_measured_on_threads() {
    let line = "--format json --max-slowdown 10000% --max-time 500ms --layouts none --skip wrong --skip locked --bench";
    let records = run(THREADS, line).ends_with(0).records();
    assert_eq!(records.len(), 12);
    for record in &records {
        // On a busy machine the threads wait for cores, and most of a slot may be that.
        assert!(record["outcome"] == "pass" || record["outcome"] == "inconclusive", "{record}");
        let is_alone = record["name"] == "without_input/threads=1";
        assert!(is_alone || record["clock"] == "wall", "{record}");
        assert!(
            record["notes"].to_string().contains("a slot lasts until the last thread is done"),
            "{record}"
        );
    }
}

/// The functions count who is inside: how long they take depends on who else uses the machine.
#[test]
fn the_threads_of_a_slot_call_at_the_same_time() {
    let two = run(THREADS, "--exact locked/threads=2 --format json --bench").ends_with(0);
    let record = &two.records()[0];
    assert!(record["candidate"]["min"].as_f64() >= Some(40e6), "a slot ends with the last thread: {record}");
    let two = two.complains("2 at once in sleep\n").complains("1 at once in locked\n");
    assert!(!two.stderr.contains("2 at once in locked"), "{}", two.stderr);
    let alone = run(THREADS, "--exact locked/threads=1 --format json --bench").ends_with(0);
    let alone = alone.complains("1 at once in sleep\n");
    assert!(!alone.stderr.contains("2 at once"), "{}", alone.stderr);
}

#[test]
fn what_goes_wrong_on_one_thread_ends_its_pair_and_no_other() {
    let ran = run(THREADS, "wrong --bench").ends_with(3).says("5 errors, ");
    assert!(!ran.stdout.contains(" failed, "), "{}", ran.stdout);
    let ran = ran.says("threads.rs:148:9: not on the main thread").says(":155:9: only on the main thread");
    let ran = ran.says("the candidate returned an error: not on this thread");
    ran.says("the CPU clock sees one thread only").says("the outputs differ");
}
