//! State that is made once, and a comparison without a gate: `hashbrown` against the map of std, which has a
//! slower hasher.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::LazyLock;

use bench_diff_harness::bench_diff;

const KEYS: u64 = 1_000;

static STD: LazyLock<HashMap<u64, u64>> = LazyLock::new(|| (0..KEYS).map(|key| (key * 7, key)).collect());

static BROWN: LazyLock<hashbrown::HashMap<u64, u64>> =
    LazyLock::new(|| (0..KEYS).map(|key| (key * 7, key)).collect());

mod hits {
    use super::*;

    fn std_map() -> u64 {
        (0..KEYS).map(|key| STD[&black_box(key * 7)]).sum()
    }

    #[bench_diff(baseline = std_map)]
    fn brown_map() -> u64 {
        (0..KEYS).map(|key| BROWN[&black_box(key * 7)]).sum()
    }
}

mod building {
    use super::*;

    fn growing() -> hashbrown::HashMap<u64, u64> {
        let mut map = hashbrown::HashMap::new();
        for key in 0..KEYS {
            map.insert(black_box(key), key);
        }
        map
    }

    /// Not a gate: how much does it help to reserve the size?
    #[bench_diff(baseline = growing, report_only)]
    fn with_capacity() -> hashbrown::HashMap<u64, u64> {
        let mut map = hashbrown::HashMap::with_capacity(KEYS as usize);
        for key in 0..KEYS {
            map.insert(black_box(key), key);
        }
        map
    }
}

bench_diff_harness::main!();
