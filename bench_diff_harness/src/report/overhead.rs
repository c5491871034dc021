//! What the cost of calling hides of a short function.

use super::numbers;
use crate::record::PairRecord;

/// The line below a row: the ratio without the overhead, where that is large enough to have one.
pub(super) fn net(record: &PairRecord) -> Option<String> {
    let overhead = record.overhead?;
    let (ratio, interval) = overhead.net_ratio.zip(overhead.net_interval)?;
    Some(format!(
        "net of {} overhead: ratio {} {}",
        numbers::percent(overhead.share),
        numbers::ratio(ratio),
        numbers::interval(interval.low, interval.high)
    ))
}
