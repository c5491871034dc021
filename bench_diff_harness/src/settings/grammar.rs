//! The grammar of values with units: `2%`, `0.02`, `500ms`, `8f3a`.

use std::ops::RangeInclusive;
use std::time::Duration;

use bench_diff_core::{MOST_IGNORED, MOST_ROUNDS, Seed};

/// A share above 0: `2%`, or a number below 1 such as `0.02`. What is 1 or more needs its sign, since `2` is
/// more likely a slip for `2%` than a wish for 200 %.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    any_share(text)
        .filter(|share| *share > 0.0)
        .ok_or_else(|| "expected a share above 0, such as 2% or 0.02, and 200% where it is large".to_owned())
}

/// How much more is allowed, as a share that may be 0, and is written as others are.
pub(crate) fn excess(text: &str) -> Result<f64, String> {
    any_share(text).filter(|share| *share >= 0.0).ok_or_else(|| {
        "expected a share of at least 0, such as 0%, 5% or 0.05, and 200% where it is large".to_owned()
    })
}

fn any_share(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(_) => percentage(text),
        None => number(text).filter(|share| *share < 1.0),
    }
}

/// How many times as fast: above 0.
pub(crate) fn times(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|times| *times > 0.0)
        .ok_or_else(|| "expected a number above 0, such as 1.5".to_owned())
}

/// How many times as often: above 1.
pub(crate) fn more_than_once(text: &str) -> Result<f64, String> {
    number(text).filter(|times| *times > 1.0).ok_or_else(|| "expected a number above 1, such as 2".to_owned())
}

/// An error rate is smaller: a coin is right as often.
pub(crate) const LARGEST_ERROR_RATE: f64 = 0.5;

/// A probability of error: `1%` or `0.01`, above 0 and below 1/2.
pub(crate) fn error_rate(text: &str) -> Result<f64, String> {
    percentage(text)
        .or_else(|| number(text))
        .filter(|rate| *rate > 0.0 && *rate < LARGEST_ERROR_RATE)
        .ok_or_else(|| "expected an error rate above 0 and below 0.5, such as 1% or 0.01".to_owned())
}

/// `2%`, which is exactly 0.02.
fn percentage(text: &str) -> Option<f64> {
    let percent = text.strip_suffix('%')?.trim_end();
    if percent.contains(['e', 'E']) { None } else { number(&format!("{percent}e-2")) }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A length of time: a number and its unit, one of ns, us, ms, s and min. `m` is none, since it may mean
/// either of two.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = nanoseconds(text).map(|nanoseconds| Duration::try_from_secs_f64(nanoseconds * 1e-9));
    seconds
        .and_then(Result::ok)
        .ok_or_else(|| "expected a length of time such as 500ms, 2s or 1min".to_owned())
}

fn nanoseconds(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_at(text.find(char::is_alphabetic)?);
    let scale = match unit {
        "ns" => 1.0,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 60e9,
        _ => return None,
    };
    digits.trim_end().parse().ok().map(|number: f64| number * scale)
}

/// A time of a call, in nanoseconds and parts of them: above 0 and at most an hour.
pub(crate) fn time_of_call(text: &str) -> Result<f64, String> {
    nanoseconds(text).filter(|time| is_time_of_call(*time)).ok_or_else(|| {
        "expected a time of a call above 0 and of at most 60min, such as 1ns, 0.5ns or 2us".to_owned()
    })
}

/// Whether so many nanoseconds can be ignored.
pub(crate) fn is_time_of_call(nanoseconds: f64) -> bool {
    nanoseconds > 0.0 && nanoseconds <= MOST_IGNORED
}

/// A length of time above 0.
pub(crate) fn time_limit(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        limit if limit.is_zero() => Err("expected a length of time above 0, such as 2s".to_owned()),
        limit => Ok(limit),
    }
}

/// The slots of each function that can be asked for: the most of them take 6 GB.
pub(crate) const SLOTS: RangeInclusive<u64> = 2..=200_000_000;

/// The rounds that can be asked for.
pub(crate) const ROUNDS: RangeInclusive<usize> = 1..=MOST_ROUNDS;

/// Rounds of a pair.
pub(crate) fn rounds(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| ROUNDS.contains(count)).ok_or_else(|| {
        format!("expected a whole number of rounds from {} to {}", ROUNDS.start(), ROUNDS.end())
    })
}

/// Slots of each function.
pub(crate) fn slots(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|count| SLOTS.contains(count))
        .ok_or_else(|| format!("expected a whole number of slots from {} to {}", SLOTS.start(), SLOTS.end()))
}

/// A seed: up to 16 hexadecimal digits.
pub(crate) fn seed(text: &str) -> Result<Seed, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|_| !digits.starts_with('+'))
        .map(Seed)
        .ok_or_else(|| "expected up to 16 hexadecimal digits, such as 8f3a".to_owned())
}

/// One of a few words.
pub(crate) fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    place(text, &names).map(|place| words[place].1)
}

/// One of a few values, by its name.
pub(crate) fn named<T: Copy>(text: &str, values: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let names: Vec<&str> = values.iter().map(|value| name(*value)).collect();
    place(text, &names).map(|place| values[place])
}

/// Where a text stands among these.
fn place(text: &str, names: &[&str]) -> Result<usize, String> {
    let place = names.iter().position(|name| *name == text);
    place.ok_or_else(|| format!("expected {}", names.join(" or ")))
}

/// A switch in the environment.
pub(crate) fn switch(text: &str) -> Result<bool, String> {
    word(text, &[("1", true), ("true", true), ("0", false), ("false", false)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        for (text, share_of_one) in
            [("2%", 0.02), ("2 %", 0.02), ("0.5%", 0.005), ("0.02", 0.02), ("300%", 3.0)]
        {
            assert!((share(text).unwrap() - share_of_one).abs() < 1e-15, "{text}");
        }
        for text in ["", "%", "0", "0%", "-2%", "two", "inf", "nan", "2%%", "2 percent", "2", "1"] {
            assert!(share(text).unwrap_err().contains("such as 2%"), "{text}");
        }
    }

    #[test]
    fn how_many_times_as_often() {
        assert_eq!(more_than_once("2.5"), Ok(2.5));
        for text in ["1", "0.5", "-2", "inf", "nan", "2%", "x"] {
            assert!(more_than_once(text).unwrap_err().contains("above 1, such as 2"), "{text}");
        }
    }

    #[test]
    fn excesses() {
        for (text, expected) in [("0%", 0.0), ("0", 0.0), ("5%", 0.05), ("0.05", 0.05), ("300%", 3.0)] {
            assert_eq!(excess(text), Ok(expected), "{text}");
        }
        for text in ["", "%", "-1%", "-0.5", "1", "2", "none", "nan", "inf", "1e9%"] {
            assert!(excess(text).unwrap_err().contains("such as 0%"), "{text}");
        }
    }

    #[test]
    fn times_of_calls_have_parts_of_nanoseconds() {
        assert_eq!(
            ["1ns", "0.25ns", "1.5 us", "60min"].map(time_of_call),
            [Ok(1.0), Ok(0.25), Ok(1.5e3), Ok(3.6e12)]
        );
        for text in ["0ns", "-1ns", "61min", "infns", "nanns", "1", "1%", "ns", "1m"] {
            let error = time_of_call(text).unwrap_err();
            assert!(error.contains("at most 60min, such as 1ns"), "{text}: {error}");
        }
    }

    #[test]
    fn error_rates() {
        assert!((error_rate("1%").unwrap() - 0.01).abs() < 1e-15);
        for text in ["0", "0.5", "50%", "1", "-0.01", "x"] {
            assert!(error_rate(text).unwrap_err().contains("below 0.5"), "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, nanoseconds) in [
            ("0ms", 0),
            ("7ns", 7),
            ("3us", 3_000),
            ("3\u{b5}s", 3_000),
            ("3 \u{3bc}s", 3_000),
            ("1.5ms", 1_500_000),
            ("500ms", 500_000_000),
            ("1.5s", 1_500_000_000),
            ("0.5min", 30_000_000_000),
            ("2 s", 2_000_000_000),
            ("1min", 60_000_000_000),
        ] {
            assert_eq!(duration(text).unwrap().as_nanos(), nanoseconds, "{text}");
        }
        for text in ["", "5", "0.02", "2%", "ms", "-1s", "1m", "1 h", "2S", "1e400s", "5 ms s", "nan s"] {
            assert!(duration(text).unwrap_err().contains("such as 500ms"), "{text}");
        }
        assert_eq!(time_limit("2s"), Ok(Duration::from_secs(2)));
        assert!(time_limit("0s").unwrap_err().contains("above 0"));
    }

    #[test]
    fn counts_and_seeds() {
        assert_eq!(slots("2000"), Ok(2000));
        for text in ["1", "0", "-4", "2.5", "many"] {
            assert!(slots(text).is_err(), "{text}");
        }
        assert_eq!(seed("8f3a"), Ok(Seed(0x8f3a)));
        assert_eq!(seed("0xFFFFFFFFFFFFFFFF"), Ok(Seed(u64::MAX)));
        for text in ["", "0x", "+1", "xyz", "10000000000000000"] {
            assert!(seed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_name_each_other() {
        assert_eq!(word("b", &[("a", 1), ("b", 2)]), Ok(2));
        assert_eq!(word("c", &[("a", 1), ("b", 2)]), Err("expected a or b".to_owned()));
    }
}
