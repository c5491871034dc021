//! The grammar of values in strings: shares, times and their units.

/// A share written with its sign: `"2%"` is 0.02, and exactly the literal 0.02.
pub(crate) fn percentage(text: &str) -> Option<f64> {
    let percent = text.strip_suffix('%')?.trim_end();
    if percent.contains(['e', 'E']) {
        return None;
    }
    decimal(&format!("{percent}e-2"))
}

pub(crate) fn decimal(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number and its unit, `"50ms"` or `"1.5 s"`, in nanoseconds.
pub(crate) fn nanoseconds(text: &str) -> Option<f64> {
    let unit_at = text.find(char::is_alphabetic)?;
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit {
        "ns" => 1.0,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 60e9,
        _ => return None,
    };
    decimal(number.trim_end()).map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::{decimal, nanoseconds, percentage};

    #[test]
    fn percentages_are_exact() {
        assert_eq!(percentage("2%"), Some(0.02));
        assert_eq!(percentage("0.1 %"), Some(0.001));
        assert_eq!(percentage("0.7%"), Some(0.007));
        assert_eq!(percentage("300%"), Some(3.0));
        assert_eq!(percentage("-2%"), Some(-0.02));
    }

    #[test]
    fn what_is_no_percentage() {
        for text in ["", "%", "2", "2%%", "% 2", "two%", "1e1%", "inf%", "NaN%", "2 percent"] {
            assert_eq!(percentage(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_are_finite() {
        assert_eq!(decimal("0.02"), Some(0.02));
        for text in ["inf", "nan", "1e999", "", "0,02"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(nanoseconds("50ms"), Some(50e6));
        assert_eq!(nanoseconds("1.5 s"), Some(1.5e9));
        assert_eq!(nanoseconds("0s"), Some(0.0));
        assert_eq!(nanoseconds("0.1us"), Some(100.0));
        assert_eq!(nanoseconds("2\u{b5}s"), Some(2e3));
        assert_eq!(nanoseconds("2min"), Some(120e9));
        assert_eq!(nanoseconds("7ns"), Some(7.0));
        assert_eq!(nanoseconds("0.25ns"), Some(0.25));
        assert_eq!(nanoseconds("-1ms"), Some(-1e6));
        for text in ["", "50", "ms", "50 m", "50msec", "1s 5ms", "half s"] {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
    }
}
