//! What gungraun prints of counts under valgrind, for a run that is compared with a saved one.

use std::collections::BTreeMap;

/// The version of the library and of the program that starts valgrind, which have to be the same.
pub(crate) const GUNGRAUN: &str = "0.20.0";

/// The names that gungraun gives to what it counts.
pub(crate) const INSTRUCTIONS: &str = "Instructions";
pub(crate) const CYCLES: &str = "Estimated Cycles";

/// The newer count over the older one, by function and by what was counted.
pub(crate) type Counts = BTreeMap<(String, &'static str), f64>;

/// Reads a block for each function: `counts::all::misses`, then `  Instructions: 1734|1700 (+2.0%)`.
pub(crate) fn read(text: &str) -> Counts {
    let mut counts = Counts::new();
    let mut function = "";
    for line in text.lines() {
        match line.trim().split_once(": ") {
            Some((name, rest)) if line.starts_with(' ') => {
                let what = [INSTRUCTIONS, CYCLES].into_iter().find(|what| *what == name);
                let numbers: Option<Vec<f64>> = rest
                    .split_whitespace()
                    .next()
                    .and_then(|pair| pair.split('|').map(|one| one.parse().ok()).collect());
                if let (Some(what), Some([new, old])) = (what, numbers.as_deref()) {
                    counts.insert((function.to_owned(), what), new / old);
                }
            }
            _ if !line.starts_with(' ') => {
                let path = line.split_whitespace().next().unwrap_or_default();
                function = path.rsplit("::").next().unwrap_or_default();
            }
            _ => {}
        }
    }
    counts
}
