//! The old side of `--against`: another revision of the user's repository, which bench_diff finds, checks
//! out and builds without touching the working tree.
//!
//! It belongs to the harness of the same version, and nothing else should depend on it.
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

mod alike;
mod base;
mod bench;
mod bench_files;
mod build;
mod build_error;
mod call;
mod cargo;
mod cargo_call;
mod checkout;
mod contents;
mod features;
#[cfg(test)]
mod fixture;
mod git;
mod ignored;
mod lock_file;
mod locked;
mod manifest;
mod one_unit;
mod other;
mod outside;
mod overlay;
mod package;
mod prepare;
mod program;
mod repository;
mod revision;
mod search;
mod seed;
mod site;
mod toml;
mod trees;
mod variables;

pub use self::bench::{Benches, Target};
pub use self::call::arguments_of_cargo;
pub use self::cargo_call::CargoCall;
pub use self::checkout::Checkout;
pub use self::other::{Other, Side};
pub use self::program::{Built, CALL_FLAG, Missing, Program, answer};
pub use self::revision::Revision;
pub use self::search::Variables;
pub use self::trees::Trees;
