//! Numbers with their units, as people write them.

/// A length of time, as `Debug` writes it, with a blank before its unit: `4.2 s` of `4.2s`.
#[must_use]
pub fn with_blank(time: &str) -> String {
    let (number, unit) = time.split_at(time.find(char::is_alphabetic).unwrap_or(time.len()));
    format!("{number} {}", unit.replace('\u{b5}', "u"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_unit_stands_apart_from_its_number() {
        let shown = |nanoseconds| with_blank(&format!("{:.1?}", Duration::from_nanos(nanoseconds)));
        assert_eq!([7, 1_500, 300_000_000].map(shown), ["7.0 ns", "1.5 us", "300.0 ms"]);
        assert_eq!(with_blank(&format!("{:?}", Duration::from_secs(5))), "5 s");
    }
}
