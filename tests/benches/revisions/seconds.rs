//! The time of a run of twenty-two functions whose rounds lie close together, of which some have changed.

use std::error::Error;
use std::time::Instant;

use crate::median::median;
use crate::records::{place, records};
use crate::repository::Repository;
use crate::source::Source;
use crate::ways::Way;
use crate::{AGAINST, commit};

const FUNCTIONS: usize = 22;

pub(crate) fn study(repository: &Repository, runs: usize) -> Result<(), Box<dyn Error>> {
    let way = Way::of_variant(0);
    println!(
        "| changed of {FUNCTIONS} | more work | runs | seconds of a run | failed | passed | open |\n|---|---|---|---|---|---|---|"
    );
    for changed in [1, FUNCTIONS] {
        for percent in [0, 5] {
            let revision =
                |changed| Source { library: library(changed, percent), ..Source::new(way, "1000") };
            commit(repository, &[revision(0), revision(changed)])?;
            // The first run compiles.
            records(&mut repository.bench(AGAINST))?;
            let (mut seconds, mut outcomes) = (Vec::new(), [0; 3]);
            for _ in 0..runs {
                let start = Instant::now();
                let pairs = records(&mut repository.bench(AGAINST))?;
                seconds.push(start.elapsed().as_secs_f64());
                for pair in pairs.iter().filter(|pair| pair["same_code"] != true) {
                    outcomes[place(pair)?] += 1;
                }
            }
            let [failed, passed, open] = outcomes;
            println!(
                "| {changed} | {percent} % | {runs} | {:.2} | {failed} | {passed} | {open} |",
                median(&seconds).unwrap_or_default()
            );
        }
    }
    Ok(())
}

/// Chains of a few cycles for each number. So many of the functions have a check that never holds, and so
/// much more work.
fn library(changed: usize, percent: usize) -> String {
    let function = |number: usize| {
        let (check, percent) = match number < changed {
            true => ("    if numbers.len() == 10_000_019 {\n        return numbers[19];\n    }\n", percent),
            false => ("", 0),
        };
        let (count, odd) = ((500 + 20 * number) * (100 + percent) / 100, 2 * number + 3);
        format!(
            "\n/// A chain.\n#[inline(never)]\npub fn chain_{number}(numbers: &[u64]) -> u64 {{\n{check}    \
             numbers[..{count}].iter().fold({number}, |state, number| (state ^ number).wrapping_mul({odd}).rotate_left(7))\n}}\n"
        )
    };
    let numbers = "//! Functions whose speed hardly depends on their place.\n\n/// Numbers without a pattern.\n\
        pub fn numbers(count: usize) -> Vec<u64> {\n    \
        (0..count as u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()\n}\n";
    (0..FUNCTIONS).map(function).fold(numbers.to_owned(), |library, function| library + &function)
}
