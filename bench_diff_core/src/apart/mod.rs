//! Two functions in processes of their own, which take turns.
//!
//! Whoever measures them here calls neither: a [`Pair`](crate::Pair) asks the process of a function for a
//! slot, and [`ClocksApart`] say how long that took there. So what measures two functions of one process
//! measures these as well, with the same coins.

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
