//! Reads the ELF objects of a link into a [`Program`](super::Program).

mod input;
mod library;
mod linked;
mod read;
mod unwind;
