//! Makes a configuration from the command line and the environment.

use bench_diff_system::exit::Misuse;
use bench_diff_system::similar::similar;

use super::choices::When;
use super::cli::Typed;
use super::config::{Against, Config, FileFormat, Format, Ignored, Mode, Selection, TimeLimit};
use super::environment::{Environment, PREFIX, Surroundings};
use super::grammar::{self, Written};
use super::pair_settings::PairSettings;
use super::setting::{Effect, Given, Setting, find};
use super::table::SETTINGS;

impl Config {
    /// What the command line and the environment ask for.
    ///
    /// # Errors
    ///
    /// A wrong value, or flags that cannot be used together.
    pub(crate) fn new(typed: Typed, environment: &Environment) -> Result<Self, Misuse> {
        let given = all_given(&typed, environment)?;
        refuse_without_against(&given)?;
        let is_on = |name| find(&given, name).is_some();
        let all = |name| given.iter().filter(move |given| given.setting.name == name);
        let mut pairs = PairSettings::NONE;
        let mut reports = Vec::new();
        for given in &given {
            let name = given.setting.name;
            given.read(|text| pairs.read(name, if given.setting.is_switch() { "1" } else { text }))?;
            if let Ok(format) = FileFormat::read(name) {
                given.require_path()?;
                reports.push((format, given.clone()));
            }
        }
        let format = read(&given, "format", Format::read)?.unwrap_or_default();
        let is_terse = is_on("quiet") && !find(&given, "format").is_some_and(|format| format.is_flag);
        let time = read(&given, "timeout", grammar::time_limit)?;
        let color = read(&given, "color", When::read)?.unwrap_or_default();
        Ok(Self {
            mode: if is_on("list") {
                Mode::List
            } else if is_on("bench") && !is_on("test") {
                Mode::Measure
            } else {
                Mode::Test
            },
            selection: Selection {
                filters: typed.filters,
                skip: all("skip").map(|given| given.text().to_owned()).collect(),
                exact: is_on("exact"),
                ignored: if is_on("include-ignored") {
                    Ignored::Included
                } else if is_on("ignored") {
                    Ignored::Only
                } else {
                    Ignored::Skipped
                },
            },
            pairs,
            seed: read(&given, "seed", grammar::seed)?,
            against: Against {
                name: read(&given, "against", grammar::revision)?,
                benches: read(&given, "against-benches", bench_diff_revision::Benches::read)?
                    .unwrap_or_default(),
                package: read(&given, "against-package", grammar::package)?,
            },
            no_proof: is_on("no-proof"),
            layouts_on_macos: is_on("layouts-on-macos"),
            timeout: time
                .zip(find(&given, "timeout"))
                .map(|(time, given)| TimeLimit { time, source: given.source() }),
            budget: read(&given, "budget", grammar::time_limit)?,
            strict: is_on("strict"),
            fail_fast: is_on("fail-fast"),
            format: if is_terse { Format::Terse } else { format },
            verbose: is_on("verbose"),
            reports,
            github: read(&given, "github", When::read)?.unwrap_or_default(),
            color: if color == When::Auto { When::colors(environment) } else { color },
            surroundings: Surroundings::of(environment),
            given,
        })
    }
}

/// The value of a setting, if it was given.
fn read<T>(given: &[Given], name: &str, read: impl FnOnce(&str) -> Written<T>) -> Result<Option<T>, Misuse> {
    find(given, name).map(|given| given.read(read)).transpose()
}

/// The settings that were given, in the order of the help: each by its flag, or else by its variable.
///
/// # Errors
///
/// A variable that looks like a setting and is not, or a switch that is neither on nor off.
pub(super) fn all_given(typed: &Typed, environment: &Environment) -> Result<Vec<Given>, Misuse> {
    let is_unknown =
        |name: &&String| !SETTINGS.iter().any(|setting| setting.variable().as_ref() == Some(*name));
    // Variables come in no particular order.
    if let Some(name) = environment.settings().filter(is_unknown).min() {
        return Err(unknown_variable(name));
    }
    let mut all = Vec::new();
    for setting in &SETTINGS {
        let typed = || typed.flags.iter().filter(|given| given.setting.name == setting.name);
        all.extend(typed().cloned());
        let Some(origin) = setting.variable() else { continue };
        let Some(value) = environment.setting(&origin)?.filter(|_| typed().next().is_none()) else {
            continue;
        };
        let given = Given { setting, origin, is_flag: false, value: Some(value.to_owned()) };
        if !setting.is_switch() {
            all.push(given);
        } else if given.read(grammar::switch)? {
            all.push(Given { value: None, ..given });
        }
    }
    Ok(all)
}

fn unknown_variable(name: &str) -> Misuse {
    let variables: Vec<String> = SETTINGS.iter().filter_map(Setting::variable).collect();
    // The common prefix would make all of them look similar.
    let without_prefix = |name| str::trim_start_matches(name, PREFIX);
    let endings: Vec<&str> = variables.iter().map(|variable| without_prefix(variable)).collect();
    let tip = match similar(without_prefix(name), &endings) {
        Some(similar) => format!("a similar variable exists: '{PREFIX}{similar}'"),
        None => format!("the variables are {}", variables.join(", ")),
    };
    Misuse(format!("unexpected variable '{name}' found in the environment\n\n  tip: {tip}"))
}

/// Refuses flags about another revision without one. Environment variables are not refused, since a job may
/// set them for its other steps.
fn refuse_without_against(given: &[Given]) -> Result<(), Misuse> {
    let is_useless = |given: &&Given| given.is_flag && given.setting.effect == Effect::Comparing;
    match given.iter().find(is_useless) {
        Some(flag) if find(given, "against").is_none() => {
            Err(Misuse(format!("{} needs `--against`", flag.origin)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bench_diff_core::{JudgeKind, Seed};

    use super::*;
    use crate::fixture::config_in as config;
    use crate::settings::choices::Layouts;

    #[test]
    fn flags_about_results_are_refused_if_nothing_is_measured() {
        let refused = |line: &str, environment: &[_]| {
            config(line, environment).unwrap().refuse_results_of_tests().is_err()
        };
        for flag in ["--alpha 2%", "--strict", "--against a", "--json a.json"] {
            assert!(refused(flag, &[]) && !refused(&format!("{flag} --bench"), &[]), "{flag}");
        }
        assert!(!refused("--max-time 1s --format json", &[]) && !refused("", &[("BENCH_DIFF_STRICT", "1")]));
        assert!(!refused("--list --format json", &[]) && !refused("--list --format terse --strict", &[]));
    }

    #[test]
    fn the_mode_follows_cargo() {
        let mode = |line| config(line, &[]).unwrap().mode;
        assert_eq!(mode("--bench"), Mode::Measure);
        assert_eq!(mode(""), Mode::Test);
        assert_eq!(mode("--test --bench"), Mode::Test);
        assert_eq!(mode("--list --test --bench"), Mode::List);
    }

    #[test]
    fn a_flag_overrides_the_environment() {
        let both = config("--alpha 2%", &[("BENCH_DIFF_ALPHA", "3%")]).unwrap();
        assert_eq!(both.pairs.alpha, Some(0.02));
        let environment = config("", &[("BENCH_DIFF_ALPHA", "3%"), ("BENCH_DIFF_MAX_TIME", "")]).unwrap();
        assert_eq!(environment.pairs.alpha, Some(0.03));
        assert_eq!(environment.pairs.max_time, None, "an empty variable is unset");
    }

    #[test]
    fn every_setting_has_a_meaning_and_a_variable() {
        let given = "judge=welch max-slowdown=5% max-allocations=0% ignore-below=0.5ns alpha=0.02 max-time=3s \
            layouts=linked max-rounds=60 budget=10min seed=8f3a format=json";
        let mut flags = Vec::new();
        let mut variables = Vec::new();
        for (name, value) in given.split(' ').filter_map(|pair| pair.split_once('=')) {
            let setting = SETTINGS.iter().find(|setting| setting.name == name).unwrap();
            flags.push(format!("--{name} {value}"));
            variables.push((setting.variable().unwrap(), value));
        }
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let from_flags = config(&flags.join(" "), &[]).unwrap();
        assert_eq!(
            Config { given: Vec::new(), ..from_flags.clone() },
            Config { given: Vec::new(), ..config("", &variables).unwrap() },
            "except for the sources"
        );
        assert!(from_flags.is_typed("alpha") && !config("", &variables).unwrap().is_typed("alpha"));
        assert_eq!(
            from_flags.pairs,
            PairSettings {
                judge: Some(JudgeKind::Welch),
                max_slowdown: Some(0.05),
                alpha: Some(0.02),
                max_time: Some(Duration::from_secs(3)),
                layouts: Some(Layouts::Linked),
                max_rounds: Some(60),
                max_allocations: Some(0.0),
                ignore_below: Some(0.5),
                ..PairSettings::NONE
            }
        );
        assert_eq!(
            (from_flags.seed, from_flags.budget),
            (Some(Seed(0x8f3a)), Some(Duration::from_secs(600)))
        );
        assert_eq!(from_flags.format, Format::Json);
    }

    #[test]
    fn switches_have_variables() {
        let on = config("--strict", &[("BENCH_DIFF_FAIL_FAST", "1")]).unwrap();
        assert!(on.strict && on.fail_fast);
        assert!(!config("", &[("BENCH_DIFF_STRICT", "0")]).unwrap().strict);
        let error = config("", &[("BENCH_DIFF_STRICT", "yes")]).unwrap_err().0;
        assert!(error.contains("'yes' for 'BENCH_DIFF_STRICT'"), "{error}");
    }

    #[test]
    fn a_time_limit_names_its_source() {
        let source = |line, environment: &[_]| config(line, environment).unwrap().timeout.map(|it| it.source);
        assert_eq!(source("--timeout 5s", &[("BENCH_DIFF_TIMEOUT", "1s")]).as_deref(), Some("--timeout 5s"));
        assert_eq!(source("", &[("BENCH_DIFF_TIMEOUT", "1s")]).as_deref(), Some("BENCH_DIFF_TIMEOUT=1s"));
        assert_eq!(source("", &[]), None);
        assert!(config("--timeout 0s", &[]).is_err());
    }

    #[test]
    fn an_unknown_variable_of_ours_is_an_error() {
        assert_eq!(config("", &[("BENCH_DIFF_ALPHA", "1%")]).unwrap().pairs.alpha, Some(0.01));
        let error = config("", &[("BENCH_DIFF_MAX_SLOWDWON", "9%")]).unwrap_err().0;
        assert_eq!(
            error,
            "unexpected variable 'BENCH_DIFF_MAX_SLOWDWON' found in the environment\n\n  \
             tip: a similar variable exists: 'BENCH_DIFF_MAX_SLOWDOWN'"
        );
        let error = config("", &[("BENCH_DIFF_X", "9%")]).unwrap_err().0;
        assert!(error.ends_with("BENCH_DIFF_HTML, BENCH_DIFF_GITHUB"), "{error}");
    }

    #[test]
    fn the_first_unknown_variable_by_name_is_reported() {
        let all = ["BENCH_DIFF_Y", "BENCH_DIFF_X", "BENCH_DIFF_Z"].map(|name| (name, "1"));
        let error = config("", &all).unwrap_err().0;
        assert!(error.contains("'BENCH_DIFF_X'"), "{error}");
    }

    #[test]
    fn a_bad_value_names_its_source() {
        let flag = config("--alpha 7", &[]).unwrap_err().0;
        assert!(flag.contains("'7' for '--alpha': expected an error rate"), "{flag}");
        let variable = config("", &[("BENCH_DIFF_ALPHA", "7")]).unwrap_err().0;
        assert!(variable.contains("'7' for 'BENCH_DIFF_ALPHA'"), "{variable}");
        let judge = config("--judge bayes", &[]).unwrap_err().0;
        assert!(judge.contains("expected sequential or welch"), "{judge}");
    }

    #[test]
    fn quiet_is_terse_unless_a_format_is_given() {
        assert_eq!(config("-q", &[]).unwrap().format, Format::Terse);
        assert_eq!(config("-q --format json", &[]).unwrap().format, Format::Json);
        assert_eq!(
            config("-q", &[("BENCH_DIFF_FORMAT", "json")]).unwrap().format,
            Format::Terse,
            "a flag overrides a variable"
        );
    }

    #[test]
    fn colours_follow_the_conventions() {
        let color = |line, environment: &[_]| config(line, environment).unwrap().color;
        assert_eq!(color("", &[]), When::Auto);
        assert_eq!(color("--color always", &[("NO_COLOR", "1")]), When::Always);
        assert_eq!(color("", &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")]), When::Never);
        assert_eq!(color("", &[("FORCE_COLOR", "1"), ("CLICOLOR", "0")]), When::Always);
        assert_eq!(color("", &[("CLICOLOR_FORCE", "0"), ("CLICOLOR", "0")]), When::Never);
        assert_eq!(color("", &[("CARGO_TERM_COLOR", "always")]), When::Always);
        assert_eq!(color("", &[("CARGO_TERM_COLOR", "purple")]), When::Auto);
        assert!(config("--color purple", &[]).is_err());
    }

    #[test]
    fn a_repetition_has_the_flags_that_can_change_a_verdict() {
        let repeat = |line| config(line, &[("BENCH_DIFF_ALPHA", "3%")]).unwrap().repeated();
        assert_eq!(repeat("--seed 1 --format json x"), ["--alpha", "3%"]);
        assert_eq!(repeat("--strict --ignored"), ["--alpha", "3%", "--strict", "--include-ignored"]);
    }
}
