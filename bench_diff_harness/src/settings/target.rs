//! The bench target that runs: what is only known at compile time.

use std::env;
use std::path::Path;

use crate::recorder::recorded_beside;

/// The bench target, made by `main!()` in the crate of the benchmark.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// `CARGO_PKG_NAME`.
    pub package: &'static str,
    /// `CARGO_PKG_VERSION`.
    pub version: &'static str,
    /// `CARGO_CRATE_NAME`: the name of the bench with `_` for `-`.
    pub crate_name: &'static str,
    /// The source file of the bench.
    pub file: &'static str,
    /// `CARGO_MANIFEST_DIR`: the root of the package.
    pub manifest_dir: &'static str,
    /// `CARGO_TARGET_TMPDIR`: a folder in the target directory, if cargo sets it.
    pub target_tmpdir: Option<&'static str>,
    /// True if debug assertions are on.
    pub debug: bool,
    /// The path of rustc with identifiers of its content, the linker's and the machine, the folder in which
    /// it ran, and its arguments; empty if it was not recorded.
    pub rustc_call: &'static [&'static str],
    /// True if `main` is written by hand, so that no macro could record anything.
    pub by_hand: bool,
}

impl Target {
    /// This target as cargo started it, if its `main` is written by hand. `None` if cargo did not start it.
    pub(crate) fn as_started(self) -> Option<Self> {
        if !self.by_hand {
            return Some(self);
        }
        let variable = |name: &str| env::var(name).ok().map(|value| &*value.leak());
        let program = env::current_exe().ok()?;
        let manifest_dir = variable("CARGO_MANIFEST_DIR")?;
        let target = Self {
            package: variable("CARGO_PKG_NAME")?,
            version: variable("CARGO_PKG_VERSION")?,
            crate_name: Self::name_of_program().unwrap_or_default(),
            manifest_dir,
            debug: cfg!(debug_assertions),
            rustc_call: recorded_beside(&program, Path::new(manifest_dir)).leak(),
            ..self
        };
        Some(target.at_root_file())
    }

    /// The name of the running program, taken from the file name that cargo has given it.
    #[must_use]
    pub fn name_of_program() -> Option<&'static str> {
        let program = env::current_exe().ok()?;
        let (name, _digest) = program.file_stem()?.to_str()?.rsplit_once('-')?;
        Some(name.replace('-', "_").leak())
    }

    /// This target with the file that rustc got, if its call was recorded. Benchmarks may be in others.
    #[must_use]
    pub fn at_root_file(self) -> Self {
        // The folder in front of the arguments may be called like a file.
        let is_file = |argument: &&&str| argument.ends_with(".rs") && !argument.starts_with('-');
        let file = self.rustc_call.iter().skip(2).find(is_file).copied().unwrap_or(self.file);
        Self { file, ..self }
    }

    /// The name that `cargo bench --bench` takes: the one in the manifest, of these, if it has the target.
    pub(crate) fn bench_of_cargo(&self, benches: &[String]) -> String {
        let named = benches.iter().find(|name| name.replace('-', "_") == self.crate_name);
        named.cloned().unwrap_or_else(|| self.bench())
    }

    /// The name of the bench, from the names of its crate and file. At compile time cargo gives only the
    /// crate's name; the file, `benches/NAME.rs` or `benches/NAME/main.rs`, has the dashes.
    pub(crate) fn bench(&self) -> String {
        let path = Path::new(self.file);
        let parent = path.parent().and_then(Path::file_name);
        let names = [path.file_stem(), parent].into_iter().flatten().filter_map(|name| name.to_str());
        let fits = |name: &&str| name.replace('-', "_") == self.crate_name;
        names.into_iter().find(fits).unwrap_or(self.crate_name).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TARGET;
    use crate::settings::ManifestSettings;

    #[test]
    fn the_name_of_the_bench_keeps_its_dashes() {
        let bench = |crate_name, file| Target { crate_name, file, ..TARGET }.bench();
        assert_eq!(bench("my_sort", "benches/my-sort.rs"), "my-sort");
        assert_eq!(bench("my_sort", "benches/my-sort/main.rs"), "my-sort");
        assert_eq!(bench("my_sort", "benches/my_sort.rs"), "my_sort");
        assert_eq!(bench("renamed", "benches/other.rs"), "renamed");
        let target = Target { crate_name: "parse_json", file: "benches/parse.rs", ..TARGET };
        let manifest = "[package]\nname = \"parse_json\"\n\n[[bench]]\nname = \"other\"\n\n[[bench]]\npath = \
                        \"benches/parse.rs\"\nname = \"parse-json\" # fast\n\n[features]\n";
        let benches = ManifestSettings::parse(manifest).unwrap().benches;
        assert_eq!(target.bench_of_cargo(&benches), "parse-json");
        assert_eq!(target.bench_of_cargo(&[]), "parse_json");
    }
}
