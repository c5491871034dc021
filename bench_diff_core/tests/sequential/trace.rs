//! Traces of a machine that ran the same function under both labels, and new labels for them.

use bench_diff_core::{Coin, Duo};

/// Per duo the slots of one label and those of the other.
pub(crate) type Trace = Vec<[[f64; 2]; 2]>;

/// Lays the labels of a coin over a trace and gives the candidate this true effect.
///
/// Whatever made the slots, they did not know this coin: given the trace, every sign around the effect is a
/// fair coin.
pub(crate) fn relabelled(trace: &[[[f64; 2]; 2]], coin: &mut Coin, delta: f64) -> Vec<Duo> {
    let duo = |&[one, other]: &[[f64; 2]; 2]| {
        let order = coin.flip();
        let (candidate, baseline) = if order.is_candidate_first() { (one, other) } else { (other, one) };
        let slower = candidate.map(|slot| slot * delta.exp());
        Duo { order, candidate: slower.map(whole), baseline: baseline.map(whole) }
    };
    trace.iter().map(duo).collect()
}

fn whole(nanoseconds: f64) -> u64 {
    nanoseconds.round() as u64
}

/// Reads a recorded trace, as `data/README.md` describes it, with every slot this many times as long.
pub(crate) fn decoded(bytes: &[u8], stretch: u32) -> Trace {
    let mut previous = 0;
    let slots: Vec<f64> = Varints(bytes)
        .map(|zigzag| {
            previous += (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
            previous as f64 * f64::from(stretch)
        })
        .collect();
    slots.chunks_exact(4).map(|duo| [[duo[0], duo[1]], [duo[2], duo[3]]]).collect()
}

/// Numbers in LEB128.
struct Varints<'a>(&'a [u8]);

impl Iterator for Varints<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let length = 1 + self.0.iter().position(|byte| byte & 0x80 == 0)?;
        let (number, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(number.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f)))
    }
}

#[test]
fn numbers_are_zigzag_differences_in_leb128() {
    // +300, -300, +1, +2 become 600, 599, 2, 4.
    let trace = decoded(&[0xd8, 0x04, 0xd7, 0x04, 0x02, 0x04], 10);
    assert_eq!(trace, [[[3000.0, 0.0], [10.0, 30.0]]]);
}
