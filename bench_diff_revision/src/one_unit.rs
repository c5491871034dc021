//! Builds a side once more with one codegen unit for each crate of its workspace, so that both sides do not
//! differ merely in how the compiler split crates.

use super::cargo::Workspace;
use super::lock_file::packages;
use bench_diff_system::json;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;

/// The folder for this build, in the folder of its tree.
pub(super) const FOLDER: &str = "one_unit";

impl Workspace {
    /// The cargo settings that compile each member as one unit in this profile. All other crates are compiled
    /// as before, so existing builds of them are reused. That includes the harness, since no verdict depends
    /// on its code.
    pub(super) fn one_unit_each(&self, profile: &str, lock: &str) -> impl Iterator<Item = String> {
        let members = self.packages.iter().filter(|package| !OWN_CRATES.contains(&&*package.name));
        members.map(move |package| {
            // Cargo refuses settings for the id if the user's manifest has some for the name. But the name
            // would also select a dependency of the harness that is called the same.
            let is_one = packages(lock).iter().filter(|other| other.name == package.name).count() <= 1;
            let spec = if is_one { &package.name } else { &package.id };
            format!("--config=profile.{profile}.package.{}.codegen-units=1", json::to_string(spec))
        })
    }
}

/// Returns whether the compiler doesn't split crates anyway, or joins all of them again with fat LTO.
pub(super) fn is_of_one_unit(call: &RustcCall) -> bool {
    let is_fat = |lto| !["off", "no", "n", "false", "thin"].contains(&lto);
    call.value("codegen-units") == Some("1") || call.value("lto").is_some_and(is_fat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::Package;

    #[test]
    fn a_setting_is_for_a_member_and_no_dependency_of_its_name() {
        let package =
            |name: &str, id: &str| Package { name: name.to_owned(), id: id.to_owned(), ..Package::default() };
        let itoa = package("itoa", "path+file:///work/itoa#1.0.13");
        let members =
            Workspace::of(vec![itoa, package("bench_diff_macros", "path+file:///work/macros#0.1.0")]);
        let settings = |lock: &str| members.one_unit_each("bench", lock).collect::<Vec<_>>();
        let setting = |spec: &str| [format!("--config=profile.bench.package.\"{spec}\".codegen-units=1")];
        let here = "[[package]]\nname = \"itoa\"\nversion = \"1.0.13\"\n";
        assert_eq!(settings(here), setting("itoa"));
        let released = "[[package]]\nname = \"itoa\"\nversion = \"1.0.15\"\nsource = \"registry\"\n";
        assert_eq!(settings(&format!("{here}\n{released}")), setting("path+file:///work/itoa#1.0.13"));
    }

    #[test]
    fn crates_are_split_unless_the_profile_says_otherwise() {
        let is_one = |arguments: &str| {
            let recorded: Vec<&str> = ["rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
            is_of_one_unit(&RustcCall::of(&recorded).unwrap())
        };
        for one in ["-C codegen-units=1", "-C lto", "-C lto=fat", "-Ccodegen-units=16 -Ccodegen-units=1"] {
            assert!(is_one(one), "{one}");
        }
        for several in ["-C opt-level=3", "-C codegen-units=16", "-C lto=thin", "-C lto=off"] {
            assert!(!is_one(several), "{several}");
        }
    }
}
