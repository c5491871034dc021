//! What an axis shows: round numbers along it, and the limits of a gate.

use crate::record::{GateKind, GateRecord};
use crate::text::numbers;

/// A place on an axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) text: String,
}

/// The length of an axis of logarithms above which its labels are multiples instead of percent.
const TIMES_FROM: f64 = 1.1;

/// Ticks for ratios: the logarithms of round changes, about `most` at most.
pub(crate) fn changes([low, high]: [f64; 2], most: usize) -> Vec<Tick> {
    if high - low > TIMES_FROM {
        return times([low, high], most);
    }
    let percent = |ln: f64| ln.exp_m1() * 100.0;
    let (values, digits) = round([percent(low), percent(high)], most);
    let mut ticks = Vec::new();
    for percent in values {
        let text = if percent == 0.0 { "0 %".to_owned() } else { format!("{percent:+.digits$} %") };
        ticks.push(Tick { value: (percent / 100.0).ln_1p(), text: text.replace('-', MINUS) });
    }
    ticks
}

/// A minus sign as wide as a plus.
const MINUS: &str = "\u{2212}";

/// Round ratios, from no change outwards.
pub(crate) const SLOWER: [f64; 15] =
    [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
pub(crate) const FASTER: [f64; 15] =
    [0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];

/// A round ratio as text: a change in percent, or from a factor of two on a multiple.
pub(crate) fn label(ratio: f64) -> String {
    let percent = format!("{:+.0} %", (ratio - 1.0) * 100.0).replace('-', MINUS);
    if (0.5..2.0).contains(&ratio) { percent } else { format!("{ratio}x") }
}

fn times(range: [f64; 2], most: usize) -> Vec<Tick> {
    let mut ticks = Vec::new();
    for ratio in decades(range, most) {
        let text = if (1e-3..1e4).contains(&ratio) { format!("{ratio:.3}") } else { format!("{ratio:.0e}.") };
        let text = text.trim_end_matches('0').trim_end_matches('.');
        ticks.push(Tick { value: ratio.ln(), text: format!("{text}x") });
    }
    ticks
}

/// Ticks for latencies in nanoseconds, on a logarithmic axis.
pub(crate) fn latencies([low, high]: [f64; 2], most: usize) -> Vec<Tick> {
    let is_long = high - low > 8_f64.ln();
    let values = if is_long { decades([low, high], most) } else { round([low.exp(), high.exp()], most).0 };
    let tick = |value: f64| Tick { value: value.ln(), text: trimmed(&numbers::latency(value)) };
    values.into_iter().map(tick).collect()
}

/// Powers of ten between two logarithms, about `most` at most, and twice and five times each if there is
/// room.
fn decades([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let [first, last] = [low, high].map(|end| end / std::f64::consts::LN_10);
    let mantissas: &[f64] = if last - first < most as f64 / 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let step = ((last - first) / most as f64).ceil().max(1.0);
    let powers = steps((first / step).floor() * step, last, step);
    let values = powers
        .into_iter()
        .flat_map(|power| mantissas.iter().map(move |mantissa| mantissa * 10_f64.powf(power)));
    values.filter(|value| (low..=high).contains(&value.ln())).collect()
}

/// Removes trailing zeros: `20.00 us` becomes `20 us`.
fn trimmed(latency: &str) -> String {
    match latency.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => latency.to_owned(),
    }
}

/// About `most` round numbers between two, and the decimals that distinguish them.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few digits")]
fn round([low, high]: [f64; 2], most: usize) -> (Vec<f64>, usize) {
    let rough = (high - low) / most as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let digits = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
    (steps((low / step).ceil() * step, high, step), digits)
}

/// The numbers from `from` to `to`, both included.
fn steps(from: f64, to: f64, step: f64) -> Vec<f64> {
    /// More than any axis has.
    const MOST: u32 = 64;

    // A sum of steps would miss 0 by a little.
    let values = (0..MOST).map(|number| ((from + f64::from(number) * step) / step).round() * step);
    values.take_while(|value| *value <= to + step * 1e-9).collect()
}

/// The contrast of a candidate that takes no time at all. No scale shows a bound so far away.
const NOTHING: f64 = -20.0;

/// A limit and the two ends of its zone, as logarithms of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    pub(crate) at: f64,
    pub(crate) zone: [f64; 2],
}

impl Limit {
    fn of(kind: GateKind, lo: f64, hi: f64) -> Self {
        let at = match kind {
            GateKind::MinSpeedup => lo,
            // A margin of 2 % has a zone from 1 to 3 %.
            _ => ((lo.exp_m1() + hi.exp_m1()) / 2.0).ln_1p(),
        };
        Self { at, zone: [lo.min(hi), lo.max(hi)] }
    }

    /// The ends of the zone that a scale has to show.
    pub(crate) fn in_sight(self) -> impl Iterator<Item = f64> {
        self.zone.into_iter().filter(|bound| *bound > NOTHING)
    }
}

/// The limits of a gate: one, or one on either side of no change.
pub(crate) fn limits(gate: Option<&GateRecord>) -> Vec<Limit> {
    let Some(GateRecord { kind, lo, hi, lo2, hi2, .. }) = gate else { return Vec::new() };
    let faster = lo2.zip(*hi2);
    [Some((*lo, *hi)), faster].into_iter().flatten().map(|(lo, hi)| Limit::of(*kind, lo, hi)).collect()
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Gate;

    use super::*;
    use crate::text::phrase::tests::gate;

    fn texts(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn changes_are_round() {
        assert_eq!(texts(changes([-0.011, 0.035], 4)), ["0 %", "+2 %"]);
        assert_eq!(texts(changes([-0.0021, 0.0011], 4)), ["\u{2212}0.2 %", "\u{2212}0.1 %", "0 %", "+0.1 %"]);
        assert_eq!(texts(changes([-0.8, 1.7], 8)), ["0.5x", "1x", "2x", "5x"]);
        assert_eq!(texts(changes([0.0, 20.0], 4)), ["1x", "1000x", "1e6x"]);
        for tick in changes([-0.011, 0.035], 4) {
            assert!((-0.011..=0.035).contains(&tick.value));
        }
    }

    #[test]
    fn latencies_are_round() {
        let of = |low: f64, high: f64| texts(latencies([low.ln(), high.ln()], 4));
        assert_eq!(of(19_900.0, 21_300.0), ["20 us", "20.5 us", "21 us"]);
        assert_eq!(of(1.0, 1.1e9), ["1 ns", "1 us", "1 ms", "1 s"]);
        assert_eq!(of(8.0, 120.0), ["10 ns", "20 ns", "50 ns", "100 ns"]);
    }

    #[test]
    fn a_limit_is_the_one_that_the_user_wrote() {
        let at = |of| limits(Some(&gate(of))).iter().map(|limit| limit.at.exp()).collect::<Vec<_>>();
        let is_near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 3e-4), "{found:?}");
        };
        is_near(at(Gate::MaxSlowdown(0.02)), &[1.02]);
        is_near(at(Gate::MinSpeedup(5.0)), &[0.2]);
        is_near(at(Gate::MaxDifference(0.02)), &[1.02, 1.0 / 1.02]);
        assert_eq!(limits(None), []);
    }
}
