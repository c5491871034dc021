use bench_diff_harness::bench_diff;

#[bench_diff(
    baselin = slow,
    max_slowdown = "two percent",
    alpha = -0.1, 7 + 7,
    beta = Vec<u8, u16>, slots = ,
    threads = [1, 4],
    name = "two" "words",
    min_speedup = 2.0
    warmup = "50",
    report_only = true,
    alpha = 0.2,
)]
pub async unsafe extern "C" fn everything<T>(input: T) -> impl Sized {
    input
}

/// The item is still there, so that its use is not one more error.
fn main() {
    let _: fn(u8) -> _ = |input| unsafe { everything(input) };
}
