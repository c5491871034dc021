//! The old side of a comparison by [bench_diff](https://docs.rs/bench_diff_harness): has cargo build the
//! bench in a revision that `bench_diff_git` checks out. It belongs to the harness of the same version, and
//! nothing else should depend on it.
//!
//! It starts cargo, and never changes the user's sources. It knows no statistics, no limits and no records,
//! and reads neither arguments nor the environment: the harness hands in a [`Bench`]. Of the other crates it
//! uses `bench_diff_git` and `bench_diff_system`.
//!
//! ```no_run
//! # use bench_diff_revision::{Bench, Side};
//! # use std::path::Path;
//! # fn example(bench: &Bench<'_>) -> Result<(), String> {
//! let side = Side::find("main", bench, Path::new("."))?;
//! let built = side.build(bench, Path::new("target/bench_diff/against"))?;
//! if let Ok(program) = &built.program {
//!     println!("{side}: {}", program.summary());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | step | modules |
//! |---|---|
//! | a name becomes a side: a revision or a folder, whose files then fit their place | `side`, `outside`, `trees` |
//! | the package and its bench are found there | `of_revision`, `manifest`, `toml`, `workspace` |
//! | the benches of the working tree are copied into it | `overlay`, `overlay_manifest`, `bench_files` |
//! | it gets a lock file with the running harness | `prepare`, `lock_file` |
//! | cargo builds the bench, called as the user called it | `build`, `seed`, `cargo`, `cargo_call`, `settings`, `selection`, `cargo_output` |
//! | what differs between the builds is explained | `compare`, `causes`, `program` |
//!
//! Each revision has its own target directory: cargo names its output by paths inside the workspace, so in a
//! shared directory one side would pass for the other.
//!
//! Some differences cannot be avoided here. Environment variables such as `RUSTFLAGS` and
//! `RUSTC_WORKSPACE_WRAPPER` are those of the run. A harness that is a member of the same workspace comes
//! from the revision.

mod bench;
mod bench_files;
mod build;
mod cargo;
mod cargo_call;
mod cargo_output;
mod causes;
mod compare;
#[cfg(test)]
mod fixture;
mod lock_file;
mod manifest;
mod of_revision;
mod outside;
mod overlay;
mod overlay_manifest;
mod prepare;
mod program;
mod seed;
mod selection;
mod settings;
mod side;
mod toml;
mod trees;
mod workspace;

pub use bench_diff_git::{Checkout, Revision};

pub use self::bench::{Bench, Benches};
pub use self::cargo_call::{CargoCall, RECORDS};
pub use self::cargo_output::shortened;
pub use self::program::{CALL_FLAG, Missing, Program, answer};
pub use self::side::{BuiltSide, Side};
