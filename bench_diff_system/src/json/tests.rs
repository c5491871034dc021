//! What is written as JSON, and read.

use super::*;

#[test]
fn numbers_are_written_as_ever() {
    let written =
        [1.0, -0.0, 0.1 + 0.2, 1e21, 5e-324, 12345.678, f64::NAN, f64::INFINITY].map(|n| to_string(&n));
    let expected = ["1.0", "-0.0", "0.30000000000000004", "1e+21", "5e-324", "12345.678", "null", "null"];
    assert_eq!(written, expected);
    for whole in [0, 1, (1 << 53) + 1, u64::MAX - 1, u64::MAX] {
        assert_eq!(to_string(&whole), whole.to_string());
        assert_eq!(from_str(&to_string(&whole)), Ok(whole));
    }
}

#[test]
fn strings_come_back() {
    let control: String = (0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32).collect();
    for text in [
        "",
        "\"",
        "\\",
        "\\\"\\\\",
        "a/b",
        "line\nline\t",
        "\u{e9}\u{2028}\u{ffff}\u{1f600}\u{10ffff}",
        &control,
    ] {
        let json = to_string(text);
        assert!(!json.contains(['\n', '\r']), "one line: {json}");
        assert_eq!(from_str::<String>(&json).as_deref(), Ok(text), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text, "{json}");
    }
}

#[test]
fn what_is_nested_deeply_does_not_end_the_process() {
    assert!(from_str::<u64>(&"[".repeat(1_000_000)).is_err());
}
