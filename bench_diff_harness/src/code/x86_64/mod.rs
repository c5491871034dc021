//! Everything that is specific to x86-64: its instructions, its calls, and how code loads addresses.

mod convention;
mod decode;
mod effects;
mod implied;
mod machine;
mod opcodes;
mod operands;
#[cfg(test)]
mod oracle;
mod prefixes;

pub(super) use self::machine::X86_64;
