//! Compares the compilation of both sides by their actual rustc calls.

use std::fs;
use std::path::Path;

use super::bench::Target;
use super::cargo_call::CargoCall;
use super::features::selected;
use super::manifest::features;
use bench_diff_system::rustc_call::RustcCall;

/// The options that affect the code of a binary, except sources and features.
const COMPARED: &str = "opt-level lto linker-plugin-lto codegen-units panic debug-assertions overflow-checks --target \
    target-cpu target-feature relocation-model code-model linker linker-flavor llvm-args profile-use profile-generate \
    force-frame-pointers force-unwind-tables inline-threshold no-vectorize-loops no-vectorize-slp prefer-dynamic";

/// Options that a build script may set as well, based on what it finds.
const SET_BY_SCRIPTS: &str = "link-arg link-args --cfg";

const CFG: &str = "--cfg";

/// The arguments with which cargo compiles a package with this manifest in the same way.
fn arguments_for(call: &RustcCall, manifest: &str) -> Vec<String> {
    let mut known = features(manifest);
    let on: Vec<&str> = call.features().collect();
    // Optional dependencies are features too.
    for name in &on {
        known.entry((*name).to_owned()).or_default();
    }
    let chosen =
        selected(&on, &known, &known).arguments.into_iter().filter(|argument| argument != "--features=");
    let profile = call.profile_name().filter(|name| name != "bench");
    let profile = profile.map(|name| format!("--profile={name}"));
    let target = call.target().map(|target| format!("--target={target}"));
    profile.into_iter().chain(target).chain(chosen).collect()
}

/// The options that affect code and differ in the old call, as in `opt-level: 2 -> 3`. `moved` pairs
/// paths of the old call with the paths that correspond to them in this one.
pub(super) fn differences(old: &RustcCall, new: &RustcCall, moved: &[[&Path; 2]]) -> Vec<String> {
    let mut differences = Vec::new();
    if old.rustc != new.rustc {
        let [old, new] = [old, new].map(|call| call.rustc.display());
        differences.push(format!("rustc: {old} -> {new}"));
    }
    differences.extend(differences_in(COMPARED, old, new, moved));
    differences
}

/// The differences in options that a build script may have set.
pub(super) fn differences_by_scripts(old: &RustcCall, new: &RustcCall, moved: &[[&Path; 2]]) -> Vec<String> {
    differences_in(SET_BY_SCRIPTS, old, new, moved)
}

/// If only one side is built for debugging, with debug assertions or without optimization: the
/// difference, and the environment variable with which cargo builds the old binary like this one.
pub(super) fn debugging_on_one_side(old: &RustcCall, new: &RustcCall) -> Option<(String, String)> {
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

fn differences_in(names: &str, old: &RustcCall, new: &RustcCall, moved: &[[&Path; 2]]) -> Vec<String> {
    let mut differences = Vec::new();
    for name in names.split(' ') {
        // Cargo sets `test` for all benches.
        let counts = |value: &&str| name != CFG || !(*value == "test" || value.starts_with("feature="));
        let values = |call: &RustcCall| {
            let values =
                call.values(name).filter(counts).map(|value| if value.is_empty() { "set" } else { value });
            values.collect::<Vec<_>>().join(" ")
        };
        let new = values(new);
        let old = moved.iter().fold(values(old), |values, [old, new]| {
            values.replace(&*old.to_string_lossy(), &new.to_string_lossy())
        });
        if new != old {
            let [old, new] =
                [old, new].map(|value| if value.is_empty() { "unset".to_owned() } else { value });
            differences.push(format!("{}: {old} -> {new}", name.trim_start_matches('-')));
        }
    }
    differences
}

/// The arguments with which cargo builds this bench as it was built, after `--bench NAME`. `cargo_call` is the call
/// that built it, if that is known.
pub fn arguments_of_cargo(target: &Target<'_>, cargo_call: Option<&CargoCall>) -> Vec<String> {
    let manifest = fs::read_to_string(target.manifest_dir.join("Cargo.toml")).unwrap_or_default();
    let call = RustcCall::of(target.rustc_call);
    let as_here = call.iter().flat_map(|call| arguments_for(call, &manifest));
    let settings = cargo_call.into_iter().flat_map(CargoCall::settings).cloned();
    as_here.chain(settings).collect()
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
        assert_eq!(differences(&same, &one, &moved), [""; 0]);
        assert_eq!(differences_by_scripts(&same, &one, &moved), [""; 0]);
        let other = call("-C opt-level=2 --cfg slow --cfg test -C panic=abort -Cllvm-args=-x");
        assert_eq!(
            differences(&other, &one, &moved),
            [
                "opt-level: 2 -> 3",
                "lto: unset -> set",
                "panic: abort -> unset",
                "target-cpu: unset -> native",
                "llvm-args: -x -> unset",
            ]
        );
        assert_eq!(
            differences_by_scripts(&other, &one, &moved),
            ["link-arg: unset -> -T/work/x.ld -L/work/target/out", "cfg: slow -> tuned"]
        );
        assert_eq!(arguments_for(&one, ""), ["--features=x"]);
        let manifest = "\n[features]\ndefault = [\"x\"]\nx = []\ny = []\nz = []\n";
        assert_eq!(arguments_for(&one, manifest), ["--features=x", "--no-default-features"]);
        let other = "--cfg feature=\"default\" --cfg feature=\"x\" --cfg feature=\"y\" --cfg feature=\"z\" \
                     --target x86_64-a --out-dir /work/target/x86_64-a/fast/deps";
        assert_eq!(
            arguments_for(&call(other), manifest),
            ["--profile=fast", "--target=x86_64-a", "--features=y,z"]
        );
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

    #[test]
    fn a_build_is_repeated_with_the_settings_of_its_call() {
        let words = ["cargo", "bench", "--config", "patch.crates-io.a.path=\"a\"", "--offline"];
        let call = CargoCall::of_call(words.map(str::to_owned).into(), Path::new("/work"), |_| None);
        let folder = Path::new("/absent");
        let target = Target {
            package: "mine",
            bench: "b",
            file: "benches/b.rs",
            manifest_dir: folder,
            harness: folder,
            front_end: None,
            rustc_call: &[],
        };
        let arguments = arguments_of_cargo(&target, call.as_ref());
        assert_eq!(arguments[arguments.len() - 2..], ["--config", "patch.crates-io.a.path=\"/work/a\""]);
        assert!(!arguments_of_cargo(&target, None).contains(&"--config".to_owned()));
    }
}
