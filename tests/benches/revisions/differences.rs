//! Differences of two revisions of which no measured function knows.

use crate::source::Source;

pub(crate) struct Difference {
    pub(crate) name: &'static str,
    /// The part that both revisions have for it.
    pub(crate) both: fn(&mut Source),
    /// The part that one of them has.
    pub(crate) one: fn(&mut Source),
}

const fn difference(name: &'static str, one: fn(&mut Source)) -> Difference {
    Difference { name, both: |_| (), one }
}

pub(crate) const DIFFERENCES: &[Difference] = &[
    difference("none", |_| ()),
    difference("heap", |source| source.others += HEAP),
    difference("functions", |source| source.others += &twenty_functions()),
    difference("statics", |source| source.library += STATICS),
    difference("order", |source| source.library = in_other_order(&source.library)),
    difference("blocks", |source| source.others += BLOCKS),
    // The measured functions themselves, behind such a benchmark in one of the revisions.
    Difference {
        name: "builders",
        both: |source| source.library += BUILDERS,
        one: |source| source.others += BLOCKS,
    },
];

/// A benchmark that allocates and frees 8 MB, and whose args do.
const HEAP: &str = "fn large() -> usize {\n    black_box(vec![1_u8; 8 << 20]).len()\n}\n\n\
    #[bench_diff(args = [large()])]\nfn frees(count: usize) -> usize {\n    large() + count\n}\n\n";

/// A benchmark that builds 1 MB of small blocks, and whose args do.
const BLOCKS: &str = "fn small() -> usize {\n    \
    black_box((0..16_384).map(|number: u64| vec![number; 8]).collect::<Vec<_>>()).len()\n}\n\n\
    #[bench_diff(args = [small()])]\nfn builds(count: usize) -> usize {\n    small() + count\n}\n\n";

/// 4 MB, of which a half is written in the program.
const STATICS: &str = "
#[used]
static FILLED: [u64; 1 << 18] = [7; 1 << 18];

#[used]
static EMPTY: [std::sync::atomic::AtomicU64; 1 << 18] = [const { std::sync::atomic::AtomicU64::new(0) }; 1 << 18];
";

/// Functions that build 1 MB of small blocks.
const BUILDERS: &str = "
/// Small vectors.
#[inline(never)]
pub fn vectors(numbers: &[u64]) -> u64 {
    let all: Vec<Vec<u64>> = numbers.iter().cycle().take(16_384).map(|number| vec![*number; 8]).collect();
    all.iter().fold(0, |sum, one| sum ^ one[7])
}

/// Short texts.
#[inline(never)]
pub fn texts(numbers: &[u64]) -> u64 {
    let all: Vec<String> = numbers.iter().cycle().take(32_768).map(|number| format!(\"{number}\")).collect();
    all.iter().map(|one| one.len() as u64).sum()
}

/// A list of boxes.
#[inline(never)]
pub fn boxes(numbers: &[u64]) -> u64 {
    struct Node(u64, Option<Box<Node>>);
    let mut list = None;
    for number in numbers.iter().cycle().take(32_768) {
        list = Some(Box::new(Node(*number, list)));
    }
    let mut sum = 0_u64;
    while let Some(node) = list {
        sum = sum.wrapping_add(node.0);
        list = node.1;
    }
    sum
}
";

fn twenty_functions() -> String {
    let function = |number: usize| {
        format!(
            "#[bench_diff(setup_once = inputs)]\nfn other_{number}(numbers: &Vec<u64>) -> u64 {{\n    \
             numbers.iter().fold({number}, |sum, number| (sum ^ number).rotate_left({}))\n}}\n\n",
            number % 60 + 1
        )
    };
    (0..20).map(function).collect()
}

/// The same items behind the text at the beginning, the last one first.
fn in_other_order(library: &str) -> String {
    let mut items: Vec<&str> = library.trim_end().split("\n\n").collect();
    items[1..].reverse();
    items.join("\n\n") + "\n"
}
