//! The comparative example of the noise model, reproduced: equal functions, measured in duos and one after
//! the other, on a machine whose speed changes twofold every minute. Prints a markdown table:
//!
//! ```text
//! cargo run --release -p bench_diff_original --example noise_model
//! ```

use std::f64::consts::PI;

use bench_diff_core::{OrderPolicy, Seed};
use bench_diff_original::noise_model::{
    Alpha, ModelFunction, NoiseModel, simulate_duos, simulate_traditional,
};

const RUNS: u64 = 2_000;

/// The executions of 12 ms that fit into half a minute, if alpha is what it is on average over that time.
const IN_HALF_A_MINUTE: usize = 1_322;

fn main() {
    println!("| quantity | text | here |");
    println!("|---|---|---|");
    for (lambda, exec_count, text) in [(12.0, 2_500, [0.002_77, 1.002_78]), (120.0, 250, [0.028_4, 1.028_9])]
    {
        of_duos(lambda, exec_count, text);
    }
    let [first, second] = [1.5 + 1.0 / PI, 1.5 - 1.0 / PI];
    row("mean alpha of the first half minute", "1.8183", &format!("{first:.4}"));
    row("mean alpha of the second half minute", "1.1817", &format!("{second:.4}"));
    row("their ratio", "1.5387", &format!("{:.4}", first / second));
    for (lambda, exec_count, text) in [
        (12.0, 2_500, ["1.5387", "60 s"]),
        (120.0, 250, ["1.5387", "60 s"]),
        (12.0, IN_HALF_A_MINUTE, [""; 2]),
        (120.0, IN_HALF_A_MINUTE / 10, [""; 2]),
    ] {
        of_the_traditional_method(lambda, exec_count, text);
    }
}

fn row(quantity: &str, text: &str, here: &str) {
    println!("| {quantity} | {text} | {here} |");
}

fn model(lambda: f64, sigma: f64) -> NoiseModel {
    let f = ModelFunction { lambda, sigma };
    NoiseModel { f1: f, f2: f, alpha: Alpha::sinusoid(1.5, 0.5, 60_000.0) }
}

fn of_duos(lambda: f64, exec_count: usize, [text_bound, text_ratio]: [f64; 2]) {
    let model = model(lambda, 0.28);
    let n = exec_count as f64;
    let name = |what: &str| format!("duos, {lambda} ms, n = {exec_count}: {what}");
    let show = |what: &str, text: &str, here: f64| row(&name(what), text, &format!("{here:.5}"));
    show("BE", "", model.be());
    show("BA", "BE", model.ba(n));
    show("BC for large n", &text_bound.to_string(), model.bc_asymptotic());
    show("its exp", &text_ratio.to_string(), model.bc_asymptotic().exp());
    show("BC", "", model.bc(n));
    show("BE + 2.58 standard errors", "", model.bc_direct(n));

    let mut errors: Vec<f64> = (0..RUNS)
        .map(|run| simulate_duos(&model, exec_count, OrderPolicy::Coin, Seed(run)).mean_diff_ln_f1_f2().abs())
        .collect();
    errors.sort_by(f64::total_cmp);
    let beyond = errors.iter().filter(|error| **error > text_bound).count() as f64 / RUNS as f64;
    let square = errors.iter().map(|error| error * error).sum::<f64>() / RUNS as f64;
    show("standard deviation, simulated", "", square.sqrt());
    show("99 % of the errors, simulated", &format!("<= {text_bound}"), errors[(RUNS * 99 / 100) as usize]);
    row(&name("errors beyond the text's bound"), "1 %", &format!("{:.0} %", 100.0 * beyond));
    let quiet =
        simulate_duos(&NoiseModel { ..self::model(lambda, 0.0) }, exec_count, OrderPolicy::Fixed, Seed(1));
    row(&name("true bias"), "<= BE", &format!("{:.1e}", quiet.mean_diff_ln_f1_f2()));
}

fn of_the_traditional_method(lambda: f64, exec_count: usize, [text_ratio, text_time]: [&str; 2]) {
    let model = model(lambda, 0.28);
    let runs = RUNS / 10;
    let (mut ratio, mut seconds) = (0.0, 0.0);
    for run in 0..runs {
        let traditional = simulate_traditional(&model, exec_count, Seed(run));
        ratio += traditional.ratio_of_means() / runs as f64;
        seconds += traditional.elapsed * 1e-3 / runs as f64;
    }
    let name = format!("traditional, {lambda} ms, {exec_count} + {exec_count} executions");
    row(&format!("{name}: ratio of means, simulated"), text_ratio, &format!("{ratio:.3}"));
    row(&format!("{name}: time"), text_time, &format!("{seconds:.1} s"));
}
