//! Two functions in two processes, which take turns.
//!
//! The measuring process calls neither function. A [`Pair`](crate::Pair) asks the process of a function for a
//! slot, and [`ClocksApart`] report how long it took there. The code that measures two functions of one
//! process can therefore measure these as well, with the same coins.

mod clocks;
mod pair_apart;
#[cfg(test)]
mod tests;
mod turns;
#[cfg(test)]
mod turns_that_vary;

pub use self::clocks::ClocksApart;
pub use self::pair_apart::Apart;
pub use self::turns::{Function, FunctionApart, Taken, Turns};
