//! Work in whole turns, so that the true ratio of two amounts is known.

use std::hint::black_box;
use std::sync::LazyLock;

/// A kind of work, and the amount of it that takes about as long as its name says.
#[derive(Clone, Copy)]
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    turns: u64,
    work: fn(u64) -> u64,
}

pub(crate) const KERNELS: [Kernel; 7] = [
    Kernel { name: "registers-100ns", turns: 100, work: registers },
    Kernel { name: "registers-2us", turns: 2_000, work: registers },
    Kernel { name: "registers-20us", turns: 20_000, work: registers },
    Kernel { name: "registers-200us", turns: 200_000, work: registers },
    Kernel { name: "registers-2ms", turns: 2_000_000, work: registers },
    Kernel { name: "memory-20us", turns: 1_000, work: memory },
    Kernel { name: "allocation-20us", turns: 1_000, work: allocation },
];

impl Kernel {
    /// The kernel of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        KERNELS.into_iter().find(|kernel| kernel.name == name)
    }

    /// The work with this many per mille more turns, and without; none where they are not whole.
    pub(crate) fn pair(self, per_mille: u64) -> Option<Pair<impl FnMut(), impl FnMut()>> {
        let more = self.turns * per_mille;
        let work = self.work;
        let with = move |turns: u64| {
            move || {
                black_box(work(black_box(turns)));
            }
        };
        let whole = more.is_multiple_of(1000);
        whole.then(|| Pair { candidate: with(self.turns + more / 1000), baseline: with(self.turns) })
    }
}

/// The data of the two functions lies in one cache line. In two lines one of them may be driven out of the
/// cache by the work and the other not, depending on where the stack of this process is: a true difference,
/// of hundredths of a percent.
#[repr(align(64))]
pub(crate) struct Pair<C, B> {
    pub(crate) candidate: C,
    pub(crate) baseline: B,
}

/// A chain of multiplications, each waiting for the one before it. Touches registers only.
fn registers(turns: u64) -> u64 {
    (0..turns).fold(1, |state: u64, turn| (state ^ turn).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A walk through 4 MiB in an order that no prefetcher guesses.
fn memory(turns: u64) -> u64 {
    (0..turns).fold(0, |at: u32, _| NEXT[at as usize]).into()
}

/// One cycle through all indices (Sattolo 1986).
static NEXT: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut next: Vec<u32> = (0..1 << 20).collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for last in (1..next.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        next.swap(last, (state % last as u64) as usize);
    }
    next
});

/// Boxes of changing sizes, made and dropped.
fn allocation(turns: u64) -> u64 {
    (0..turns).map(|turn| black_box(vec![0_u8; 16 + (turn as usize % 32) * 16]).len() as u64).sum()
}
