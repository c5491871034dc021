//! Manifests whose dependencies on Criterion and divan become those of bench_diff.

use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};

/// The crates, and those that replace them.
const CRATES: [(&str, &str); 4] = [
    ("codspeed-criterion-compat", "bench_diff_criterion"),
    ("codspeed-divan-compat", "bench_diff_divan"),
    ("criterion", "bench_diff_criterion"),
    ("divan", "bench_diff_divan"),
];

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
            // Cargo allows a package under one name, and benches with both dependencies use CodSpeed's.
            let is_second = |name: &str| text.contains(&format!("codspeed-{name}-compat"));
            let mut stand_ins = CRATES.iter().filter(|(name, _)| !is_second(name));
            let stand_in = stand_ins.find(|(name, _)| key.get_ref() == name);
            match (stand_in, value.get_ref()) {
                (Some((_, package)), DeValue::String(_)) => {
                    changes.push((value.span(), format!("{{ {} }}", source(package, ", "))));
                }
                (Some((_, package)), DeValue::Table(keys)) if !has(keys, "workspace") => {
                    let version = keys.iter().find(|(key, _)| key.get_ref() == "version");
                    let between = if text[value.span()].starts_with('{') { ", " } else { "\n" };
                    changes.extend(version.map(|(version, value)| {
                        (version.span().start..value.span().end, source(package, between))
                    }));
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

/// The keys that name the crate which replaces one, instead of its version.
fn source(package: &str, between: &str) -> String {
    let folder = package.replace("bench_diff_", "drop_in/");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(folder);
    format!("package = {package:?}{between}path = {path:?}")
}
