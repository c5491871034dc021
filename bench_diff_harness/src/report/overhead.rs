//! What the cost of calling hides of a short function.

use super::numbers;
use crate::record::PairRecord;

/// The line below a row: the ratio without the overhead, where that is large enough to have one.
pub(super) fn net(record: &PairRecord) -> Option<String> {
    // Its mean has slow calls in it, and the ratio of a pair with a tail has not.
    let overhead = record.overhead.filter(|_| record.tail.is_none())?;
    let (ratio, interval) = overhead.net_ratio.zip(overhead.net_interval)?;
    // Its interval is that of a fixed number of duos as well.
    let nominal = if record.welch.is_some_and(|welch| welch.nominal) { " (nominal)" } else { "" };
    Some(format!(
        "net of {} overhead: ratio {} {}{nominal}",
        numbers::percent(overhead.share),
        numbers::ratio(ratio),
        numbers::interval(interval.low, interval.high)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::record::{IntervalRecord, Outcome, OverheadRecord, WelchRecord};

    #[test]
    fn the_net_ratio_is_nominal_where_the_run_stopped_early() {
        let plan = planned("", &[entry("a", 1, equal)]);
        let record = |nominal| PairRecord {
            overhead: Some(OverheadRecord {
                share: 0.034,
                share_max: 0.035,
                net_ratio: Some(1.1),
                net_interval: Some(IntervalRecord { level: 0.95, low: Some(1.0), high: None }),
            }),
            welch: Some(WelchRecord { t: None, df: None, p: None, p_two_sided: None, nominal }),
            ..PairRecord::unmeasured(&plan, &plan.pairs[0], Outcome::Pass, None)
        };
        let line = "net of 3.4 % overhead: ratio 1.1000 [1.0000, inf]";
        assert_eq!(net(&record(false)).unwrap(), line);
        assert_eq!(net(&record(true)).unwrap(), format!("{line} (nominal)"));
    }
}
