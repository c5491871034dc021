//! Builds a side once more with one codegen unit for each crate of its workspace, so that both sides do not
//! differ merely in how the compiler split crates.

use super::cargo::Workspace;
use super::lock_file::OF_HARNESS;
use crate::layout::RustcCall;

/// The folder for this build, in the folder of its tree.
pub(super) const FOLDER: &str = "one_unit";

impl Workspace {
    /// The cargo settings that compile each member as one unit in this profile. All other crates are compiled
    /// as before, so existing builds of them are reused. That includes the harness, since no verdict depends
    /// on its code.
    pub(super) fn one_unit_each(&self, profile: &str) -> impl Iterator<Item = String> {
        let members = self.packages.iter().map(|package| &*package.name);
        members
            .filter(|name| !OF_HARNESS.contains(name))
            .map(move |name| format!("--config=profile.{profile}.package.{name}.codegen-units=1"))
    }
}

impl RustcCall {
    /// Returns whether the compiler doesn't split crates anyway, or joins all of them again with fat LTO.
    pub(super) fn is_of_one_unit(&self) -> bool {
        let is_fat = |lto| !["off", "no", "n", "false", "thin"].contains(&lto);
        self.value("codegen-units") == Some("1") || self.value("lto").is_some_and(is_fat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_split_unless_the_profile_says_otherwise() {
        let is_of_one_unit = |arguments: &str| {
            let recorded: Vec<&str> = ["rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
            RustcCall::of(&recorded).unwrap().is_of_one_unit()
        };
        for one in ["-C codegen-units=1", "-C lto", "-C lto=fat", "-Ccodegen-units=16 -Ccodegen-units=1"] {
            assert!(is_of_one_unit(one), "{one}");
        }
        for several in ["-C opt-level=3", "-C codegen-units=16", "-C lto=thin", "-C lto=off"] {
            assert!(!is_of_one_unit(several), "{several}");
        }
    }
}
