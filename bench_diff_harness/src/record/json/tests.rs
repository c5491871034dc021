//! The JSON reader against texts that are right, wrong and odd.

use miniserde::json::Value;

use super::*;
use crate::system::text;

#[derive(Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
struct Sample {
    text: String,
    number: Option<f64>,
    counts: Vec<u64>,
    inner: Option<Inner>,
}

#[derive(Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
struct Inner {
    flag: bool,
    line: u32,
}

fn sample() -> Sample {
    let inner = Some(Inner { flag: true, line: 7 });
    Sample { text: "a \"b\" \\ \u{1f600}".to_owned(), number: Some(-1.5e-7), counts: vec![0, 12], inner }
}

fn wrong_at(column: usize) -> String {
    format!("unexpected JSON at column {column}")
}

/// Reads a number as this crate does and as another one does.
#[track_caller]
fn is_exact(number: f64) {
    let text = to_string(&number);
    let back: f64 = from_str(&text).unwrap();
    assert_eq!(back.to_bits(), number.to_bits(), "{text}");
    let elsewhere: f64 = serde_json::from_str(&text).unwrap();
    assert_eq!(elsewhere.to_bits(), number.to_bits(), "{text}");
}

#[test]
fn numbers_come_back_to_the_last_bit() {
    let awkward =
        [0.1 + 0.2, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, -0.0, 0.01 / 3.0, 1e16, 1e22, 1e23];
    awkward.into_iter().for_each(is_exact);
    // The digits of the golden ratio: every exponent and any digits.
    let mut bits = 0_u64;
    for _ in 0..20_000 {
        bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = f64::from_bits(bits);
        if number.is_finite() {
            is_exact(number);
        }
    }
}

#[test]
fn whole_numbers_come_back() {
    for whole in [0, 1, (1 << 53) + 1, u64::MAX - 1, u64::MAX] {
        let text = to_string(&whole);
        assert_eq!(text, whole.to_string());
        assert_eq!(from_str(&text), Ok(whole));
    }
    assert_eq!(from_str("-3"), Ok(-3_i64));
    assert_eq!(from_str(&i64::MIN.to_string()), Ok(i64::MIN));
    assert_eq!(from_str::<u64>("18446744073709551616").unwrap_err(), wrong_at(1));
    assert_eq!(from_str::<u64>("1.0").unwrap_err(), wrong_at(1));
}

#[test]
fn numbers_are_written_as_ever() {
    let written =
        [1.0, -0.0, 0.1 + 0.2, 1e21, 5e-324, 12345.678, f64::NAN, f64::INFINITY].map(|n| to_string(&n));
    let expected = ["1.0", "-0.0", "0.30000000000000004", "1e+21", "5e-324", "12345.678", "null", "null"];
    assert_eq!(written, expected);
}

#[test]
fn numbers_of_others_are_read() {
    for (text, number) in
        [("1", 1.0), ("-2", -2.0), ("1E3", 1000.0), ("1e+3", 1000.0), ("0e0", 0.0), ("1e-999", 0.0)]
    {
        assert_eq!(from_str(text), Ok(number), "{text}");
    }
    let negative_zero: f64 = from_str("-0").unwrap();
    assert_eq!(negative_zero.to_bits(), (-0.0_f64).to_bits());
    for text in ["1e999", "01", "-01", "1.", "1.e5", "-.5", "-", "1e", "1-2", "--1"] {
        assert_eq!(from_str::<f64>(text).unwrap_err(), wrong_at(1), "{text}");
        assert!(serde_json::from_str::<f64>(text).is_err(), "{text}");
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
    assert_eq!(from_str(r#" "\u00e9\ud83d\ude00\/" "#), Ok("\u{e9}\u{1f600}/".to_owned()));
    for text in [r#""\ud83d""#, r#""\x""#, "\"a\tb\"", r#""\u12""#] {
        assert_eq!(from_str::<String>(text).unwrap_err(), wrong_at(1), "{text}");
        assert!(serde_json::from_str::<String>(text).is_err(), "{text}");
    }
}

#[test]
fn objects_come_back() {
    let sample = sample();
    let text = to_string(&sample);
    assert_eq!(from_str(&text), Ok(sample));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(from_str(&format!("\r\n{value:#}\t")), Ok(self::sample()), "in another order, with blanks");
}

#[test]
fn what_is_unknown_is_left_out_and_what_is_missing_is_none() {
    let text = r#"{"more":{"a":[1,-2,3.5,true,false,null,"",[],{}]},"text":"","counts":[],"again":null}"#;
    assert_eq!(
        from_str(text),
        Ok(Sample { text: String::new(), number: None, counts: Vec::new(), inner: None })
    );
}

#[test]
fn what_is_wrong_is_told() {
    for (text, column) in [
        ("", 1),
        ("hello", 1),
        ("[]", 1),
        ("\"text\"", 1),
        ("{}", 3),
        (r#"{"text":"","counts":[],"inner":{"flag":true}}"#, 45),
        (r#"{"text":5}"#, 9),
        (r#"{"text":{}}"#, 9),
        (r#"{"counts":[1,"2"]}"#, 14),
        (r#"{"counts":[-1]}"#, 12),
        (r#"{"inner":{"line":4294967296}}"#, 18),
        (r#"{"inner":{"flag":null}}"#, 18),
        ("{\"text\":\"\u{e9}\",}", 13),
        (r#"{"text" 5}"#, 9),
        (r#"{"counts":[1 2]}"#, 14),
        (r#"{"counts":[1}"#, 13),
        (r#"{"counts":[1,]}"#, 14),
        (r#"{"counts":[,1]}"#, 12),
        (r#"{"text":nul}"#, 9),
        (r#"{"text":"a"#, 9),
        (r#"{"text":"a\"#, 9),
        (r#"{"text":"a""#, 12),
        (r#"{"text":"","counts":[]} {"#, 25),
    ] {
        assert_eq!(from_str::<Sample>(text).unwrap_err(), wrong_at(column), "{text}");
    }
}

#[test]
fn what_is_cut_is_told() {
    let text = to_string(&sample());
    for (end, _) in text.char_indices() {
        assert!(from_str::<Sample>(&text[..end]).is_err(), "{}", &text[..end]);
    }
}

/// Every text that is one character away from JSON, read by another reader as well.
#[test]
fn what_is_json_is_agreed_upon() {
    let text = r#"{"a":[1,-2,3.5e-7,0.25],"b":{"c":null,"d":true},"e":"\u00e9\n","f":false,"g":""} "#;
    let characters = "\"\\{}[],:0129-+.eEuntrfa /\n\t\u{1}\u{e9}";
    let (mut read, mut refused) = (0, 0);
    for (at, old) in text.char_indices() {
        let rest = &text[at + old.len_utf8()..];
        for new in characters.chars() {
            for changed in [format!("{}{new}{rest}", &text[..at]), format!("{}{new}{old}{rest}", &text[..at])]
            {
                let ours = from_str::<Value>(&changed).map(|value| to_string(&value));
                let other = serde_json::from_str::<serde_json::Value>(&changed);
                let other = other.map(|value| text::json(value.to_string()));
                assert_eq!(ours.as_deref().ok(), other.as_deref().ok(), "{changed}: {ours:?}, {other:?}");
                *if ours.is_ok() { &mut read } else { &mut refused } += 1;
            }
        }
    }
    assert!(read > 500 && refused > 2000, "{read} read, {refused} refused");
}

#[test]
fn what_is_nested_too_deeply_is_told() {
    let nested = |depth: usize| format!("{{\"more\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let read = |depth| from_str::<Sample>(&nested(depth)).unwrap_err();
    assert_eq!(read(63), wrong_at(136));
    assert_eq!(read(64), wrong_at(72), "the 65th within each other");
    assert_eq!(read(1_000_000), read(64));
}
