//! What is x86-64's alone: its instructions, its calls, and how code gets at addresses.

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
