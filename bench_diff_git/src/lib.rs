//! The commits of a comparison by [bench_diff](https://docs.rs/bench_diff_harness): finds the one that a name
//! stands for, and writes its files beside the user's. It belongs to the harness of the same version, and
//! nothing else should depend on it.
//!
//! It starts git and no cargo, and never changes the user's sources. It reads neither arguments nor the
//! environment. Of the other crates it uses `bench_diff_system` alone.
//!
//! ```no_run
//! # use bench_diff_git::{Checkout, Git, Revision};
//! # use std::path::Path;
//! # fn example() -> Result<(), String> {
//! let git = Git::of(Path::new("."))?;
//! let revision = Revision::resolve(&git, "main", &|_| None)?;
//! let checkout = Checkout::of(git, &revision, Path::new("target/bench_diff/against"))?;
//! println!("{revision} is in {}", checkout.tree.display());
//! # Ok(())
//! # }
//! ```
//!
//! | step | modules |
//! |---|---|
//! | a name becomes a commit | `revision`, `base`, `git` |
//! | git writes its files, and files can be laid over them | `checkout`, `edits`, `repository` |
//!
//! Each revision has its own folder, named after its tree. Git writes the files with a separate index, so the
//! user's index, hooks and list of worktrees are not involved (`git worktree add` runs hooks and leaves an
//! entry; `git archive` leaves files out). If git does not find the repository, as with some jj repositories,
//! the user has to name a folder with another checkout.

mod base;
mod checkout;
mod edits;
#[cfg(test)]
mod fixture;
mod git;
mod repository;
mod revision;

pub use self::checkout::{Checkout, contents, remove_former};
pub use self::git::{Git, GitError, OF_HOOKS, without_hooks};
pub use self::revision::{Revision, Variables};
