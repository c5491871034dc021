//! The options of the attribute by their names, and which name was meant by one that is none of them.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// Declares the options, a row for each: its name, and what it takes, as a message says it.
macro_rules! keys {
    ($($key:ident, $name:literal: $takes:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Key {
            $($key,)*
        }

        impl Key {
            const ALL: &[Self] = &[$(Self::$key,)*];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                }
            }

            pub(crate) fn takes(self) -> &'static str {
                match self {
                    $(Self::$key => $takes,)*
                }
            }
        }
    };
}

keys! {
    Baseline, "baseline": "the path of a function, as in `baseline = module::function`";
    Name, "name": "a string, as in `name = \"sorting::unstable\"`";
    Args, "args": "values to iterate over, as in `args = [10, 1000]` or `args = SIZES`";
    Setup, "setup": "the path of a function that makes an input, as in `setup = module::function`";
    SetupOnce, "setup_once": "the path of a function that makes a state, as in `setup_once = module::function`";
    Types, "types": "a list of types, as in `types = [u8, Vec<u8>]`";
    Consts, "consts": "a list of constants or a const array, as in `consts = [1, 2]` or `consts = SIZES`";
    Threads, "threads": "whole numbers, as in `threads = [1, 4]` or `threads = 4`";
    MaxSlowdown, "max_slowdown": "a percentage, as in `max_slowdown = \"2%\"`";
    MinSpeedup, "min_speedup": "a number, as in `min_speedup = 1.5`";
    MaxDifference, "max_difference": "a percentage, as in `max_difference = \"2%\"`";
    MaxTail, "max_tail": "a number above 1, as in `max_tail = 2.0`";
    MaxAllocations, "max_allocations": "a percentage, as in `max_allocations = \"0%\"`";
    IgnoreBelow, "ignore_below": "a time in ns, us, ms, s or min, as in `ignore_below = \"1ns\"`";
    ReportOnly, "report_only": "no value: write `report_only`";
    Judge, "judge": "a string, as in `judge = \"sequential\"`";
    Alpha, "alpha": "an error rate, as in `alpha = 0.01` or `alpha = \"1%\"`";
    Beta, "beta": "an error rate, as in `beta = 0.05` or `beta = \"5%\"`";
    MaxTime, "max_time": "a duration in ns, us, ms, s or min, as in `max_time = \"2s\"`";
    Slots, "slots": "a whole number, as in `slots = 2000`";
    Clock, "clock": "a string, as in `clock = \"auto\"`";
    Warmup, "warmup": "a duration in ns, us, ms, s or min, as in `warmup = \"2ms\"`";
    Layouts, "layouts": "a string, as in `layouts = \"auto\"`";
    Bytes, "bytes": "a whole number or a function of the input, as in `bytes = 4096` or `bytes = |input| input.len()`";
    Items, "items": "a whole number or a function of the input, as in `items = 1000` or `items = |input| input.len()`";
    Check, "check": "`false`, or the path of a function that compares two outputs, as in `check = module::function`";
    Ignore, "ignore": "no value: write `ignore`, or `#[ignore = \"reason\"]` on the function";
    Crate, "crate": "the path of the harness, as in `crate = facade::bench_diff_harness`";
}

impl Key {
    pub(crate) fn of(ident: &Ident) -> syn::Result<Self> {
        let typed = ident.unraw().to_string();
        if let Some(key) = Self::ALL.iter().find(|key| key.name() == typed) {
            return Ok(*key);
        }
        let message = if let Some((_, instead)) = FOREIGN.iter().find(|(names, _)| names.contains(&&*typed)) {
            format!("unknown option `{typed}`: {instead}")
        } else if let Some(key) = nearest(&typed) {
            format!("unknown option `{typed}`; did you mean `{}`?", key.name())
        } else {
            let names: Vec<&str> = Self::ALL.iter().map(|key| key.name()).collect();
            format!("unknown option `{typed}`; the options are: {}", names.join(", "))
        };
        Err(syn::Error::new(ident.span(), message))
    }

    pub(crate) fn is_gate(self) -> bool {
        matches!(self, Self::MaxSlowdown | Self::MinSpeedup | Self::MaxDifference | Self::ReportOnly)
    }
}

/// Options of other harnesses, and what does here what they do there.
const FOREIGN: [(&[&str], &str); 8] = [
    // What the original library calls it.
    (&["exec_count"], "it is called `slots`"),
    (
        &["sample_count", "sample_size"],
        "`slots` with `judge = \"welch\"`; `sequential` takes as many as it needs",
    ),
    (&["measurement_time", "max_duration"], "it is called `max_time`"),
    (&["warm_up_time", "min_time"], "it is called `warmup`"),
    (&["noise_threshold", "threshold"], "it is called `max_slowdown`"),
    (&["bytes_count", "BytesCount"], "it is called `bytes`"),
    (&["items_count", "ItemsCount", "chars_count", "CharsCount"], "it is called `items`"),
    (
        &["throughput", "Throughput", "counter", "counters"],
        "the work of one call is `bytes = number` or `items = number`",
    ),
];

fn nearest(typed: &str) -> Option<Key> {
    let (distance, key) =
        Key::ALL.iter().map(|key| (edits(typed, key.name()), *key)).min_by_key(|it| it.0)?;
    (distance <= key.name().len() / 3).then_some(key)
}

fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.chars().enumerate() {
            let substituted = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.chars().count()]
}
