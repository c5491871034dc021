//! Manifests whose dependencies on Criterion and divan become those of bench_diff.

use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};

/// The crates, and those that replace them.
const CRATES: [(&str, &str); 2] = [("criterion", "bench_diff_criterion"), ("divan", "bench_diff_divan")];

/// The keys of a dependency that stay as they are.
const KEPT: [&str; 3] = ["features", "default-features", "optional"];

/// Changes these dependencies in a manifest.
pub(crate) fn swap(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = fs::read_to_string(path)?;
    let mut changes = changes(&text)?;
    changes.sort_by_key(|(range, _)| range.start);
    for (range, dependency) in changes.into_iter().rev() {
        text.replace_range(range, &dependency);
    }
    Ok(fs::write(path, text)?)
}

/// A part of a manifest, and its replacement.
type Change = (Range<usize>, String);

/// The changes at these dependencies.
fn changes(text: &str) -> Result<Vec<Change>, Box<dyn Error>> {
    let document = DeTable::parse(text)?;
    let (mut changes, mut open) = (Vec::new(), vec![document.get_ref()]);
    while let Some(table) = open.pop() {
        for (key, value) in table {
            let stand_in = CRATES.iter().find(|(name, _)| key.get_ref() == name);
            match (stand_in, value.get_ref()) {
                (Some((_, package)), DeValue::String(_)) => {
                    changes.push((value.span(), dependency(package, text, &DeTable::new())));
                }
                (Some((_, package)), DeValue::Table(keys))
                    if !has(keys, "workspace") && has(keys, "version") =>
                {
                    if !text[value.span()].starts_with('{') {
                        return Err(format!("write the dependency `{}` in one line", key.get_ref()).into());
                    }
                    changes.push((value.span(), dependency(package, text, keys)));
                }
                (None, DeValue::Table(inner)) if key.get_ref() != "features" => open.push(inner),
                _ => {}
            }
        }
    }
    Ok(changes)
}

fn has(keys: &DeTable<'_>, name: &str) -> bool {
    keys.iter().any(|(key, _)| key.get_ref() == name)
}

fn dependency(package: &str, text: &str, keys: &DeTable<'_>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(package);
    let kept = keys.iter().filter(|(key, _)| KEPT.iter().any(|kept| key.get_ref() == kept));
    let kept: String =
        kept.map(|(key, value)| format!(", {} = {}", key.get_ref(), &text[value.span()])).collect();
    format!("{{ package = {package:?}, path = {path:?}{kept} }}")
}
