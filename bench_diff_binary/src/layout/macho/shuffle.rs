//! The linker call that shuffles a program.

use std::fs;
use std::path::Path;

use super::gap;
use super::order::Order;
use crate::layout::link::Link;
use crate::layout::shifts::{GRAIN, Layout};
use bench_diff_system::files::write;
use bench_diff_system::rustc_call::RustcCall;

/// A call of the binary's own linker, which places functions and data as an order file says.
pub(in crate::layout) struct Shuffle {
    /// The call that made the binary, with the object of the blocks.
    link: Link,
    pub(in crate::layout) order: Order,
}

impl Shuffle {
    /// Shuffles the objects of a linker call. The compiler of this rustc call makes the object of the blocks,
    /// which goes to `folder`.
    ///
    /// # Errors
    ///
    /// An object cannot be read, or rustc fails.
    pub(in crate::layout) fn new(link: &Link, call: &RustcCall, folder: &Path) -> Result<Self, String> {
        Self::of(link, call, folder, GRAIN)
    }

    /// The same for any unit of shifts.
    fn of(link: &Link, call: &RustcCall, folder: &Path, grain: u64) -> Result<Self, String> {
        let order = Order::of(link, grain)?;
        let mut link = link.clone();
        // What the order leaves out follows as in the call, so blocks that are not in front are at the end.
        link.arguments.push(gap::object(call, folder, grain)?.display().to_string());
        Ok(Self { link, order })
    }

    /// Links the binary of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing the order file next to the binary.
    pub(in crate::layout) fn link(&self, Layout { program, shifts, seed }: &Layout) -> Result<(), String> {
        let path = program.with_extension("order");
        write(&path, self.order.text(*shifts, *seed))?;
        let mut arguments = self.link.arguments_to(program);
        // `-S` leaves out debug information, which takes time to link.
        for option in ["-S", "-order_file", &path.display().to_string()] {
            arguments.extend(self.link.passed(option));
        }
        let linked = self.link.run(&arguments, program);
        // It has a line for every symbol of std, and a run links hundreds of binaries.
        let _ = fs::remove_file(&path);
        linked
    }
}

#[cfg(test)]
mod tests;
