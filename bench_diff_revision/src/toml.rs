//! Reads, changes and writes TOML files. Comments and layout are lost, the content stays.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

use bench_diff_system::json;
use bench_diff_system::order::map;
use toml::de::{DeTable, DeValue, Error};

pub(super) type Table = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Table(Table),
    Array(Vec<Value>),
    Text(String),
    /// A number, a boolean or a date, as written in the file.
    Other(String),
}

/// Reads a TOML document.
///
/// # Errors
///
/// Its first syntax error.
pub(super) fn parse(text: &str) -> Result<Table, Error> {
    DeTable::parse(text).map(|document| table(document.get_ref()))
}

fn table(entries: &DeTable<'_>) -> Table {
    map(entries.iter().map(|(key, entry)| (key.get_ref().to_string(), value(entry.get_ref()))))
}

fn value(parsed: &DeValue<'_>) -> Value {
    match parsed {
        DeValue::Table(entries) => Value::Table(table(entries)),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| value(item.get_ref())).collect()),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Other(number.to_string()),
        DeValue::Float(number) => Value::Other(number.to_string()),
        DeValue::Boolean(is_true) => Value::Other(is_true.to_string()),
        DeValue::Datetime(date) => Value::Other(date.to_string()),
    }
}

/// The document, with each entry of the root on its own line, and everything below it inline.
pub(super) fn document(root: &Table) -> String {
    root.iter().fold(String::new(), |mut document, (key, value)| {
        let _ = writeln!(document, "{} = {value}", quoted(key));
        document
    })
}

/// A TOML string; TOML's basic strings have the same escapes as JSON.
pub(super) fn quoted(text: &str) -> String {
    json::to_string(text).replace('\u{7f}', "\\u007f")
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{} = {value}", quoted(key)));
                write!(f, "{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
            Self::Array(items) => {
                let items = items.iter().map(ToString::to_string);
                write!(f, "[{}]", items.collect::<Vec<_>>().join(", "))
            }
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Other(token) => f.write_str(token),
        }
    }
}

impl Value {
    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    pub(super) fn as_table_mut(&mut self) -> Option<&mut Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    /// The items of an array; empty for any other value.
    pub(super) fn items(&self) -> &[Value] {
        if let Self::Array(items) = self { items } else { &[] }
    }
}

/// The table with this key in another one; `None` if it is missing or not a table.
pub(super) fn table_at<'t>(table: &'t Table, key: &str) -> Option<&'t Table> {
    table.get(key)?.as_table()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_keeps_its_content_when_it_is_written_again() {
        let text = "cargo-features = [\"x\"] # first\n\
            [package]\nname = 'a \"b\"'\nversion = \"1.0.0\"\nedition.workspace = true\n\
            [features]\ndefault = []\n\"odd key\" = [\n  \"b\", # second\n]\n\
            [[bench]]\nname = \"one\"\nharness = false\n[[bench]]\nname = \"two\"\n\
            [target.'cfg(unix)'.dev-dependencies]\nlibc = { version = \"0.2\", optional = false }\n\
            [profile.bench]\nopt-level = 3\nlto = \"fat\"\n\
            [package.metadata]\nfloat = 1.5\ndate = 1979-05-27T07:32:00Z\ntext = \"\"\"\nline\n\ttab\\u007f\"\"\"\n";
        let read = parse(text).unwrap();
        assert_eq!(parse(&document(&read)).unwrap(), read);
        assert_eq!(table_at(&read, "package").unwrap()["name"].as_text(), Some("a \"b\""));
        assert_eq!(read["bench"].items().len(), 2);
        assert_eq!(table_at(&read, "bench"), None);
    }

    #[test]
    fn a_mistake_is_reported() {
        assert!(parse("a = ").unwrap_err().message().contains("value"), "{:?}", parse("a = "));
    }
}
