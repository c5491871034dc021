//! The fuzz targets as plain tests.

#[path = "../../../fuzz/mutated.rs"]
mod mutated;

use super::*;
use mutated::assert_survives;

#[test]
fn flags_survive() {
    let words = [
        "--",
        "-",
        "=",
        "\n",
        "\n--bench",
        "\n--list",
        "--alpha",
        "--max-slowdown=",
        "\n--max-time\n",
        "\n$BENCH_DIFF_ALPHA=",
        "\n$CI=1",
        "\n$NEXTEST=1",
        "%",
        "1e-9",
        "-1",
        "inf",
        "NaN",
        "1e999",
        "18446744073709551616",
        "ms",
        "min",
        "\u{b5}s",
        "ns",
        "\n--strict",
        "-v",
        "-Z",
        "\n--help",
        "\u{e9}",
        "\n--json\n-",
        "0x8f3a",
    ];
    assert_survives("flags", 1024, &words, flags);
}

#[test]
fn protocol_survives() {
    let words = [
        "\"word\":\"fuzz\"",
        "\"event\":\"begun\"",
        "\"event\":\"found\"",
        "\"event\":\"end\"",
        "\"pair\":1",
        "null",
        "0",
        "18446744073709551615",
        "-1",
        "1e308",
        "\n",
        "[]",
        "{}",
        "b",
        "c",
        "\"raw\":null",
        "\"reason\":\"\"",
        "\"check\":\"equal\"",
        "\"iterations\":0",
    ];
    assert_survives("protocol", 256, &words, protocol);
}
