//! The flags by their names and letters.

use crate::settings::setting::Setting;
use crate::settings::table::SETTINGS;

pub(in crate::settings) const USAGE: &str = "cargo bench [FILTER...] -- [OPTIONS]";

/// Flags of cargo that are easily put behind the `--`.
pub(super) const OF_CARGO: [&str; 6] =
    ["features", "no-fail-fast", "no-run", "package", "profile", "workspace"];

/// The names of those that have one.
pub(super) fn names() -> Vec<&'static str> {
    SETTINGS.iter().map(|flag| flag.name).filter(|name| !name.is_empty()).collect()
}

/// The flag of this name.
pub(super) fn named(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|flag| flag.name == name && !name.is_empty())
}

/// The flag of this letter.
pub(super) fn lettered(letter: char) -> Option<&'static Setting> {
    SETTINGS.iter().find(|flag| flag.letter == Some(letter))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_flag_is_found_by_a_name_of_its_own() {
        let names: Vec<&str> = SETTINGS.iter().map(|flag| flag.name).collect();
        let different: BTreeSet<&str> = names.iter().copied().chain(OF_CARGO).collect();
        assert_eq!(different.len(), names.len() + OF_CARGO.len());
        assert!(SETTINGS.iter().all(|flag| flag.letter == Some('Z') || named(flag.name).is_some()));
        assert!(named("").is_none());
        let letters: Vec<char> = SETTINGS.iter().filter_map(|flag| flag.letter).collect();
        assert_eq!(letters, ['q', 'h', 'Z', 'v']);
    }
}
