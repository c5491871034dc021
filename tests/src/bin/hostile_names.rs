//! Args that are shown in names and would be obeyed by a page.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

const NAMES: [&str; 6] = [
    "<script>document.title='owned'</script>",
    "\"><img/src=x/onerror=\"document.title='owned'\">",
    "'onclick='alert(1)",
    "&lt;b&gt;&amp;#39;",
    "\u{202e}elif\u{2066}",
    "</title></style></table><h1>owned",
];

fn works(_: &str) -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = works, args = NAMES, max_slowdown = "900%", warmup = "0ms")]
fn works_again(name: &str) -> u64 {
    works(name)
}

bench_diff_harness::main!();
