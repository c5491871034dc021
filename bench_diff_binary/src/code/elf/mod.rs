//! Reads the ELF objects of a link into a [`Program`](super::Program).

mod input;
mod linked;
mod read;
mod unwind;
