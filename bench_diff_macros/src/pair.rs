use proc_macro2::Ident;
use syn::{Attribute, Expr, Path};

/// An attribute and its function after every check: nothing in here can be wrong any more.
pub(crate) struct Pair {
    pub(crate) harness: Path,
    pub(crate) candidate: Ident,
    pub(crate) baseline: Expr,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) options: Options,
}

#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<String>,
    pub(crate) gate: Option<Gate>,
    pub(crate) judge: Option<Judge>,
    pub(crate) alpha: Option<f64>,
    pub(crate) beta: Option<f64>,
    pub(crate) max_time_ns: Option<u64>,
    pub(crate) exec_count: Option<u64>,
    pub(crate) clock: Option<Clock>,
    pub(crate) warmup_ns: Option<u64>,
    pub(crate) ignore: Option<String>,
}

pub(crate) enum Gate {
    MaxSlowdown(f64),
    MinSpeedup(f64),
    MaxDifference(f64),
    ReportOnly,
}

#[derive(Clone, Copy)]
pub(crate) enum Judge {
    Sequential,
    Welch,
}

#[derive(Clone, Copy)]
pub(crate) enum Clock {
    Auto,
    Cpu,
    Wall,
}
