//! The names of the options, and hints for names that are not options.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// An option: its name, and the expected value as messages describe it.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) takes: &'static str,
}

/// The expected value of a setting that the harness parses.
const TEXT: &str = "a number, or a value in quotes";

const OPTIONS: [(&str, &str); 27] = [
    ("baseline", "the path of a function, as in `baseline = module::function`"),
    ("name", "a string, as in `name = \"sorting::unstable\"`"),
    ("args", "values to iterate over, as in `args = [10, 1000]` or `args = SIZES`"),
    ("setup", "the path of a function that makes an input, as in `setup = module::function`"),
    ("setup_once", "the path of a function that makes a state, as in `setup_once = module::function`"),
    ("types", "a list of types, as in `types = [u8, Vec<u8>]`"),
    ("consts", "a list of constants, as in `consts = [1, 2]`"),
    ("threads", "whole numbers, as in `threads = [1, 4]` or `threads = 4`"),
    ("max_slowdown", TEXT),
    ("min_speedup", TEXT),
    ("max_difference", TEXT),
    ("max_allocations", TEXT),
    ("ignore_below", TEXT),
    ("report_only", "no value: write `report_only`"),
    ("judge", TEXT),
    ("alpha", TEXT),
    ("beta", TEXT),
    ("max_time", TEXT),
    ("slots", TEXT),
    ("clock", TEXT),
    ("warmup", TEXT),
    ("layouts", TEXT),
    (
        "bytes",
        "a whole number or a function of the input, as in `bytes = 4096` or `bytes = |input| input.len()`",
    ),
    (
        "items",
        "a whole number or a function of the input, as in `items = 1000` or `items = |input| input.len()`",
    ),
    (
        "check",
        "`false`, or the path of a function that compares two outputs, as in `check = module::function`",
    ),
    ("ignore", "no value: write `ignore`, or `#[ignore = \"reason\"]` on the function"),
    ("crate", "the path of the harness, as in `crate = facade::bench_diff_harness`"),
];

impl Key {
    pub(crate) fn of(ident: &Ident) -> syn::Result<Self> {
        let typed = ident.unraw().to_string();
        if let Some((name, takes)) = OPTIONS.iter().find(|(name, _)| *name == typed) {
            return Ok(Self { name, takes });
        }
        let foreign = FOREIGN.iter().find(|(names, _)| names.contains(&&*typed));
        let meant = OPTIONS.iter().find(|(name, _)| is_slip(&typed, name));
        let instead = match (foreign, meant) {
            (Some((_, instead)), _) => (*instead).to_owned(),
            (None, Some((name, _))) => format!("did you mean `{name}`?"),
            (None, None) => format!("the options are {}", OPTIONS.map(|(name, _)| name).join(", ")),
        };
        Err(syn::Error::new(ident.span(), format!("unknown option `{typed}`: {instead}")))
    }

    /// Returns whether the option needs two functions.
    pub(crate) fn compares(self) -> bool {
        let of_two = ["min_speedup", "max_difference", "max_allocations", "judge", "slots", "check"];
        of_two.contains(&self.name)
    }

    pub(crate) fn is_gate(self) -> bool {
        ["max_slowdown", "min_speedup", "max_difference", "report_only"].contains(&self.name)
    }
}

/// Returns whether at most two letters next to each other differ, and at most one in three.
fn is_slip(typed: &str, name: &str) -> bool {
    let is_like = |(one, other): &(u8, u8)| one == other;
    let begin = typed.bytes().zip(name.bytes()).take_while(is_like).count();
    let end = typed.bytes().rev().zip(name.bytes().rev()).take_while(is_like).count();
    typed.len().max(name.len()) <= begin + end + (name.len() / 3).min(2)
}

/// Options of other harnesses, with their counterparts here.
const FOREIGN: [(&[&str], &str); 8] = [
    // The name in the original library.
    (&["exec_count"], "it is called `slots`"),
    (
        &["sample_count", "sample_size"],
        "`slots` with `judge = \"welch\"`; `sequential` takes as many as it needs",
    ),
    (&["measurement_time", "max_duration"], "it is called `max_time`"),
    (&["warm_up_time"], "it is called `warmup`"),
    (&["noise_threshold", "threshold"], "it is called `max_slowdown`"),
    (&["bytes_count", "BytesCount"], "it is called `bytes`"),
    (&["items_count", "ItemsCount", "chars_count", "CharsCount"], "it is called `items`"),
    (
        &["throughput", "Throughput", "counter", "counters"],
        "the work of one call is `bytes = number` or `items = number`",
    ),
];
