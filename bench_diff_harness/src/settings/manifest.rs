//! Settings in the manifest of a package: `[[package.metadata.bench_diff.settings]]` for benchmarks that have
//! no attribute, and the budget of a run.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use bench_diff_system::exit::Misuse;
use bench_diff_system::similar::similar;
use bench_diff_system::text::matches;
use toml::de::{DeTable, DeValue};

use super::grammar;
use super::pair_settings::PairSettings;

/// The settings in a manifest, each with a pattern for the names of benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ManifestSettings {
    rules: Vec<(String, PairSettings)>,
    /// The time for a run, unless a flag or an environment variable sets it.
    pub(crate) budget: Option<Duration>,
    /// The names of the benches. With only one, a rule can be for no other.
    pub(crate) benches: Vec<String>,
}

/// The path of our table in a manifest.
const OWN: [&str; 3] = ["package", "metadata", "bench_diff"];
const SETTINGS: &str = "settings";
const BUDGET: &str = "budget";
const PATH: &str = "package.metadata.bench_diff.settings";

impl ManifestSettings {
    /// Reads the settings in the manifest in this folder; `None` if there is no manifest.
    ///
    /// # Errors
    ///
    /// A mistake in the settings, with the path of the file.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, Misuse> {
        let path = folder.join("Cargo.toml");
        let found = match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        };
        found.map_err(|reason| Misuse(format!("{}: {reason}", path.display())))
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let document = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
        let benches = value(document.get_ref(), "bench").and_then(DeValue::as_array).into_iter().flatten();
        let name = |bench: &DeValue<'_>| Some(value(bench.as_table()?, "name")?.as_str()?.to_owned());
        let benches = benches.filter_map(|bench| name(bench.get_ref())).collect();
        let own = OWN.iter().try_fold(document.get_ref(), |table, key| value(table, key)?.as_table());
        let Some(own) = own else { return Ok(Self { benches, ..Self::default() }) };
        let mut keys = own.keys().map(toml::Spanned::get_ref);
        if let Some(key) = keys.find(|key| ![SETTINGS, BUDGET].contains(&key.as_ref())) {
            return Err(format!("unknown key `{}.{key}`: settings are in [[{PATH}]]", OWN.join(".")));
        }
        Ok(Self { rules: rules(own)?, budget: budget(own)?, benches })
    }

    /// The patterns that match none of these names, and so do nothing.
    pub(crate) fn unused(&self, names: &[&str]) -> Vec<&str> {
        let patterns = self.rules.iter().map(|(pattern, _)| &**pattern).filter(|_| self.benches.len() == 1);
        patterns.filter(|pattern| !names.iter().any(|name| matches(pattern, name))).collect()
    }

    /// The settings of the benchmark with this name. For each setting, and for the gate, the last
    /// matching entry counts.
    pub(crate) fn of(&self, name: &str) -> PairSettings {
        let matching = self.rules.iter().rev().filter(|(pattern, _)| matches(pattern, name));
        matching.fold(PairSettings::NONE, |settings, (_, earlier)| {
            let mut earlier = *earlier;
            if settings.gate().is_some() {
                (earlier.max_slowdown, earlier.min_speedup) = (None, None);
                (earlier.max_difference, earlier.report_only) = (None, None);
            }
            settings.with_fallback(&earlier)
        })
    }
}

/// The value of a key.
fn value<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeValue<'i>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value.get_ref())
}

fn rules(own: &DeTable<'_>) -> Result<Vec<(String, PairSettings)>, String> {
    let Some(tables) = value(own, SETTINGS) else { return Ok(Vec::new()) };
    let tables = tables
        .as_array()
        .ok_or_else(|| format!("`{PATH}` has to be a list: write [[{PATH}]] above each entry"))?;
    tables.iter().map(|table| rule(table.get_ref().as_table().unwrap_or(&DeTable::new()))).collect()
}

fn budget(own: &DeTable<'_>) -> Result<Option<Duration>, String> {
    let Some(given) = value(own, BUDGET) else { return Ok(None) };
    let budget = given.as_str().map_or(Err("expected a text such as \"10min\""), grammar::time_limit);
    budget.map(Some).map_err(|expected| format!("`{}.{BUDGET}`: {expected}", OWN.join(".")))
}

fn rule(table: &DeTable<'_>) -> Result<(String, PairSettings), String> {
    let name = value(table, "name").and_then(DeValue::as_str);
    let name = name.ok_or_else(|| format!("an entry of `{PATH}` lacks a `name`"))?;
    let mut settings = PairSettings::NONE;
    for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != "name") {
        let key = key.get_ref().as_ref();
        let origin = || format!("`{key}` of the benchmarks `{name}`");
        if !PairSettings::NAMES.contains(&key) {
            let tip = similar(key, PairSettings::NAMES).map(|name| format!("; did you mean `{name}`?"));
            return Err(format!("{} is not a setting{}", origin(), tip.unwrap_or_default()));
        }
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(is_on) => is_on.to_string(),
            _ => return Err(format!("{} has to be a string, a number or a boolean", origin())),
        };
        settings.read(key, &text).map_err(|expected| format!("{} is {text}: {expected}", origin()))?;
    }
    if gates(&settings) > 1 {
        return Err(format!("the benchmarks `{name}` have several limits in one entry: keep one of {GATES}"));
    }
    Ok((name.to_owned(), settings))
}

const GATES: &str = "`max_slowdown`, `min_speedup`, `max_difference` and `report_only`";

/// The number of gates that are set.
fn gates(settings: &PairSettings) -> usize {
    let PairSettings { max_slowdown, min_speedup, max_difference, report_only, .. } = settings;
    let margins = [max_slowdown, min_speedup, max_difference].into_iter().flatten().count();
    margins + usize::from(*report_only == Some(true))
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Gate;

    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n\n\
        [[package.metadata.bench_diff.settings]]\nname = \"parse/*\"\nmax_slowdown = \"5%\"\nbeta = 0.1\n\
        [[package.metadata.bench_diff.settings]]\nname = \"parse/huge file\"\nreport_only = true\n";

    #[test]
    fn a_later_entry_overrides_an_earlier_one() {
        let all = ManifestSettings::parse(MANIFEST).unwrap();
        let settings = all.of("parse/small");
        assert_eq!((settings.gate(), settings.beta), (Some(Gate::MaxSlowdown(0.05)), Some(0.1)));
        let settings = all.of("parse/huge file");
        assert_eq!((settings.gate(), settings.beta), (Some(Gate::ReportOnly), Some(0.1)));
        assert_eq!(all.of("print"), PairSettings::NONE);
        let entry = |lines: &str| format!("[[{PATH}]]\n{lines}\n");
        let shown = entry("name = \"*\"\nreport_only = true\nbeta = 0.2");
        let judged = entry("name = \"parse/*\"\nmax_slowdown = \"5%\"");
        let all = ManifestSettings::parse(&(shown + &judged)).unwrap();
        let settings = all.of("parse/small");
        assert_eq!((settings.gate(), settings.beta), (Some(Gate::MaxSlowdown(0.05)), Some(0.2)));
        assert_eq!(all.of("print").gate(), Some(Gate::ReportOnly));
        let [limit, shown, again] = [
            "*\"\nmax_slowdown = \"5%\"",
            "parse/*\"\nreport_only = true",
            "parse/small\"\nreport_only = false",
        ]
        .map(|lines| entry(&format!("name = \"{lines}")));
        let all = ManifestSettings::parse(&(limit + &shown + &again)).unwrap();
        let gates = ["parse/small", "parse/large"].map(|name| all.of(name).gate());
        assert_eq!(gates, [Gate::MaxSlowdown(0.05), Gate::ReportOnly].map(Some));
        assert_eq!(ManifestSettings::parse("[package]\nname = \"a\"\n"), Ok(ManifestSettings::default()));
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_unused_if_there_is_one_bench() {
        let unused = |benches: &str| {
            let settings = ManifestSettings::parse(&format!("{benches}{MANIFEST}")).unwrap();
            settings.unused(&["parse/small", "print"]).len()
        };
        let bench = "[[bench]]\nname = \"b\"\n";
        assert_eq!([unused(bench), unused(&bench.repeat(2)), unused("")], [1, 0, 0]);
    }

    #[test]
    fn a_budget_is_a_time_above_zero() {
        let parse = |line: &str| ManifestSettings::parse(&format!("[package.metadata.bench_diff]\n{line}\n"));
        assert_eq!(parse("budget = \"10min\"").unwrap().budget, Some(Duration::from_secs(600)));
        assert_eq!(parse("").unwrap().budget, None);
        for line in ["budget = 10", "budget = \"0s\"", "budget = \"much\""] {
            let error = parse(line).unwrap_err();
            assert!(error.starts_with("`package.metadata.bench_diff.budget`: expected "), "{error}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let error = |lines: &str| {
            ManifestSettings::parse(&format!("[[package.metadata.bench_diff.settings]]\n{lines}"))
                .unwrap_err()
        };
        assert_eq!(
            error("name = \"a\"\nmax_slow = 1"),
            "`max_slow` of the benchmarks `a` is not a setting; did you mean `max_slowdown`?"
        );
        assert!(error("beta = 0.2").ends_with("lacks a `name`"));
        let wrong = error("name = \"a\"\nmax_slowdown = \"much\"");
        assert!(wrong.starts_with("`max_slowdown` of the benchmarks `a` is much: expected"), "{wrong}");
        let two = error("name = \"a\"\nmax_slowdown = 0.1\nreport_only = true");
        assert!(two.starts_with("the benchmarks `a` have several limits"), "{two}");
        let unknown = ManifestSettings::parse("[[package.metadata.bench_diff.setting]]\nname = \"a\"");
        assert!(unknown.unwrap_err().starts_with("unknown key `package.metadata.bench_diff.setting`: "));
        let one =
            ManifestSettings::parse("[package.metadata.bench_diff.settings]\nname = \"a\"").unwrap_err();
        assert!(one.contains("has to be a list"), "{one}");
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(ManifestSettings::read(folder.path()), Ok(None));
        fs::write(folder.path().join("Cargo.toml"), "a = ").unwrap();
        assert!(ManifestSettings::read(folder.path()).unwrap_err().0.contains("Cargo.toml: "));
    }
}
