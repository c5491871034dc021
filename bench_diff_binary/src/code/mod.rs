//! Finds out whether two functions have the same machine code. Then their ratio is 1, wherever a linker puts
//! them.
//!
//! `read` makes a [`Program`] of the objects of a link, and `walk` goes through both programs from two
//! entries ([`same`]). It compares flags, alignment, bytes and relocations section by section, and follows
//! the relocations. A pair of sections that is still being compared counts as equal, so recursion is no
//! obstacle. At the end, `reach` looks for other users of the variables. `difference` says what a walk found.
//! Names never count, and if no rule applies, the functions don't count as the same:
//!
//! - A **panic location** may have any line and column: a function only hands its address on. It has to be
//!   exactly what the compiler makes of one, and the file has to be the same.
//! - **Merged** strings and constants are compared part by part, as linkers split them.
//! - The **toolchain** is compared by its files. A section of std equals only itself, since its content is
//!   not read. A variable of std equals itself only if both programs give std the same definitions of the
//!   symbols that std leaves open, such as an allocator.
//! - **Shared libraries** have to be the same files.
//! - **Data** correspond one to one, since programs compare addresses. **Variables** moreover must be out of
//!   reach of all code outside the walk, unless that code never runs in the same process, is the same on both
//!   sides, or only allocates, or both sides share the variable.
//! - **Texts that contain the path of a checkout** are equal if only that path differs, unless a file that is
//!   no source differs, which the function might read by such a path. The same holds for their lengths in
//!   sections that refer to them.
//! - **Unwinding** is a part of a function: its entry in the table, and where it lands.

mod difference;
mod harmless;
mod paths;
mod program;
mod reach;
mod read;
mod walk;

// The tests compile objects, which the walk can follow only on this platform.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[cfg(test)]
mod tests;

pub use self::difference::{Described, Difference};
pub(crate) use self::program::{Program, Root};
pub use self::walk::Unproven;
pub(crate) use self::walk::{Called, same};
