//! Numbers as text.

pub(crate) use bench_diff_system::text::share;

use crate::record::IntervalRecord;

/// The decimals of a number, by the first of these bounds that it is below; 0 if there is none.
fn decimals(number: f64, bounds: &[(f64, usize)]) -> usize {
    bounds.iter().find(|(bound, _)| number.abs() < *bound).map_or(0, |(_, decimals)| *decimals)
}

const PERCENT: [(f64, usize); 2] = [(0.095, 2), (99.95, 1)];

/// Digits of a ratio, so that a difference of a hundredth of a percent shows.
pub(crate) fn ratio(ratio: f64) -> String {
    if ratio == 0.0 {
        "0".to_owned()
    } else if ratio < 0.001 {
        format!("{ratio:.1e}")
    } else {
        format!("{ratio:.0$}", decimals(ratio, &[(10.0, 4), (1000.0, 2)]))
    }
}

/// The two ends of an interval of the ratio.
pub(crate) fn interval(IntervalRecord { low, high, .. }: IntervalRecord) -> String {
    let end = |end: Option<f64>, infinite: &str| end.map_or_else(|| infinite.to_owned(), ratio);
    format!("[{}, {}]", end(low, "0"), end(high, "inf"))
}

/// The two ends of an interval of the ratio as changes in percent: `[-0.9, +0.7]`.
pub(crate) fn changes(IntervalRecord { low, high, .. }: IntervalRecord) -> String {
    let end = |end: Option<f64>, infinite: &str| end.map_or_else(|| infinite.to_owned(), change_of);
    format!("[{}, {}]", end(low, "-100"), end(high, "inf"))
}

/// A ratio as a change in percent, with its sign.
pub(crate) fn change_of(ratio: f64) -> String {
    change((ratio - 1.0) * 100.0)
}

/// A change in percent, with its sign.
pub(crate) fn change(percent: f64) -> String {
    if percent.abs() < 0.005 {
        "0.00".to_owned()
    } else if percent < 9_999.5 {
        format!("{percent:+.0$}", decimals(percent, &PERCENT))
    } else {
        format!("{percent:+.0e}")
    }
}

/// A factor: `8.06x`, `12.3x`.
pub(crate) fn times(factor: f64) -> String {
    if factor == 0.0 {
        "0x".to_owned()
    } else if factor.is_infinite() {
        "inf".to_owned()
    } else if factor < 99_999.5 {
        format!("{factor:.0$}x", decimals(factor, &[(9.995, 2), (99.95, 1)]))
    } else {
        format!("{factor:.0e}x")
    }
}

/// A share as a percentage: `3.2 %`, with more digits where it is small.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    format!("{percent:.0$} %", decimals(percent, &PERCENT))
}

/// A share as a percentage, unless it is too small for one.
pub(crate) fn small_share(rate: f64) -> String {
    if rate < 1e-5 { format!("{rate:.0e}") } else { share(rate) }
}

/// A p-value.
pub(crate) fn p_value(p: f64) -> String {
    if p < 1e-99 {
        "<1e-99".to_owned()
    } else if p < 0.001 {
        format!("{p:.0e}")
    } else {
        format!("{p:.3}")
    }
}

/// A length of time.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 9.95 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// A latency, from nanoseconds.
pub(crate) fn latency(nanoseconds: f64) -> String {
    // 1000 of a unit, after rounding, is 1 of the next.
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let unit = units.into_iter().find(|(scale, _)| nanoseconds >= 0.99995 * scale);
    let (scale, unit) = unit.unwrap_or((1.0, "ns"));
    let number = nanoseconds / scale;
    format!("{number:.0$} {unit}", decimals(number, &[(9.9995, 3), (99.995, 2), (f64::INFINITY, 1)]))
}

/// The known work of a call as rates, for each of these latencies in nanoseconds.
pub(crate) fn rates(bytes: Option<u64>, items: Option<u64>, latencies: &[f64]) -> Vec<String> {
    let mut rates = Vec::new();
    for (amount, unit) in [(bytes, "B/s"), (items, "items/s")] {
        let Some(amount) = amount else { continue };
        let of_call = |nanoseconds: &f64| rate(amount as f64 / nanoseconds * 1e9, unit);
        rates.push(latencies.iter().map(of_call).collect::<Vec<_>>().join(" against "));
    }
    rates
}

/// An amount per second, in decimal units: `1.24 GB/s`, `35.0 M items/s`.
fn rate(amount: f64, unit: &str) -> String {
    let (number, prefix) = with_prefix(amount);
    let blank = if unit == "items/s" && !prefix.is_empty() { " " } else { "" };
    format!("{number} {prefix}{blank}{unit}")
}

/// A number above 0 in three digits, and the prefix of its unit.
fn with_prefix(number: f64) -> (String, &'static str) {
    // 1000 with a prefix, after rounding, is 1 with the next.
    let prefixes = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let prefix = prefixes.into_iter().find(|(scale, _)| number >= 0.9995 * scale);
    let (scale, prefix) = prefix.unwrap_or((1.0, ""));
    let scaled = number / scale;
    let text = if scaled < 0.0995 {
        format!("{scaled:.2e}")
    } else {
        format!("{scaled:.0$}", decimals(scaled, &[(9.995, 2), (99.95, 1)]))
    };
    (text, prefix)
}

/// A time that a user set, in nanoseconds, without needless digits: `1 ns`, `0.5 ns`, `1.5 us`.
pub(crate) fn written_time(nanoseconds: f64) -> String {
    let units = [(60e9, "min"), (1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    // A file rarely has this many digits.
    let number = (nanoseconds / scale * 1e6).round() / 1e6;
    if number > 0.0 { format!("{number} {unit}") } else { format!("{nanoseconds:.0e} ns") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_time_has_no_digits_more_than_it_needs() {
        assert_eq!(
            [1.0, 0.5, 1.1 * 1e3, 2e6, 3.6e12, 1e-9].map(written_time),
            ["1 ns", "0.5 ns", "1.1 us", "2 ms", "60 min", "1e-9 ns"]
        );
    }

    #[test]
    fn numbers_are_rounded_once() {
        assert_eq!(
            [ratio(0.541), ratio(9.99999), ratio(12.3456), ratio(54321.0)],
            ["0.5410", "10.0000", "12.35", "54321"]
        );
        assert_eq!(ratio(0.000_031_4), "3.1e-5");
        let interval = |low, high| interval(IntervalRecord { level: 0.9, low, high });
        assert_eq!(interval(Some(0.5), None), "[0.5000, inf]");
        assert_eq!([interval(None, Some(2.0)), interval(Some(0.0), Some(2.0))], ["[0, 2.0000]"; 2]);
        assert_eq!(
            [percent(0.032), percent(0.0004), percent(1.5), percent(0.9996)],
            ["3.2 %", "0.04 %", "150 %", "100 %"]
        );
        assert_eq!([small_share(0.0025), small_share(1e-9)], ["0.25 %", "1e-9"]);
        assert_eq!([share(0.02), share(0.005), share(3.0)], ["2 %", "0.5 %", "300 %"]);
        assert_eq!(
            [p_value(0.0), p_value(3.2e-9), p_value(0.0421), p_value(1.0)],
            ["<1e-99", "3e-9", "0.042", "1.000"]
        );
        assert_eq!(
            [small_share(0.01), small_share(0.01 / 3.0), small_share(3e-6)],
            ["1 %", "0.333 %", "3e-6"]
        );
        assert_eq!(
            [latency(0.3), latency(12.3), latency(1234.5), latency(2e9)],
            ["0.300 ns", "12.30 ns", "1.234 us", "2.000 s"]
        );
        assert_eq!(
            [9.9996, 99.996, 999.94, 999.96, 999_960.0].map(latency),
            ["10.00 ns", "100.0 ns", "999.9 ns", "1.000 us", "1.000 ms"]
        );
        assert_eq!([-0.004, 0.0, -0.005, 0.096, -3.0].map(change), ["0.00", "0.00", "-0.01", "+0.1", "-3.0"]);
        assert_eq!([seconds(0.031), seconds(12.34)], ["0.03 s", "12.3 s"]);
    }

    #[test]
    fn a_rate_has_three_digits_and_a_decimal_prefix() {
        let bytes = [0.0123, 0.5, 7.0, 999.4, 999.6, 1_234.0, 12_345_678.0, 1.244e9, 99.96e9, 3e12, 4e19];
        let expected = "1.23e-2 B/s, 0.50 B/s, 7.00 B/s, 999 B/s, 1.00 kB/s, 1.23 kB/s, 12.3 MB/s, 1.24 GB/s, 100 GB/s, 3.00 TB/s, 40000 PB/s";
        assert_eq!(bytes.map(|bytes| rate(bytes, "B/s")).join(", "), expected);
        assert_eq!(
            [12.0, 35e6, 999_600.0].map(|items| rate(items, "items/s")),
            ["12.0 items/s", "35.0 M items/s", "1.00 M items/s"]
        );
    }
}
