//! A pair whose two sides are one source, of which something else calls one.

use crate::user_crate::{UserCrate, dependency};

/// Whoever has `next` inlined divides by a constant.
const BENCH: &str = r#"use bench_diff_harness::bench_diff;

macro_rules! machine {
    ($module:ident, $times:literal) => {
        mod $module {
            fn next(state: usize, byte: u8, divisor: usize, out: &mut Vec<u8>) -> usize {
                let divide = |n: usize, turn: usize| n / divisor + (n % divisor) * turn + 1;
                let state = (0..64 * $times).fold(state, divide);
                match (state % 8, byte) {
                    (0, b'a'..=b'z') => out.extend([byte, 1]),
                    (1, b'0'..=b'9') => out.insert(out.len() / 2, byte),
                    (2, b' ') => out.truncate(state % 5),
                    (3, _) => out.extend_from_slice(&[byte; 9]),
                    (4, b'\\') => drop(out.pop()),
                    (5, _) => out.extend(byte.to_string().bytes().rev()),
                    (6, _) => out.dedup(),
                    _ => out.push(state as u8),
                }
                state + out.len() % 9
            }

            #[inline(never)]
            pub fn run(bytes: &[u8]) -> usize {
                let mut out = Vec::new();
                bytes.iter().fold(0, |state, byte| next(state, *byte, 8, &mut out))
            }

            pub fn one(divisor: usize) -> usize {
                next(9, 7, divisor, &mut vec![9; 9])
            }
        }
    };
}
machine!(old, 1);
machine!(new, TIMES);

fn bytes() -> Vec<u8> {
    std::hint::black_box((0..64).collect())
}

// What one macro makes has one line.
macro_rules! pairs {
    ($($item:item)*) => {
        $($item)*
    };
}

pairs! {
    #[bench_diff(baseline = old::run, setup = bytes, check = false)]
    fn run(bytes: &[u8]) -> usize {
        new::run(bytes)
    }

    #[bench_diff(baseline = itself, setup = number, check = false, report_only)]
    fn unrelated(divisor: usize) -> usize {
        new::one(divisor)
    }
}

fn number() -> usize {
    std::hint::black_box(7)
}

fn itself(number: usize) -> usize {
    number
}

bench_diff_harness::main!();
"#;

/// One test, since all of it is one crate.
#[test]
fn a_failure_that_others_make_is_inconclusive() {
    let manifest = format!(
        "[dev-dependencies]\n{}\n\n[profile.bench.package.others]\ncodegen-units = 1\n\n[[bench]]\nname = \"others\"\nharness = false\n",
        dependency()
    );
    let others = UserCrate::new("others", &manifest);
    others.write("benches/others.rs", &BENCH.replace("TIMES", "1"));
    // The other one has to be there, and not to be measured.
    let run = || others.cargo("bench -- --exact run --max-slowdown 30%");
    let alone = "compiling the bench with only `run`, since other benchmarks may be why it fails";
    let ran = run().ends_with(0).complains(alone).says("1 inconclusive");
    ran.says("it does not fail in a binary without the other benchmarks").says("as well, which may be why");

    others.write("benches/others.rs", &BENCH.replace("TIMES", "4"));
    let ran = run().ends_with(101).complains(alone).says("1 failed, 0 inconclusive");
    ran.complains("`run` fails without the other benchmarks as well");
}
