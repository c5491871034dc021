//! The order that lld gives to the functions and data of a program.

/// The sections that lld shuffles: functions, constants, variables, and thread-local variables.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// The seed that reverses the order.
pub(super) const REVERSED: u32 = u32::MAX;

/// The options for the order of this seed.
pub(super) fn options(seed: u32) -> impl Iterator<Item = String> {
    let shuffles = SHUFFLED.iter().map(move |sections| format!("--shuffle-sections={sections}={seed}"));
    shuffles.chain(["--call-graph-profile-sort=none".to_owned()])
}
