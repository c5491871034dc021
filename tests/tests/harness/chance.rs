//! The times at which processes are killed, and how many.

use std::time::SystemTime;

/// xorshift64 (Marsaglia 2003): which times are tried, and no more.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A seed that differs from run to run, which is printed.
pub(crate) fn seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let seed = u64::from(now.subsec_nanos()) << 20 | 1;
    println!("the times come from {seed}");
    seed
}

/// The number of kills that `BENCH_DIFF_KILLS` asks for.
pub(crate) fn asked() -> Option<usize> {
    std::env::var("BENCH_DIFF_KILLS").ok().and_then(|count| count.parse().ok())
}
