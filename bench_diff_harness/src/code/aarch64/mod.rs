//! Everything that is specific to aarch64: its instructions, its calls, and how code loads addresses.

mod decode;
mod machine;
mod memory;
#[cfg(test)]
mod oracle;
mod vectors;
mod word;

pub(super) use self::machine::AARCH64;
