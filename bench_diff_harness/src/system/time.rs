//! Moments as people and programs write them.

use std::time::{SystemTime, UNIX_EPOCH};

/// This moment, in UTC to the second, as RFC 3339 has it: `2026-11-21T14:02:33Z`.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc_3339(since.as_secs())
}

const DAY: u64 = 24 * 60 * 60;
/// The days of four hundred years, after which the calendar repeats itself.
const ERA: u64 = 146_097;

/// This many seconds after the beginning of 1970.
fn rfc_3339(seconds: u64) -> String {
    let (day, second) = (seconds / DAY, seconds % DAY);
    // Hinnant, "chrono-Compatible Low-Level Date Algorithms": years that begin in March, the first of them in
    // the year 0, have their leap day at the end.
    let day = day + 719_468;
    let (era, day) = (day / ERA, day % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next_year;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_of_the_calendar() {
        // By `date --utc --iso-8601=seconds --date=@SECONDS` of the GNU coreutils.
        assert_eq!(rfc_3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc_3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc_3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc_3339(1_078_099_200), "2004-03-01T00:00:00Z");
        assert_eq!(rfc_3339(1_795_269_753), "2026-11-21T14:02:33Z");
        assert_eq!(rfc_3339(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(rfc_3339(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(rfc_3339(4_133_980_799), "2100-12-31T23:59:59Z");
    }
}
