//! Compares the builds of both sides by their rustc calls and environments, and looks for what explains each
//! difference. Without an explanation, the sides may differ in more than the change.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use bench_diff_system::order::in_order;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;

use super::bench::Build;
use super::build::{Made, Site};
use super::causes::Causes;
use super::lock_file;
use super::program::{Program, differing_variables};

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
    pub(super) fn compared(&self, site: &Site<'_>, made: Made) -> Result<Program, String> {
        let tree = site.cargo.tree;
        let (new_target, _) = self.call.profile().unwrap_or_default();
        let old_call =
            RustcCall::of(&made.call).ok_or("it is not known how the old revision was compiled")?;
        let moved = [[site.target, &*new_target], [tree, self.top]];
        let (variables, mut moved_variables) =
            differing_variables(&self.bench.variables, &made.variables, &moved);
        let package = Path::new(&site.package.manifest_path).parent().unwrap_or(tree).to_owned();
        let Made { executable, call, lacking, locks: [before, lock, new], .. } = made;
        let program = Program { executable, package, call, ..Program::default() };
        if self.has_one_unit {
            // The rest was compared when the binary with several units was built.
            moved_variables.extend(variables.into_iter().map(|name| (name, false)));
            return Ok(Program { moved_variables, ..program });
        }
        let causes = Causes::of(self, site);
        let mut settings = self.differing_options(&old_call, &moved, &causes)?;
        // Code that reads a build script's variable has its name. The C library reads some that users set.
        let (of_script, others): (Vec<_>, Vec<_>) =
            variables.iter().cloned().partition(|name| causes.is_of_script(name));
        let [other_variables, of_all] = [&others, &variables].map(|names| {
            (!names.is_empty())
                .then(|| format!("environment variables at run time differ: {}", names.join(", ")))
        });
        moved_variables.extend(of_script.into_iter().map(|name| (name, false)));
        settings.extend(of_all);
        settings.extend(self.differing_toolchain(tree));
        let gone = lacking.join(", ");
        settings.extend((!gone.is_empty()).then(|| format!("the old revision has no feature {gone}")));
        let why = if site.old.is_laid_over { "the benches of the working tree" } else { "bench_diff" };
        let moved = lock_file::moved(&before, &lock).join(", ");
        settings.extend((!moved.is_empty()).then(|| format!("{moved} in the old revision, for {why}")));
        let dependencies = lock_file::changes(&lock, &new);
        let mut unexplained = self.unexplained(&old_call, &variables, &lacking, &causes);
        // A call that is known selects the same on both sides.
        if self.bench.cargo_call.is_none() && dependencies.is_empty() && !causes.explain_libraries() {
            unexplained.extend(self.other_libraries(&old_call));
        }
        let unexplained = (!unexplained.is_empty()).then(|| unexplained.join(", "));
        Ok(Program { settings, other_variables, moved_variables, unexplained, dependencies, ..program })
    }

    /// The file that chooses the compiler, if it differs.
    fn differing_toolchain(&self, tree: &Path) -> Option<String> {
        let differs = |name: &&str| {
            let [old, new] = [tree, self.top].map(|root| fs::read(root.join(name)).ok());
            old != new
        };
        let name = ["rust-toolchain.toml", "rust-toolchain"].into_iter().find(differs)?;
        Some(format!("{name} differs, and both sides are built with today's compiler"))
    }

    /// What one side alone has, without a cause in the trees: environment variables, `--cfg` and features of
    /// the package.
    fn unexplained(
        &self,
        old: &RustcCall,
        variables: &[String],
        lacking: &[String],
        causes: &Causes,
    ) -> Vec<String> {
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
        unexplained
    }

    /// The libraries that have other features, profiles or dependencies.
    fn other_libraries(&self, old: &RustcCall) -> impl Iterator<Item = String> {
        // Cargo names each library by a hash of those.
        let old: HashMap<_, _> = old.libraries().collect();
        self.call.libraries().filter_map(move |(name, file)| {
            let is_own = OWN_CRATES.iter().any(|package| file.starts_with(&format!("lib{package}-")));
            let is_other = old.get(name).is_some_and(|old| *old != file) && !is_own;
            is_other.then(|| format!("features or profile of {name} or of what it depends on"))
        })
    }

    /// The options of rustc that differ, each with the setting that explains it.
    fn differing_options(
        &self,
        old: &RustcCall,
        moved: &[[&Path; 2]],
        causes: &Causes,
    ) -> Result<Vec<String>, String> {
        if debugging(old) != debugging(&self.call) {
            return Err(debugging_on_one_side(&self.call, &self.profile()));
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
        // Those of other crates.
        told.extend(
            (!profiles.is_empty()).then(|| format!("Cargo.toml has another {}", profiles.join(", "))),
        );
        Ok(told)
    }
}

/// How a side is built for debugging: without optimization, and with debug assertions.
fn debugging(call: &RustcCall) -> [bool; 2] {
    [is_unoptimized(call), has_debug_assertions(call)]
}

/// The error if the other side is built for debugging in another way, with the remedy.
fn debugging_on_one_side(call: &RustcCall, profile: &str) -> String {
    let start = format!("CARGO_PROFILE_{}", profile.to_uppercase().replace('-', "_"));
    let (level, has_assertions) = (call.value("opt-level").unwrap_or("0"), has_debug_assertions(call));
    format!(
        "one side alone has debug assertions or no optimization, so a comparison would measure that and not the \
         change: with the environment variables `{start}_OPT_LEVEL={level}` and \
         `{start}_DEBUG_ASSERTIONS={has_assertions}`, cargo builds both like this one (with `RUSTFLAGS`, if a \
         flag of rustc sets it)"
    )
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
        let between = |old: &str, new: &str| debugging(&call(old)) != debugging(&call(new));
        let fast = "-Copt-level=3 --out-dir /work/target/release/deps";
        for same in
            ["-Copt-level=s", "-O", "-Copt-level=1 -C debug-assertions=no", "-Copt-level=0 -Copt-level=2"]
        {
            assert!(!between(same, fast), "{same}");
        }
        assert!(!between("-C debug-assertions", "-Copt-level=0"));
        for other in ["-Copt-level=3 -Cdebug-assertions=on", "-Cpanic=abort"] {
            assert!(between(other, fast), "{other}");
        }
        let words = debugging_on_one_side(&call("-Copt-level=3 -Cdebug-assertions"), "my-fast");
        let expected =
            "`CARGO_PROFILE_MY_FAST_OPT_LEVEL=3` and `CARGO_PROFILE_MY_FAST_DEBUG_ASSERTIONS=true`";
        assert!(words.contains(expected), "{words}");
    }
}
