//! The old side of a comparison by [bench_diff](https://docs.rs/bench_diff_harness): finds a revision, checks
//! it out, and has cargo build the bench in it. It belongs to the harness of the same version, and nothing
//! else should depend on it.
//!
//! It starts git and cargo, and never changes the user's sources. It knows no statistics, no limits and no
//! records, and reads neither arguments nor the environment: the harness hands in a [`Bench`]. Of the other
//! crates it uses `bench_diff_system` alone.
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
//! | a name becomes a commit or a folder | `side`, `revision`, `base`, `git` |
//! | git writes its files, which then fit their place | `checkout`, `edits`, `outside`, `repository`, `trees` |
//! | the package and its bench are found there | `of_revision`, `manifest`, `toml`, `workspace` |
//! | the benches of the working tree are copied into it | `overlay`, `overlay_manifest`, `bench_files` |
//! | it gets a lock file with the running harness | `prepare`, `lock_file` |
//! | cargo builds the bench, called as the user called it | `build`, `seed`, `cargo`, `cargo_call`, `settings`, `selection`, `cargo_output` |
//! | what differs between the builds is explained | `compare`, `causes`, `program` |
//!
//! Each revision has its own folder below the target directory, named after its tree. Git writes the files
//! with a separate index, so the user's index, hooks and list of worktrees are not involved (`git worktree
//! add` runs hooks and leaves an entry; `git archive` leaves files out). Each revision also has its own
//! target directory: cargo names its output by paths inside the workspace, so in a shared directory one side
//! would pass for the other.
//!
//! Some differences cannot be avoided here. Environment variables such as `RUSTFLAGS` and
//! `RUSTC_WORKSPACE_WRAPPER` are those of the run. A harness that is a member of the same workspace comes
//! from the revision. If git does not find the repository, as with some jj repositories, the user has to name
//! a folder with another checkout.

mod base;
mod bench;
mod bench_files;
mod build;
mod cargo;
mod cargo_call;
mod cargo_output;
mod causes;
mod checkout;
mod compare;
mod edits;
#[cfg(test)]
mod fixture;
mod git;
mod lock_file;
mod manifest;
mod of_revision;
mod outside;
mod overlay;
mod overlay_manifest;
mod prepare;
mod program;
mod record;
mod repository;
mod revision;
mod seed;
mod selection;
mod settings;
mod side;
mod toml;
mod trees;
mod workspace;

pub use self::bench::{Bench, Benches};
pub use self::cargo_call::CargoCall;
pub use self::checkout::Checkout;
pub use self::program::{CALL_FLAG, Missing, Program, answer};
pub use self::record::{act_as_compiler, recorded_beside};
pub use self::revision::Revision;
pub use self::side::{BuiltSide, Side};
