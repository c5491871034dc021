//! Allocations of the functions of a pair.

mod allocator;
mod counted;

pub use self::allocator::CountingAllocator;
pub(crate) use self::allocator::{COUNTERS, count};
pub(crate) use self::counted::{Allocations, Count, Counts, FEW, MANY, counted};
