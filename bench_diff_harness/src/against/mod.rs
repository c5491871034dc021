//! The other side of `--against`: another revision of this repository, found, checked out and built beside
//! the working tree, of which nothing is touched.
//!
//! Each revision has a folder of its own below the target directory, named after its tree. Its files are
//! written by git with an index of its own, so no index, hook or list of worktrees of the user knows of it
//! (`git worktree add` runs hooks and leaves an entry; `git archive` leaves files out). What is built of it
//! has a target directory of its own: cargo names what it builds by paths inside of a workspace, so in a
//! shared one either side would pass for the other.
//!
//! Some differences cannot be seen here. Variables such as `RUSTFLAGS` and `RUSTC_WORKSPACE_WRAPPER` are
//! those of the run; a harness that is a member of the same workspace is that of the revision; and a
//! repository that git does not find, as some of jj, takes a folder with another checkout.

mod base;
mod bench;
mod bench_files;
mod build;
mod call;
mod cargo;
mod cargo_call;
mod checkout;
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
mod overlay;
mod package;
mod prepare;
mod renamed;
mod repository;
mod revision;
mod search;
mod seed;
mod stand_in;
mod toml;
mod trees;
mod units;
mod variables;

pub(crate) use self::build::{Built, CALL_FLAG, Program, call_text};
pub(crate) use self::call::arguments_of_cargo;
pub(crate) use self::cargo_call::CargoCall;
pub(crate) use self::checkout::Checkout;
pub(crate) use self::other::{HARNESS, Other, Side};
