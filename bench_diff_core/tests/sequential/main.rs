//! Proof of the error rates that the sequential judge promises, by simulation through the public interface.
//!
//! The theorem (Ville 1939; de la Pena 1999; Ramdas et al. 2020) promises the level in any noise that does not know the
//! coin, at any moment of stopping. The tests here look for the noise in which an implementation breaks it. Everything
//! is seeded and takes no real time, so a test that passes once always passes.

mod binomial;
mod coverage;
mod expected_duos;
mod fixed_order;
mod gate;
mod level;
mod noise;
mod overhead;
mod random;
mod recorded;
mod recording;
mod relabelling;
mod share;
mod simulation;
mod trace;
mod unequal_variances;
