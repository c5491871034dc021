//! A program that is run while its sources are other ones, or when a later build has failed.

use std::process::Command;

use crate::common::heard::isolate;
use crate::common::ran::{Ran, temporary_folder};
use crate::configurations::TWICE;
use crate::user_crate::{UserCrate, dependency};

/// The crate, and the executable of its bench.
fn built() -> (UserCrate, String) {
    let manifest =
        format!("[dev-dependencies]\n{}\n\n[[bench]]\nname = \"rebuilt\"\nharness = false\n", dependency());
    let rebuilt = UserCrate::new("rebuilt", &manifest);
    rebuilt.write("benches/rebuilt.rs", TWICE);
    let ran = rebuilt.cargo("bench --no-run").ends_with(0);
    let executable = ran.stderr.rsplit_once("benches/rebuilt.rs (").unwrap().1;
    let executable = executable.split_once(')').unwrap().0.to_owned();
    (rebuilt, executable)
}

impl UserCrate {
    /// Runs a program that cargo has built, without cargo.
    fn run(&self, executable: &str) -> Ran {
        let mut command = Command::new(executable);
        command.args(["--bench", "--verbose"]);
        isolate(&mut command);
        let temporary = temporary_folder();
        command.env("TMPDIR", temporary.path()).env("CARGO_TARGET_DIR", Self::target());
        Ran::from(command.output().unwrap())
    }
}

/// One test, since all of it is one crate.
#[test]
fn what_a_program_was_refused_for_is_not_kept() {
    let (rebuilt, executable) = built();
    rebuilt.write("benches/rebuilt.rs", &TWICE.replace("rotate_left(5)", "rotate_left(6)"));
    let edited = rebuilt.run(&executable).ends_with(0).says("1 inconclusive");
    edited.complains("compiling it once more gave a different binary: its sources may have changed");
    rebuilt.write("benches/rebuilt.rs", TWICE);
    rebuilt.run(&executable).ends_with(101).says(" slower as linked");
    rebuilt.cargo("bench -- --verbose").ends_with(101).says(" slower as linked");

    // As a variable is left out that the program was built with.
    let with_variable = format!("const _: &str = env!(\"REBUILT\");{TWICE}");
    rebuilt.write("benches/rebuilt.rs", &with_variable);
    rebuilt.cargo_in("bench --no-run", &[("REBUILT", "1")]).ends_with(0);
    rebuilt.cargo("bench --no-run").ends_with(101);
    let failed = rebuilt.run(&executable).ends_with(0).says("1 inconclusive");
    failed.complains("cannot be linked again");
}
