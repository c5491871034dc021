//! Proof of the error rates that the sequential judge promises, by simulation through the public interface.
//!
//! The theorem (Ville 1939; de la Pena 1999; Ramdas et al. 2020) promises the level in any noise that does
//! not know the coin, at any moment of stopping. The tests here look for the noise in which an implementation
//! breaks it. Everything is seeded and takes no real time, so a test that passes once always passes.
//!
//! The long simulations have a short form, which runs by default, and a full one in a module `in_full`, which
//! runs with `--ignored`. Both accept what is binomial for their own number of runs.

#[path = "../common/binomial.rs"]
mod binomial;
mod coverage;
mod expected_duos;
mod fixed_order;
mod gate;
mod level;
mod noise;
mod overhead;
#[path = "../common/random.rs"]
mod random;
mod recorded;
mod relabelling;
mod share;
mod simulation;
mod trace;
mod unequal_variances;
