//! What cargo says of a build that fails: its first error, whether the compiler or cargo refuses the sources,
//! and whether that is because of the bench.

use std::path::Path;

use super::program::Missing;

/// The most lines of cargo's output that are shown.
const SHOWN: usize = 30;

/// The reason why the old side could not be built.
pub(super) struct BuildError {
    pub(super) reason: String,
    /// The first error of the compiler or of cargo, if one of them refuses the sources or the manifests.
    pub(super) refusal: Option<String>,
    /// True if it is the bench or what it needs that is refused, and not its library.
    pub(super) is_of_bench: bool,
    /// The reason if it has no such bench, which is no failure.
    pub(super) missing: Option<Missing>,
}

impl BuildError {
    /// The error of a call in which cargo said this about a tree, after the words of `start`.
    pub(super) fn of(words: &str, start: &str, tree: &Path) -> Self {
        let refusal = refusal(words, tree).map(str::to_owned);
        let is_of_bench = refusal.is_some() && !words.contains(NOT_COMPILED);
        Self { reason: format!("{start}{words}"), refusal, is_of_bench, missing: None }
    }
}

impl From<String> for BuildError {
    fn from(reason: String) -> Self {
        Self { reason, refusal: None, is_of_bench: false, missing: None }
    }
}

impl From<Missing> for BuildError {
    fn from(why: Missing) -> Self {
        Self { missing: Some(why), ..String::new().into() }
    }
}

impl From<BuildError> for String {
    fn from(error: BuildError) -> Self {
        error.reason
    }
}

/// Cargo's output from the first error on, in a few lines.
pub fn shortened(words: &str) -> String {
    first_lines(words.find("\nerror").map_or(words, |before| &words[before + 1..]))
}

/// The first lines of a text.
pub(super) fn first_lines(words: &str) -> String {
    let lines: Vec<&str> = words.lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN)].join("\n");
    if lines.len() > SHOWN {
        shown += &format!("\n... ({} lines more)", lines.len() - SHOWN);
    }
    shown
}

/// What cargo says if it refuses what it reads. Anything else, such as a download that fails, says nothing
/// about the tree.
const REFUSALS: [&str; 4] = [
    "failed to select a version",
    "no matching package",
    "requires the features",
    "failed to parse manifest",
];

/// The first error in cargo's output, if cargo or the compiler refuses what they read because of it. A
/// compiler or linker that was killed, or that lacked memory or a library, names no place in a source.
fn refusal<'w>(words: &'w str, tree: &Path) -> Option<&'w str> {
    let start = words.find("\nerror").map_or(0, |before| before + 1);
    let first = words[start..].split("\n\n").next().filter(|first| first.starts_with("error"))?;
    match words.contains(NOT_COMPILED) {
        _ if words.contains("(signal: ") || words.contains("you're using offline mode") => None,
        true => Some(first).filter(|first| first.contains("--> ")),
        false => lacking(words, tree)
            .or_else(|| REFUSALS.iter().any(|cause| words.contains(cause)).then_some(first)),
    }
}

/// The beginning of cargo's line about a crate that does not compile.
pub(super) const NOT_COMPILED: &str = "error: could not compile `";

/// Returns whether a crate does not compile because it denies a lint, by cargo's output.
pub(super) fn is_denied(words: &str) -> bool {
    ["#[deny(", "#![deny(", "`-D ", "#[forbid(", "#![forbid("].iter().any(|cause| words.contains(cause))
}

/// Returns whether this bench does not compile, by cargo's output.
pub(super) fn fails_to_compile(words: &str, bench: &str) -> bool {
    let bench = format!("(bench \"{bench}\")");
    words.lines().any(|line| line.starts_with(NOT_COMPILED) && line.contains(&bench))
}

/// What a dependency lacks, in cargo's words: its folder in this tree, or a feature.
fn lacking<'w>(words: &'w str, tree: &Path) -> Option<&'w str> {
    let folder = format!("failed to read `{}", tree.display());
    let is_lacking = |line: &&str| line.starts_with(&folder) || line.contains("` does not have th");
    words.lines().map(str::trim).find(is_lacking)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_cargo_begin_with_the_first_error() {
        assert_eq!(shortened("   Compiling a\nwarning: b\nerror: c\n --> d\n"), "error: c\n --> d");
        assert_eq!(shortened("killed"), "killed");
        let many = format!("error: a\n{}", "b\n".repeat(40));
        assert!(shortened(&many).ends_with("b\n... (11 lines more)"), "{}", shortened(&many));
    }

    #[test]
    fn a_refusal_is_distinguished_from_an_end_of_a_tool() {
        let tree = Path::new("/tree");
        let words = "   Compiling a\nerror[E0425]: no x\n --> b.rs:1\n\nerror[E0425]: no y\n\n\
                     error: could not compile `a` (bench \"b\") due to 2 previous errors\n";
        assert_eq!(refusal(words, tree), Some("error[E0425]: no x\n --> b.rs:1"));
        assert!(fails_to_compile(words, "b") && !fails_to_compile(words, "a"));
        let cargo = "error: failed to select a version for `x`\n    ... which `y` requires\n\nno";
        assert_eq!(refusal(cargo, tree), cargo.split("\n\n").next());
        let lacks = "error: failed to select a version for `x`.\n\nbut `x` does not have that feature.";
        assert_eq!(refusal(lacks, tree), Some("but `x` does not have that feature."));
        let killed = "error: could not compile `a` (lib)\n\nCaused by:\n  process didn't exit successfully: `rustc` \
                      (signal: 9, SIGKILL: kill)\n";
        assert_eq!(refusal(killed, tree), None);
        let linker = "error: linking with `cc` failed: exit status: 1\n  = note: ld terminated with signal 9\n\n\
                      error: could not compile `a` (bench \"b\") due to 1 previous error\n";
        assert_eq!(refusal(linker, tree), None);
        let network = "error: failed to get `x` as a dependency of package `y`\n\nCaused by:\n  no host\n";
        assert_eq!(refusal(network, tree), None);
        let reminder = "As a reminder, you're using offline mode (--offline) which can cause";
        assert_eq!(refusal(&format!("error: no matching package named `x` found\n{reminder}"), tree), None);
    }
}
