//! The options of the attribute by their names, and which name was meant by one that is none of them.

use proc_macro2::Ident;
use syn::ext::IdentExt;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Baseline,
    Name,
    Args,
    Setup,
    SetupOnce,
    Types,
    Consts,
    Threads,
    MaxSlowdown,
    MinSpeedup,
    MaxDifference,
    ReportOnly,
    Judge,
    Alpha,
    Beta,
    MaxTime,
    Slots,
    Clock,
    Warmup,
    Layouts,
    Check,
    Ignore,
    Crate,
}

impl Key {
    const ALL: [Self; 23] = [
        Self::Baseline,
        Self::Name,
        Self::Args,
        Self::Setup,
        Self::SetupOnce,
        Self::Types,
        Self::Consts,
        Self::Threads,
        Self::MaxSlowdown,
        Self::MinSpeedup,
        Self::MaxDifference,
        Self::ReportOnly,
        Self::Judge,
        Self::Alpha,
        Self::Beta,
        Self::MaxTime,
        Self::Slots,
        Self::Clock,
        Self::Warmup,
        Self::Layouts,
        Self::Check,
        Self::Ignore,
        Self::Crate,
    ];

    pub(crate) fn of(ident: &Ident) -> syn::Result<Self> {
        let typed = ident.unraw().to_string();
        if let Some(key) = Self::ALL.into_iter().find(|key| key.name() == typed) {
            return Ok(key);
        }
        let message = if typed == "exec_count" {
            // What the original library calls it.
            format!("unknown option `{typed}`: it is called `slots`")
        } else if let Some(key) = nearest(&typed) {
            format!("unknown option `{typed}`; did you mean `{}`?", key.name())
        } else {
            format!("unknown option `{typed}`; the options are: {}", Self::ALL.map(Self::name).join(", "))
        };
        Err(syn::Error::new(ident.span(), message))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Name => "name",
            Self::Args => "args",
            Self::Setup => "setup",
            Self::SetupOnce => "setup_once",
            Self::Types => "types",
            Self::Consts => "consts",
            Self::Threads => "threads",
            Self::MaxSlowdown => "max_slowdown",
            Self::MinSpeedup => "min_speedup",
            Self::MaxDifference => "max_difference",
            Self::ReportOnly => "report_only",
            Self::Judge => "judge",
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::MaxTime => "max_time",
            Self::Slots => "slots",
            Self::Clock => "clock",
            Self::Warmup => "warmup",
            Self::Layouts => "layouts",
            Self::Check => "check",
            Self::Ignore => "ignore",
            Self::Crate => "crate",
        }
    }

    pub(crate) fn takes(self) -> &'static str {
        match self {
            Self::Baseline => "the path of a function, as in `baseline = module::function`",
            Self::Name => "a string, as in `name = \"sorting::unstable\"`",
            Self::Args => "values to iterate over, as in `args = [10, 1000]` or `args = SIZES`",
            Self::Setup => "the path of a function that makes an input, as in `setup = module::function`",
            Self::SetupOnce => {
                "the path of a function that makes a state, as in `setup_once = module::function`"
            }
            Self::Types => "a list of types, as in `types = [u8, Vec<u8>]`",
            Self::Consts => {
                "a list of constants or a const array, as in `consts = [1, 2]` or `consts = SIZES`"
            }
            Self::Threads => "whole numbers, as in `threads = [1, 4]` or `threads = 4`",
            Self::MaxSlowdown => "a percentage, as in `max_slowdown = \"2%\"`",
            Self::MinSpeedup => "a number, as in `min_speedup = 1.5`",
            Self::MaxDifference => "a percentage, as in `max_difference = \"2%\"`",
            Self::ReportOnly => "no value: write `report_only`",
            Self::Judge => "a string, as in `judge = \"sequential\"`",
            Self::Alpha => "an error rate, as in `alpha = 0.01` or `alpha = \"1%\"`",
            Self::Beta => "an error rate, as in `beta = 0.05` or `beta = \"5%\"`",
            Self::MaxTime => "a duration in ns, us, ms, s or min, as in `max_time = \"2s\"`",
            Self::Clock => "a string, as in `clock = \"auto\"`",
            Self::Slots => "a whole number, as in `slots = 2000`",
            Self::Warmup => "a duration in ns, us, ms, s or min, as in `warmup = \"2ms\"`",
            Self::Layouts => "a string, as in `layouts = \"auto\"`",
            Self::Check => {
                "`false`, or the path of a function that compares two outputs, as in `check = module::function`"
            }
            Self::Ignore => "no value: write `ignore`, or `#[ignore = \"reason\"]` on the function",
            Self::Crate => "the path of the harness, as in `crate = facade::bench_diff_harness`",
        }
    }

    pub(crate) fn is_gate(self) -> bool {
        matches!(self, Self::MaxSlowdown | Self::MinSpeedup | Self::MaxDifference | Self::ReportOnly)
    }
}

fn nearest(typed: &str) -> Option<Key> {
    let (distance, key) =
        Key::ALL.map(|key| (edits(typed, key.name()), key)).into_iter().min_by_key(|it| it.0)?;
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
