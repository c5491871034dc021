//! The work of a call: what the attribute says of it, where it is shown, and what is wrong with some.

use crate::fixture::{Ran, WORK, run};

/// As little as a test needs.
const QUICK: &str = "--layouts none --max-time 20ms --bench";

/// Name, bytes and items of each pair that could be measured.
fn amounts(ran: &Ran) -> Vec<(String, Option<u64>, Option<u64>)> {
    let records = ran.records().into_iter().filter(|record| record["outcome"] == "measured");
    let amounts = records.map(|record| {
        let name = record["name"].as_str().unwrap().to_owned();
        (name, record["bytes"].as_u64(), record["items"].as_u64())
    });
    amounts.collect()
}

#[test]
fn numbers_and_functions_of_every_shape_of_input() {
    let ran = run(WORK, &format!("numbers functions --format json {QUICK}")).ends_with(0);
    let amounts = amounts(&ran);
    let amounts: Vec<_> =
        amounts.iter().map(|(name, bytes, items)| (name.as_str(), *bytes, *items)).collect();
    assert_eq!(
        amounts,
        [
            ("numbers::literal", Some(4096), None),
            ("numbers::both", Some(4096), Some(1000)),
            ("numbers::on_threads/threads=2", Some(4096), None),
            ("numbers::of_instance<u8,16>", Some(16), Some(16)),
            ("numbers::of_instance<u16,16>", Some(32), Some(16)),
            ("functions::of_arg/1000", None, Some(1000)),
            ("functions::of_arg/2000", None, Some(2000)),
            ("functions::by_value/500", Some(4000), Some(500)),
            ("functions::by_ref/500", Some(4000), Some(500)),
            ("functions::of_an_arg_that_is_not_clone/abc", Some(3), None),
            ("functions::by_mut/500", Some(4096), Some(500)),
            ("functions::by_mut_dyn", None, Some(500)),
            ("functions::beside_a_state/500", None, Some(500)),
            ("functions::of_the_first_input", Some(100), None),
        ]
    );
}

#[test]
fn what_is_no_amount_is_an_error_before_anything_is_timed() {
    let ran = run(WORK, &format!("wrong {QUICK}")).ends_with(3).says("3 errors");
    let range = "but the work of one call must be between 1 and 18446744073709551615";
    let ran = ran.says(&format!("`items` is 0, {range}")).says(&format!("`bytes` is -990, {range}"));
    ran.says("panicked at tests/src/bin/work.rs:").says(": nobody knows");
    let ran = run(WORK, "").ends_with(101).says("test wrong::zero/0 ... FAILED");
    ran.says("test wrong::zero/1000 ... ok").says("; 3 failed;");
}
