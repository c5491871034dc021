//! Compares the builds of both sides by their rustc calls and environments, and looks for what explains each
//! difference. Without an explanation, the sides may differ in more than the change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bench_diff_system::files::without_links;
use bench_diff_system::order::in_order;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;

use super::bench::Build;
use super::build::{Made, Site};
use super::causes::Causes;
use super::lock_file;
use super::program::{Program, moved_variables, other_variables};

/// The options that affect the code of a binary, except sources and features.
const COMPARED: &str = "opt-level lto linker-plugin-lto codegen-units panic debug-assertions overflow-checks --target \
    target-cpu target-feature relocation-model code-model linker linker-flavor llvm-args profile-use profile-generate \
    force-frame-pointers force-unwind-tables inline-threshold no-vectorize-loops no-vectorize-slp prefer-dynamic";

/// Options that a build script may set as well, based on what it finds.
const SET_BY_SCRIPTS: &str = "link-arg link-args --cfg";

const CFG: &str = "--cfg";

impl Build<'_> {
    /// Compares both builds, and adds to the old program what differs.
    ///
    /// # Errors
    ///
    /// A difference in how they are compiled that nothing explains.
    pub(super) fn compared(&self, site: &Site<'_>, made: &Made, program: Program) -> Result<Program, String> {
        let (tree, new_target) = (site.cargo.tree, self.target());
        let old_call =
            RustcCall::of(&made.call).ok_or("it is not known how the old revision was compiled")?;
        let moved = [[site.target, &*new_target], [tree, self.top]];
        let causes = Causes::of(self, site, made);
        let mut settings = self.differing_options(&old_call, &moved, &causes)?;
        let variables = other_variables(&self.bench.variables, &made.variables, &moved);
        let other_variables = (!variables.is_empty())
            .then(|| format!("environment variables at run time differ: {}", variables.join(", ")));
        settings.extend(other_variables.clone());
        let lacking = made.lacking.join(", ");
        settings.extend((!lacking.is_empty()).then(|| format!("the old revision has no feature {lacking}")));
        let why = if site.old.is_laid_over { "the benches of the working tree" } else { "bench_diff" };
        let before = made.prepared.before.as_deref().unwrap_or_default();
        let moved = lock_file::moved(before, &made.lock).join(", ");
        settings.extend((!moved.is_empty()).then(|| format!("{moved} in the old revision, for {why}")));
        // A patch replaces only dependencies with a source, and a path dependency has none.
        let harness = without_links(self.bench.harness);
        let own = made.harness.parent().filter(|folder| without_links(folder) != harness);
        settings.extend(own.map(|folder| {
            let folder = folder.strip_prefix(tree).unwrap_or(folder).display();
            format!("with the old tree's own copy of bench_diff: {folder}")
        }));
        let unexplained = self.unexplained(&old_call, &variables, &made.lacking, &causes);
        let dependencies = lock_file::changes(&made.lock, &made.prepared.new);
        Ok(Program { settings, other_variables, unexplained, dependencies, ..program })
    }

    /// What one side alone has, without a cause in the trees, as one text: environment variables, `--cfg`,
    /// features of the package, and of libraries.
    fn unexplained(
        &self,
        old: &RustcCall,
        variables: &[String],
        lacking: &[String],
        causes: &Causes,
    ) -> Option<String> {
        let mut unexplained = Vec::new();
        for name in variables.iter().filter(|name| !causes.explain_variable(name)) {
            unexplained.push(format!("environment variable {name}"));
        }
        for cfg in in_one([old, &self.call].map(cfgs)) {
            // `name="value"`
            if !causes.explain_variable(cfg.split('=').next().unwrap_or(cfg)) {
                unexplained.push(format!("--cfg {cfg}"));
            }
        }
        for feature in in_one([old, &self.call].map(|call| call.features().collect())) {
            if !causes.explain_feature(feature) && !lacking.iter().any(|lacking| lacking == feature) {
                unexplained.push(format!("feature {feature}"));
            }
        }
        // Cargo names each library by a hash of its features and profile, and of all that it depends on.
        let old: HashMap<_, _> = old.libraries().collect();
        for (name, file) in self.call.libraries() {
            let is_own = OWN_CRATES.iter().any(|package| file.starts_with(&format!("lib{package}-")));
            let is_other = old.get(name).is_some_and(|old| *old != file);
            if is_other && !is_own && !causes.explain_library(name) {
                unexplained.push(format!("features or profile of {name} or of what it depends on"));
            }
        }
        (!unexplained.is_empty()).then(|| unexplained.join(", "))
    }

    /// The environment variables that differ only by the paths of the trees, each with whether it is a path
    /// in the tree, and not in the target directory.
    pub(super) fn moved_variables(&self, made: &Made) -> Vec<(String, bool)> {
        moved_variables(&self.bench.variables, &made.variables, [self.top, &self.target()])
    }

    /// The target directory of the running bench.
    fn target(&self) -> PathBuf {
        self.call.profile().map_or_else(PathBuf::new, |(target, _)| target)
    }

    /// The options of rustc that differ, each with the setting that explains it.
    fn differing_options(
        &self,
        old: &RustcCall,
        moved: &[[&Path; 2]],
        causes: &Causes,
    ) -> Result<Vec<String>, String> {
        if let Some((problem, variable)) = debugging_on_one_side(old, &self.call) {
            return Err(format!(
                "{problem}, so a comparison would measure that and not the change: with the environment variable \
                 `{variable}`, cargo builds both alike (with `RUSTFLAGS`, if a flag of rustc sets it)"
            ));
        }
        let (mut told, mut unexplained) = (Vec::new(), Vec::new());
        if old.rustc != self.call.rustc {
            let [old, new] = [old, &self.call].map(|call| call.rustc.display());
            told.push(format!("rustc: {old} -> {new}"));
        }
        let mut profiles: Vec<&str> = causes.profiles().collect();
        for (name, difference) in differences_in(COMPARED, old, &self.call, moved) {
            match causes.of_option(name) {
                Some(cause) => told.push(format!("{difference} ({})", cause.key)),
                None => unexplained.push(difference),
            }
            profiles.retain(|key| !key.ends_with(&format!(".{name}")));
        }
        if !unexplained.is_empty() {
            return Err(format!(
                "the two sides are compiled differently, and no profile or settings file explains it ({}): build \
                 both with the same flags and environment variables, such as RUSTFLAGS, and start cargo where it \
                 finds the same `.cargo/config.toml`",
                unexplained.join("; ")
            ));
        }
        let by_scripts = differences_in(SET_BY_SCRIPTS, old, &self.call, moved);
        told.extend(by_scripts.into_iter().map(|(_, difference)| difference));
        told.extend(causes.toolchain.clone());
        // Those of other crates.
        told.extend(
            (!profiles.is_empty()).then(|| format!("Cargo.toml has another {}", profiles.join(", "))),
        );
        Ok(told)
    }
}

/// If only one side is built for debugging, with debug assertions or without optimization: the
/// difference, and the environment variable with which cargo builds the old binary like this one.
fn debugging_on_one_side(old: &RustcCall, new: &RustcCall) -> Option<(String, String)> {
    let profile = new.profile_name().unwrap_or_else(|| "bench".to_owned());
    let variable = |setting: &str, new: &str| {
        format!("CARGO_PROFILE_{}_{setting}={new}", profile.to_uppercase().replace('-', "_"))
    };
    if is_unoptimized(old) != is_unoptimized(new) {
        let [old, new] = [old, new].map(|call| call.value("opt-level").unwrap_or("0"));
        return Some((
            format!("opt-level is {old} in the old binary and {new} in this one"),
            variable("OPT_LEVEL", new),
        ));
    }
    let [old, new] = [old, new].map(has_debug_assertions);
    let words = |is_on| if is_on { "on" } else { "off" };
    (old != new).then(|| {
        let [old_word, new_word] = [old, new].map(words);
        let problem = format!("debug assertions are {old_word} in the old binary and {new_word} in this one");
        (problem, variable("DEBUG_ASSERTIONS", if new { "true" } else { "false" }))
    })
}

fn is_unoptimized(call: &RustcCall) -> bool {
    call.values("-O").next().is_none() && call.value("opt-level").is_none_or(|level| level == "0")
}

fn has_debug_assertions(call: &RustcCall) -> bool {
    let value = call.value("debug-assertions");
    value.map_or_else(|| is_unoptimized(call), |value| ["", "y", "yes", "on", "true"].contains(&value))
}

/// The options of these names that affect code and differ in the old call, each with its values, as in
/// `opt-level: 2 -> 3`. `moved` pairs paths of the old call with those that correspond to them in this one.
fn differences_in<'n>(
    names: &'n str,
    old: &RustcCall,
    new: &RustcCall,
    moved: &[[&Path; 2]],
) -> Vec<(&'n str, String)> {
    let mut differences = Vec::new();
    for name in names.split(' ') {
        let (new, mut old) = (values(new, name), values(old, name));
        for [old_path, new_path] in moved {
            old = old.replace(&*old_path.to_string_lossy(), &new_path.to_string_lossy());
        }
        if new != old {
            let [old, new] =
                [old, new].map(|value| if value.is_empty() { "unset".to_owned() } else { value });
            differences.push((name, format!("{}: {old} -> {new}", name.trim_start_matches('-'))));
        }
    }
    differences
}

/// The values of an option, except those of features.
fn values(call: &RustcCall, name: &str) -> String {
    let values = if name == CFG { cfgs(call) } else { call.values(name).collect() };
    let shown = values.into_iter().map(|value| if value.is_empty() { "set" } else { value });
    shown.collect::<Vec<_>>().join(" ")
}

/// The values of `--cfg`, except features.
fn cfgs(call: &RustcCall) -> Vec<&str> {
    // Cargo sets `test` for all benches.
    call.values(CFG).filter(|cfg| *cfg != "test" && !cfg.starts_with("feature=")).collect()
}

/// The texts that one of these lists alone has.
fn in_one([old, new]: [Vec<&str>; 2]) -> Vec<&str> {
    in_order(old.iter().chain(&new).copied().filter(|text| !(old.contains(text) && new.contains(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &str) -> RustcCall {
        let recorded: Vec<&str> = ["/bin/rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
        RustcCall::of(&recorded).unwrap()
    }

    #[test]
    fn options_that_affect_code_are_compared() {
        let one = call(
            "--crate-name b benches/b.rs --emit=dep-info,link -C opt-level=3 -C lto --cfg feature=\"x\" --cfg tuned \
             -Clink-arg=-T/work/x.ld -Clink-arg=-L/work/target/out --codegen=target-cpu=native -C metadata=1 --out-dir /work/target/release/deps",
        );
        let same = call(
            "--crate-name b -Copt-level=3 --codegen lto -C link-arg=-T/old/tree/x.ld -C link-arg=-L/old/target/out \
             -Ctarget-cpu=native --cfg=tuned -C metadata=2 \
             --cfg feature=\"y\"",
        );
        let moved = [["/old/target", "/work/target"], ["/old/tree", "/work"]].map(|pair| pair.map(Path::new));
        let between = |names: &'static str, old: &RustcCall| {
            let differences = differences_in(names, old, &one, &moved).into_iter();
            differences.map(|(_, difference)| difference).collect::<Vec<_>>()
        };
        assert_eq!((between(COMPARED, &same), between(SET_BY_SCRIPTS, &same)), (Vec::new(), Vec::new()));
        let other = call("-C opt-level=2 --cfg slow --cfg test -C panic=abort -Cllvm-args=-x");
        assert_eq!(
            between(COMPARED, &other),
            [
                "opt-level: 2 -> 3",
                "lto: unset -> set",
                "panic: abort -> unset",
                "target-cpu: unset -> native",
                "llvm-args: -x -> unset",
            ]
        );
        assert_eq!(
            between(SET_BY_SCRIPTS, &other),
            ["link-arg: unset -> -T/work/x.ld -L/work/target/out", "cfg: slow -> tuned"]
        );
        assert_eq!(in_one([&other, &one].map(cfgs)), ["slow", "tuned"]);
    }

    #[test]
    fn debugging_on_only_one_side_is_noticed() {
        let between = |old: &str, new: &str| debugging_on_one_side(&call(old), &call(new));
        let fast = "-Copt-level=3 --out-dir /work/target/release/deps";
        for same in
            ["-Copt-level=s", "-O", "-Copt-level=1 -C debug-assertions=no", "-Copt-level=0 -Copt-level=2"]
        {
            assert_eq!(between(same, fast), None, "{same}");
        }
        assert_eq!(between("-C debug-assertions", "-Copt-level=0"), None);
        let one = |problem: &str, variable: &str| Some((problem.to_owned(), variable.to_owned()));
        assert_eq!(
            between("-Copt-level=3 -Cdebug-assertions=on", fast),
            one(
                "debug assertions are on in the old binary and off in this one",
                "CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS=false"
            )
        );
        assert_eq!(
            between("-Copt-level=3", "-Copt-level=3 -Cdebug-assertions --out-dir target/my-fast/deps"),
            one(
                "debug assertions are off in the old binary and on in this one",
                "CARGO_PROFILE_MY_FAST_DEBUG_ASSERTIONS=true"
            )
        );
        assert_eq!(
            between("-Cpanic=abort", fast),
            one("opt-level is 0 in the old binary and 3 in this one", "CARGO_PROFILE_BENCH_OPT_LEVEL=3")
        );
    }
}
