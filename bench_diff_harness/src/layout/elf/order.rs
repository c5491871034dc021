//! The order that lld gives to the functions and data of a program.

/// The sections that lld shuffles: functions, constants, variables, and thread-local variables.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// The seed that reverses the order.
pub(in crate::layout) const REVERSED: u32 = u32::MAX;

/// Keeps code as it was compiled. On aarch64, lld would otherwise shorten the instructions that load a near
/// address, so the instructions of a function would depend on the order.
const AS_COMPILED: &[&str] = if cfg!(target_arch = "aarch64") { &["--no-relax"] } else { &[] };

/// The options for the order of this seed.
pub(in crate::layout) fn options(seed: u32) -> impl Iterator<Item = String> {
    let shuffles = SHUFFLED.iter().map(move |sections| format!("--shuffle-sections={sections}={seed}"));
    let others = ["--call-graph-profile-sort=none"].iter().chain(AS_COMPILED);
    shuffles.chain(others.map(|option| (*option).to_owned()))
}
