//! The help: every flag, with the value in force and its source.

use bench_diff_report::Format;
use bench_diff_system::exit::Misuse;
use bench_diff_system::wrap::wrapped;
use unicode_width::UnicodeWidthStr;

use super::choices::Layouts;
use super::cli::{Typed, USAGE};
use super::environment::Environment;
use super::pair_settings::defaults;
use super::reading::all_given;
use super::setting::{Effect, Given, Setting};
use super::table::SETTINGS;

const AFTER: [&str; 4] = [
    "Every flag, except those under \"Selection and output\", can be set as an environment \
     variable: BENCH_DIFF_MAX_SLOWDOWN=5%, BENCH_DIFF_STRICT=1. Flags override environment variables, which \
     override the attribute, which overrides the default.",
    "The PATH of a report is relative to the package, and may contain {package} and {bench}.",
    "Exit codes: 0 if no function failed, without --strict even if some are inconclusive; 101 if a function failed, with \
     --strict also if one is inconclusive, with --test any error; 2 for an invalid flag or value; 3 if something could not \
     be measured, built or written, or no benchmark is declared. Without --test, 3 wins over 101; with --strict, a run with \
     --against that could compare nothing ends with 3 too. With --no-fail-fast, cargo itself turns 2 and 3 into 101.",
    "If cargo prints `error: Unrecognized option`: it also started the standard harness of a library or a \
     binary. Set `bench = false` in its [lib] or [[bin]] section.",
];

/// A label with its help.
type Entry = (String, String);

/// The help, wrapped at the width of the terminal if there is one.
pub(crate) fn help(typed: &Typed, environment: &Environment, width: Option<usize>) -> Result<String, Misuse> {
    let given = all_given(typed, environment)?;
    let mut help = format!("Usage: {USAGE}\n");
    let filters = "Run only benchmarks whose name contains one of these";
    section(&mut help, "Arguments", &[("[FILTER]...".to_owned(), filters.to_owned())], width);
    for settings in SETTINGS.chunk_by(|one, next| one.effect.heading() == next.effect.heading()) {
        let shown = settings.iter().filter(|setting| !setting.help.is_empty());
        let entries: Vec<Entry> = shown.map(|setting| entry(setting, &given)).collect();
        section(&mut help, settings[0].effect.heading(), &entries, width);
    }
    for paragraph in AFTER {
        help += &format!("\n{}\n", wrapped(paragraph, "", width).join("\n"));
    }
    Ok(help)
}

fn entry(setting: &Setting, given: &[Given]) -> Entry {
    let letter = setting.letter.map_or_else(|| " ".repeat(4), |letter| format!("-{letter}, "));
    let in_force = match setting.effect {
        Effect::Selecting => String::new(),
        _ => format!(" [{}]", in_force(setting, given)),
    };
    (format!("{letter}{}", setting.with_value()), format!("{}{in_force}", setting.help))
}

fn in_force(setting: &Setting, given: &[Given]) -> String {
    let given = given.iter().filter(|given| given.setting == setting);
    let given: Vec<String> = given
        .map(|given| format!("{}, from {}", given.value.as_deref().unwrap_or("on"), given.origin))
        .collect();
    let mut values = Vec::new();
    if !given.is_empty() {
        values.push(format!("now: {}", given.join("; ")));
    }
    values.extend(default_of(setting.name).map(|default| format!("default: {default}")));
    if values.is_empty() { "off".to_owned() } else { values.join("; ") }
}

/// The default of a setting, if it has one.
fn default_of(name: &str) -> Option<String> {
    let plan = defaults::plan();
    Some(match name {
        "judge" => plan.judge.name().to_owned(),
        "max-slowdown" => format!("{}%", defaults::MARGIN * 100.0),
        "alpha" => plan.alpha.to_string(),
        "max-time" => format!("{:?}", plan.max_time),
        "layouts" => Layouts::default().name().to_owned(),
        "max-rounds" => plan.max_rounds?.to_string(),
        "seed" => "a new one".to_owned(),
        "against-benches" => bench_diff_revision::Benches::default().name().to_owned(),
        "timeout" | "budget" => "none".to_owned(),
        "format" => Format::default().name().to_owned(),
        "github" => "auto, if GITHUB_ACTIONS is true".to_owned(),
        _ => return None,
    })
}

/// Adds a section with the texts to the right of their labels, or below them if the labels take more than
/// half of the width.
fn section(help: &mut String, heading: &str, entries: &[Entry], width: Option<usize>) {
    let longest = entries.iter().map(|(label, _)| label.width()).max().unwrap_or_default();
    let column = 2 + longest + 2;
    let is_below = width.is_some_and(|width| {
        let is_narrow = column * 2 > width;
        is_narrow && entries.iter().any(|(_, text)| column + text.width() > width)
    });
    let column = if is_below { 10 } else { column };
    *help += &format!("\n{heading}:\n");
    for (label, text) in entries {
        let mut lines = wrapped(text, &" ".repeat(column), width);
        if is_below {
            lines.insert(0, format!("  {label}"));
        } else {
            lines[0] = format!("  {label:longest$}  {}", &lines[0][column..]);
        }
        *help += &(lines.join("\n") + "\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::is_expected;

    fn without_flags(width: Option<usize>) -> String {
        help(&Typed::default(), &Environment::default(), width).unwrap()
    }

    #[test]
    fn the_whole_help() {
        is_expected("settings/expected/help.txt", &without_flags(None));
        is_expected("settings/expected/help_in_60_columns.txt", &without_flags(Some(60)));
    }

    fn laid_out(width: usize) -> String {
        let entry = |label: &str, text: &str| (label.to_owned(), text.to_owned());
        let mut help = String::new();
        let entries = [entry("-a", "One word"), entry("--longer", "Some more words")];
        section(&mut help, "Letters", &entries, Some(width));
        help
    }

    #[test]
    fn texts_are_beside_their_labels() {
        let expected = "\nLetters:\n  -a        One word\n  --longer  Some more words\n";
        assert_eq!(laid_out(27), expected);
        assert_eq!(laid_out(1_000), expected);
    }

    #[test]
    fn texts_are_below_their_labels_if_there_is_no_room() {
        assert_eq!(
            laid_out(23),
            "
Letters:
  -a
          One word
  --longer
          Some more
          words
"
        );
        assert_eq!(laid_out(9).lines().nth(3), Some("          One"));
    }

    #[test]
    fn long_texts_continue_in_their_column() {
        let mut help = String::new();
        let text = "Words that go on until there is an end".to_owned();
        section(&mut help, "Letters", &[("-a".to_owned(), text)], Some(30));
        assert_eq!(help, "\nLetters:\n  -a  Words that go on until\n      there is an end\n");
    }
}
