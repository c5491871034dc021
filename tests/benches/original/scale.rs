//! The two sizes of function that are studied.

use bench_diff_original::LatencyUnit;

/// A size of function, and how often it is executed.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) name: &'static str,
    pub(crate) unit: LatencyUnit,
    /// The turns of the work that take about as long as the name says.
    pub(crate) turns: u64,
    pub(crate) exec_count: usize,
}

pub(crate) const SCALES: [Scale; 2] = [
    Scale { name: "100us", unit: LatencyUnit::Nano, turns: 100_000, exec_count: 2_000 },
    Scale { name: "20ms", unit: LatencyUnit::Micro, turns: 20_000_000, exec_count: 200 },
];

impl Scale {
    /// The scale of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        SCALES.into_iter().find(|scale| scale.name == name)
    }
}
