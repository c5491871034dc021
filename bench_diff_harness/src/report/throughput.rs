//! The work of a call as a rate.

use super::{numbers, phrase};
use crate::record::PairRecord;
use crate::system::text::known;

/// The rates of a typical call of both functions: `1.24 GB/s against 1.13 GB/s`.
pub(super) fn rates(record: &PairRecord) -> Option<String> {
    let latencies = phrase::typical(record)?;
    let against = |amount: u64, shown: fn(f64) -> String| {
        let per_second = |nanoseconds: f64| amount as f64 / nanoseconds * 1e9;
        let [baseline, candidate] = latencies.map(|latency| shown(per_second(latency)));
        format!("{candidate} against {baseline}")
    };
    let bytes = record.bytes.map(|bytes| against(bytes, numbers::bytes_per_second));
    let items = record.items.map(|items| against(items, numbers::items_per_second));
    let rates = known(vec![bytes, items]);
    (!rates.is_empty()).then(|| rates.join(", "))
}

/// The line below a row.
pub(super) fn line(record: &PairRecord) -> Option<String> {
    rates(record).map(|rates| format!("throughput: {rates}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::record::Outcome;
    use crate::report::tests::summary;

    fn record(bytes: Option<u64>, items: Option<u64>) -> PairRecord {
        let plan = planned("", &[entry("a", 1, equal)]);
        PairRecord {
            bytes,
            items,
            ratio: Some(0.5),
            candidate: Some(summary(1000.0)),
            baseline: Some(summary(2000.0)),
            ..PairRecord::unmeasured(&plan, &plan.pairs[0], Outcome::Pass, None)
        }
    }

    #[test]
    fn the_work_of_a_call_by_its_latency() {
        let shown = |bytes, items| line(&record(bytes, items));
        assert_eq!(shown(Some(1240), None).unwrap(), "throughput: 1.24 GB/s against 620 MB/s");
        assert_eq!(shown(None, Some(1)).unwrap(), "throughput: 1.00 M items/s against 500 k items/s");
        assert_eq!(
            shown(Some(4096), Some(512)).unwrap(),
            "throughput: 4.10 GB/s against 2.05 GB/s, 512 M items/s against 256 M items/s"
        );
        assert_eq!(shown(None, None), None);
    }

    #[test]
    fn what_was_not_measured_has_no_rate() {
        assert_eq!(line(&PairRecord { ratio: None, ..record(Some(1), None) }), None);
        assert_eq!(line(&PairRecord { candidate: None, ..record(Some(1), None) }), None);
    }
}
