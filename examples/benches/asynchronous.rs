//! Futures, each run to its end on a tokio runtime. Needs the feature `tokio` of the harness.

use std::io;

use bench_diff_harness::bench_diff;
use tokio::io::AsyncReadExt;

fn numbers(count: u32) -> Vec<u8> {
    (0..count).flat_map(u32::to_be_bytes).collect()
}

/// One await for every number.
async fn one_by_one(mut bytes: &[u8]) -> io::Result<u64> {
    let mut sum = 0;
    while !bytes.is_empty() {
        sum += u64::from(bytes.read_u32().await?);
    }
    Ok(sum)
}

/// One await, and no more waiting. The output of a future is checked like any other.
#[bench_diff(baseline = one_by_one, args = [512, 4_096], setup = numbers)]
async fn all_at_once(mut bytes: &[u8]) -> io::Result<u64> {
    let mut buffer = Vec::new();
    bytes.read_to_end(&mut buffer).await?;
    let (numbers, _) = buffer.as_chunks();
    Ok(numbers.iter().map(|number| u64::from(u32::from_be_bytes(*number))).sum())
}

bench_diff_harness::main!();
