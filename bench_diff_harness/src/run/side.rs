//! A program whose processes measure, and its programs in random layouts.

use std::path::PathBuf;

use super::protocol::StartRequest;
use crate::layout::{Layout, Relinker};

/// A program that is measured.
pub(crate) struct Side {
    pub(crate) program: PathBuf,
    /// The linker of its programs in random layouts, if there are any.
    pub(crate) relinker: Option<Relinker>,
}

/// A program, and where the memory of its processes begins.
pub(super) struct Start {
    pub(super) program: PathBuf,
    pub(super) memory: StartRequest,
}

impl From<&Layout> for Start {
    fn from(Layout { program, shifts, .. }: &Layout) -> Self {
        let memory = StartRequest { heap: shifts.heap as usize, stack: Some(shifts.stack) };
        Self { program: program.clone(), memory }
    }
}

impl Side {
    pub(super) fn as_linked(&self) -> Start {
        Start { program: self.program.clone(), memory: StartRequest::default() }
    }

    /// Its programs of the next round.
    ///
    /// # Errors
    ///
    /// The reason why there are none, for the pairs of that round.
    pub(super) fn next_round(&mut self) -> Result<Vec<Layout>, String> {
        let none = || Err("there are none".to_owned());
        let layouts = self.relinker.as_mut().map_or_else(none, Relinker::next_round);
        layouts.map_err(|reason| format!("its layout could not be linked: {reason}"))
    }
}
