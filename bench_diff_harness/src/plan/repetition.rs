//! The command that repeats a pair of a run.

use bench_diff_core::Seed;
use bench_diff_report::record::OtherSide;

use crate::settings::Target;

/// The command that repeats one pair of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repetition {
    pub(crate) package: &'static str,
    /// The package as cargo takes it: its last release may be a dependency of the same name.
    pub(crate) spec: String,
    pub(crate) bench: String,
    /// The arguments with which cargo builds it.
    pub(crate) build: Vec<String>,
    pub(crate) flags: Vec<String>,
}

impl Repetition {
    /// The command for a run of this target that measures nothing, so no flags of it are repeated.
    pub(crate) fn of(target: &Target) -> Self {
        let (package, bench) = (target.package, target.bench());
        let spec = format!("{package}@{}", target.version);
        Self { package, spec, build: vec!["--bench".to_owned(), bench.clone()], bench, flags: Vec::new() }
    }

    /// The command for the pair of this name, or for all pairs, with the seed of the run.
    pub(crate) fn command(&self, name: Option<&str>, seed: Seed) -> String {
        let exact = name.map(|name| format!("--exact {} ", quoted(name))).unwrap_or_default();
        format!("{} {exact}{}--seed {seed}", self.bench(), spaced(&self.flags))
    }

    /// The part of a command before the flags for the bench binary.
    pub(super) fn bench(&self) -> String {
        format!("cargo bench -p {} {}--", quoted(&self.spec), spaced(&self.build))
    }
}

/// The flags that name this side again.
pub(super) fn flags_of(side: &OtherSide) -> [String; 2] {
    // The `name` of a folder is not its path.
    let name = if side.id.is_some() { &side.name } else { &side.asked };
    ["--against".to_owned(), name.clone()]
}

/// Words of a command, each with a blank behind it.
fn spaced(words: &[String]) -> String {
    words.iter().map(|word| quoted(word) + " ").collect()
}

/// Quotes a word for a shell, if needed.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-:/.,%+=@".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace("'", r"'\''")) }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{entry, entry_alone, equal, planned};

    #[test]
    fn the_repetition_is_a_command_that_a_shell_takes() {
        let plan = planned("--seed 8f3a --alpha 3% --budget 9min", &[entry("a", 1, equal)]);
        assert_eq!(
            plan.repetition.command(Some("a::b"), plan.seed),
            "cargo bench -p my_package@1.2.0 --bench sorting -- --exact a::b --alpha 3% --budget 9min --seed 0000000000008f3a"
        );
        assert!(plan.repetition.command(Some("a<u8>'s"), plan.seed).contains(r"--exact 'a<u8>'\''s'"));
        let mut repetition = plan.repetition;
        repetition.build.push("--features=simd".to_owned());
        assert!(
            repetition
                .command(Some("a"), plan.seed)
                .contains(" --bench sorting --features=simd -- --exact a ")
        );
    }

    #[test]
    fn a_run_that_compares_nothing_has_a_command_that_does() {
        let command = "cargo bench -p my_package@1.2.0 --bench sorting -- --against base";
        let entries = [entry_alone("alone", 1)];
        assert_eq!(planned("--bench", &entries).comparison().as_deref(), Some(command));
        let both = [entry_alone("alone", 1), entry("compared", 2, equal)];
        assert_eq!(planned("--bench", &both).comparison(), None);
    }
}
