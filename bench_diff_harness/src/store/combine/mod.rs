//! Several independent runs of one pair, as one.
//!
//! The evidence of the judge of rounds is an e-value at the stop of its run, and the product of those of
//! independent runs is one again (Ramdas, Ruf, Larsson & Koolen 2020, "Admissible anytime-valid sequential
//! inference must rely on nonnegative martingales"). A gate with two directions records the larger evidence
//! for a failure; half of it is at most the mean of both, which is an e-value, so every run pays for the
//! choice. Of a pass it records the smaller one, which is at most that of whichever direction is true.

mod combined;
mod source;

pub(super) use self::combined::combined;
pub(super) use self::source::Source;
