//! Finds out whether two functions are the same machine code, which makes their ratio 1 wherever a linker
//! puts them.
//!
//! The objects of a link are read into a [`Program`], and [`same`] walks from two entries. Section by section
//! flags, alignment, bytes, relocations are equal, and so is what the relocations lead to. Pairs under way
//! count as equal, so that recursion is no obstacle. Names never count, and what no rule is about is not
//! claimed:
//!
//! - A **panic location** may hold anything where its address reaches nothing but functions of std that never
//!   come back: the line of a panic is no work.
//! - **Merged** strings and constants are compared part by part, as linkers take them apart.
//! - The **toolchain** is in a program as its files are. A section of std equals itself, a variable too, if
//!   what std finds outside of its files, such as an allocator, is the same in both programs. It equals no
//!   other one: what is in it is not read.
//! - **Shared libraries** have to be the same files, or files of one content.
//! - **Data** stand for one another one to one, since addresses are compared. **Variables** moreover must be
//!   out of reach of all code that is not a part of the walk, unless that never runs beside it, or both sides
//!   have one and the same.
//! - **Texts with the path of their own tree** are equal with the other path in its place, and so are their
//!   lengths beside pointers to them, unless a file differs that may be read by such a path.
//! - **Unwinding** is a part of a function: its entry in the table, and where it lands.

mod called;
mod callee;
mod calls;
mod difference;
mod flow;
mod input;
mod instruction;
mod krate;
mod landing;
mod lengths;
mod library;
mod linked;
mod location;
mod machine;
mod moved;
mod program;
mod read;
mod unwind;
mod walk;
mod x86_64;

// The objects that compilers make here are of this kind.
#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub(crate) use self::called::Called;
#[cfg(test)]
pub(crate) use self::calls::Callee;
pub(crate) use self::calls::is_of_harness;
pub(crate) use self::difference::Sides;
#[cfg(test)]
pub(crate) use self::difference::{Difference, Function, Why};
pub(crate) use self::krate::{is_foreign, krate};
pub(crate) use self::moved::Trees;
pub(crate) use self::program::{Program, Root};
pub(crate) use self::walk::{Parting, same};
