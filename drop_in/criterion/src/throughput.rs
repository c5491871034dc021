//! The work of one call.

/// The work of one call, which bench_diff shows as a rate.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Throughput {
    /// This many bits, shown as bytes.
    Bits(u64),
    /// This many bytes.
    Bytes(u64),
    /// This many bytes.
    BytesDecimal(u64),
    /// This many items.
    Elements(u64),
    /// Items and bytes.
    ElementsAndBytes {
        /// The number of items.
        elements: u64,
        /// The number of bytes.
        bytes: u64,
    },
}

impl Throughput {
    /// The bytes and the items of one call.
    pub(crate) fn work(&self) -> (Option<u64>, Option<u64>) {
        match *self {
            Self::Bits(bits) => (Some(bits.div_ceil(8)), None),
            Self::Bytes(bytes) | Self::BytesDecimal(bytes) => (Some(bytes), None),
            Self::Elements(elements) => (None, Some(elements)),
            Self::ElementsAndBytes { elements, bytes } => (Some(bytes), Some(elements)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_bytes_and_items() {
        let works = [
            (Throughput::Bits(80), (Some(10), None)),
            (Throughput::Bits(81), (Some(11), None)),
            (Throughput::Bytes(10), (Some(10), None)),
            (Throughput::BytesDecimal(10), (Some(10), None)),
            (Throughput::Elements(3), (None, Some(3))),
            (Throughput::ElementsAndBytes { elements: 3, bytes: 10 }, (Some(10), Some(3))),
        ];
        for (throughput, work) in works {
            assert_eq!(throughput.work(), work, "{throughput:?}");
        }
    }
}
