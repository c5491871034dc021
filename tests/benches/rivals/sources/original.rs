use bench_diff::stats_types::AltHyp;
use bench_diff::{DiffOut, LatencyUnit, bench_diff};

/// Milliseconds of warm-up and executions of each pair.
fn effort() -> (u64, usize) {
    if std::env::var_os("RIVALS_SHORT").is_some() { (20, 100) } else { (3_000, 2_000) }
}

/// A line a function: its name, its ratio, and the p-values of "slower" and "faster".
fn print(name: &str, out: &DiffOut) {
    let [slower, faster] = [AltHyp::Gt, AltHyp::Lt].map(|other| out.welch_ln_test(other, 0.05).p());
    println!("{name} {} {slower} {faster}", out.ratio_medians_f1_f2_from_lns());
}

fn main() {
    let numbers = numbers();
    let (warmup, executions) = effort();
    bench_diff::set_warmup_millis(warmup);
    macro_rules! compare {
        ($($name:ident)*) => {
            $(
                let after = || {
                    black_box(new::$name(&numbers[..black_box(amount::$name)]));
                };
                let before = || {
                    black_box(old::$name(&numbers[..black_box(OLDER)]));
                };
                print(stringify!($name), &bench_diff(LatencyUnit::Nano, after, before, executions));
            )*
        };
    }
    functions!(compare);
}
