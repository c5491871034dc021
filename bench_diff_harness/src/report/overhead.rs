//! What the cost of calling hides of a short function.

use super::numbers;
use crate::record::PairRecord;

/// The line below a row: the ratio without the overhead, where that is large enough to have one.
pub(super) fn net(record: &PairRecord) -> Option<String> {
    // It is made of the means of all slots, which may contradict what another judge says.
    let overhead = record.overhead.filter(|_| record.welch.is_none_or(|welch| !welch.nominal))?;
    let (ratio, interval) = overhead.net_ratio.zip(overhead.net_interval)?;
    Some(format!(
        "net of {} overhead: ratio {} {}",
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
    fn the_net_ratio_stands_beside_the_test_that_it_belongs_to() {
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
        assert_eq!(net(&record(true)), None);
    }
}
