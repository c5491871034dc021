//! A binary to measure, with its layouts.

use super::protocol::StartRequest;
use bench_diff_binary::{Layout, Relinker};
use bench_diff_system::executable::Executable;

/// A binary to measure.
pub(crate) struct Side {
    pub(crate) program: Executable,
    /// The linker of its random layouts, if there are any.
    pub(crate) relinker: Option<Relinker>,
}

/// A binary, and where the memory of its processes begins.
pub(super) struct Start {
    pub(super) program: Executable,
    pub(super) memory: StartRequest,
}

impl Side {
    pub(super) fn as_linked(&self) -> Start {
        Start { program: self.program.clone(), memory: StartRequest::default() }
    }

    pub(super) fn in_layout(&self, Layout { program, shifts, .. }: &Layout) -> Start {
        let memory = StartRequest { heap: shifts.heap as usize, stack: Some(shifts.stack) };
        Start { program: self.program.with_path(program.clone()), memory }
    }

    /// The layouts of the next round.
    ///
    /// # Errors
    ///
    /// Why there are no layouts.
    pub(super) fn next_round(&mut self) -> Result<Vec<Layout>, String> {
        let none = || Err("it has no random layouts".to_owned());
        let layouts = self.relinker.as_mut().map_or_else(none, Relinker::next_round);
        layouts.map_err(|reason| format!("its layout could not be linked: {reason}"))
    }
}
