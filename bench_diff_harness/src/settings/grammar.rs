//! The grammar of values with units: `2%`, `0.02`, `500ms`, `8f3a`.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, JudgeKind, MOST_IGNORED, MOST_ROUNDS, Seed};

use super::choices::Layouts;

/// A parsed value, or what was expected. The attribute parses at compile time.
pub(super) type Written<T> = Result<T, &'static str>;

/// A share above 0: `2%`, or a number below 1 such as `0.02`. From 1 on it needs the percent sign, since `2`
/// is more likely a slip for `2%` than 200 %.
pub(crate) const fn share(text: &str) -> Written<f64> {
    match any_share(text) {
        Some(share) if share > 0.0 => Ok(share),
        _ => Err("expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%"),
    }
}

/// A share of at least 0 by which something may grow, written like other shares.
pub(crate) const fn excess(text: &str) -> Written<f64> {
    match any_share(text) {
        Some(share) if share >= 0.0 => Ok(share),
        _ => Err(
            "expected a share of at least 0, such as 0%, 5% or 0.05; from 1 on with its sign, such as 200%",
        ),
    }
}

const fn any_share(text: &str) -> Option<f64> {
    match (percentage(text), number(text.as_bytes(), 0)) {
        (Some(share), _) => Some(share),
        (None, Some(share)) if share < 1.0 => Some(share),
        _ => None,
    }
}

/// A factor above 0.
pub(crate) const fn times(text: &str) -> Written<f64> {
    match number(text.as_bytes(), 0) {
        Some(times) if times > 0.0 => Ok(times),
        _ => Err("expected a number above 0, such as 1.5"),
    }
}

/// A probability of error: `1%` or `0.01`, above 0 and below 1/2, for which a coin would do as well.
pub(crate) const fn error_rate(text: &str) -> Written<f64> {
    match (percentage(text), number(text.as_bytes(), 0)) {
        (Some(rate), _) | (None, Some(rate)) if rate > 0.0 && rate < 0.5 => Ok(rate),
        _ => Err("expected an error rate above 0 and below 0.5, such as 1% or 0.01"),
    }
}

/// `2%`, which is exactly 0.02.
const fn percentage(text: &str) -> Option<f64> {
    match text.as_bytes() {
        [percent @ .., b'%'] => number(percent.trim_ascii_end(), 2),
        _ => None,
    }
}

/// Parses a decimal number without a sign and divides it by a power of ten. The result is the nearest `f64`
/// for at most fifteen digits; digits beyond nineteen are ignored.
const fn number(text: &[u8], mut power: u32) -> Option<f64> {
    let (mut digits, mut count, mut has_point, mut rest) = (0_u64, 0, false, text);
    while let [first, after @ ..] = rest {
        match *first {
            b'.' if !has_point => has_point = true,
            digit @ b'0'..=b'9' => {
                count += 1;
                if digits < 1_000_000_000_000_000_000 {
                    digits = digits * 10 + (digit - b'0') as u64;
                    power += has_point as u32;
                } else if !has_point {
                    return None;
                }
            }
            _ => return None,
        }
        rest = after;
    }
    let mut scale = 1.0;
    while power > 0 {
        (scale, power) = (scale * 10.0, power - 1);
    }
    if count > 0 { Some(digits as f64 / scale) } else { None }
}

const DURATION: &str = "expected a time, such as 500ms, 2s or 1min";

/// A length of time: a number with one of the units ns, us, ms, s and min. `m` is not a unit, since it is
/// ambiguous.
pub(crate) const fn duration(text: &str) -> Written<Duration> {
    match nanoseconds(text) {
        Some(time) if time >= 0.0 && time < u64::MAX as f64 => Ok(Duration::from_nanos((time + 0.5) as u64)),
        _ => Err(DURATION),
    }
}

const fn nanoseconds(text: &str) -> Option<f64> {
    let (digits, scale) = match text.as_bytes() {
        [digits @ .., b'n', b's'] => (digits, 1.0),
        [digits @ .., b'u', b's'] => (digits, 1e3),
        // The two characters for micro.
        [digits @ .., 0xc2, 0xb5, b's'] | [digits @ .., 0xce, 0xbc, b's'] => (digits, 1e3),
        [digits @ .., b'm', b's'] => (digits, 1e6),
        [digits @ .., b's'] => (digits, 1e9),
        [digits @ .., b'm', b'i', b'n'] => (digits, 60e9),
        _ => return None,
    };
    match number(digits.trim_ascii_end(), 0) {
        Some(number) => Some(number * scale),
        None => None,
    }
}

/// The time of a call in nanoseconds, possibly fractional: above 0 and at most an hour.
pub(crate) const fn time_of_call(text: &str) -> Written<f64> {
    match nanoseconds(text) {
        Some(time) if time > 0.0 && time <= MOST_IGNORED => Ok(time),
        _ => Err("expected a time above 0 and at most 60min, such as 1ns, 0.5ns or 2us"),
    }
}

/// The name of a revision or a folder.
pub(super) fn revision(text: &str) -> Written<String> {
    if text.is_empty() { Err("expected a revision or a folder") } else { Ok(text.to_owned()) }
}

/// The name of a package.
pub(super) fn package(text: &str) -> Written<String> {
    if text.is_empty() { Err("expected the name of a package") } else { Ok(text.to_owned()) }
}

/// A length of time above 0.
pub(crate) const fn time_limit(text: &str) -> Written<Duration> {
    match duration(text) {
        Ok(limit) if limit.is_zero() => Err("expected a time above 0, such as 2s"),
        limit => limit,
    }
}

/// The number of rounds of a pair.
pub(crate) const fn rounds(text: &str) -> Written<usize> {
    match usize::from_str_radix(text, 10) {
        Ok(count @ 1..=MOST_ROUNDS) => Ok(count),
        _ => Err("expected a whole number of rounds from 1 to 1000"),
    }
}

/// The number of slots of each function: an answer about the largest takes 210 MB.
pub(crate) const fn slots(text: &str) -> Written<u64> {
    match u64::from_str_radix(text, 10) {
        Ok(count @ 2..=15_000_000) => Ok(count),
        _ => Err("expected a whole number of slots from 2 to 15000000"),
    }
}

pub(crate) const fn judge(text: &str) -> Written<JudgeKind> {
    match text.as_bytes() {
        b"sequential" => Ok(JudgeKind::Sequential),
        b"welch" => Ok(JudgeKind::Welch),
        _ => Err("expected sequential or welch"),
    }
}

pub(crate) const fn clock(text: &str) -> Written<ClockPolicy> {
    match text.as_bytes() {
        b"auto" => Ok(ClockPolicy::Auto),
        b"wall" => Ok(ClockPolicy::Wall),
        b"cpu" => Ok(ClockPolicy::Cpu),
        _ => Err("expected auto or wall or cpu"),
    }
}

pub(crate) const fn layouts(text: &str) -> Written<Layouts> {
    match text.as_bytes() {
        b"auto" => Ok(Layouts::Auto),
        b"all" => Ok(Layouts::All),
        b"linked" => Ok(Layouts::Linked),
        b"none" => Ok(Layouts::None),
        _ => Err("expected auto or all or linked or none"),
    }
}

/// A switch, as in the environment and in the output of the attribute.
pub(crate) const fn switch(text: &str) -> Written<bool> {
    match text.as_bytes() {
        b"1" | b"true" => Ok(true),
        b"0" | b"false" => Ok(false),
        _ => Err("expected 1 or true or 0 or false"),
    }
}

/// A seed: up to 16 hexadecimal digits.
pub(crate) fn seed(text: &str) -> Written<Seed> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let seed = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
    seed.map(Seed).ok_or("expected up to 16 hexadecimal digits, such as 8f3a")
}

/// The message about a value that a flag or a variable cannot have.
pub(crate) fn wrong_value(origin: &str, value: &str, expected: &str) -> String {
    format!("invalid value '{value}' for '{origin}': {expected}")
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
        for (text, exactly) in [("0.1 %", 0.001), ("0.7%", 0.007), ("0.3%", 0.003), ("12.345%", 0.12345)] {
            assert_eq!(share(text), Ok(exactly), "{text}");
        }
        let many = "0.33333333333333333333333333333333";
        assert!((share(many).unwrap() - 1.0 / 3.0).abs() < 1e-15, "{many}");
        for text in
            ["", "%", ".", "0", "0%", "-2%", "--2%", "two", "inf", "nan", "2%%", "2 pct", "2", "1", "1.2.3%"]
        {
            assert!(share(text).unwrap_err().contains("such as 2%"), "{text}");
        }
    }

    #[test]
    fn excesses() {
        for (text, expected) in [("0%", 0.0), ("0", 0.0), ("5%", 0.05), ("0.05", 0.05), ("300%", 3.0)] {
            assert_eq!(excess(text), Ok(expected), "{text}");
        }
        for text in ["", "%", "-1%", "-0%", "-0.5", "1", "2", "none", "nan", "inf", "1e9%"] {
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
    fn words_are_the_names_of_their_values() {
        let all = |text| judge(text).is_ok() || clock(text).is_ok() || layouts(text).is_ok();
        assert!(!all("other") && !all(""));
        assert!(JudgeKind::ALL.iter().all(|kind| judge(kind.name()) == Ok(*kind)));
        assert!(ClockPolicy::ALL.iter().all(|policy| clock(policy.name()) == Ok(*policy)));
        assert!([Layouts::Auto, Layouts::All, Layouts::Linked, Layouts::None].iter().all(|what| layouts(
            what.name()
        ) == Ok(
            *what
        )));
    }

    #[test]
    fn counts_name_their_bounds() {
        assert!(rounds("0").unwrap_err().ends_with(&format!(" from 1 to {MOST_ROUNDS}")));
        assert!([rounds("1"), rounds("1000")].iter().all(Result::is_ok) && rounds("1001").is_err());
        assert!([slots("2"), slots("15000000")].iter().all(Result::is_ok));
        assert!(slots("1").is_err() && slots("15000001").is_err());
    }
}
