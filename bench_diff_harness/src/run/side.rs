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
pub(super) type Start = (PathBuf, StartRequest);

impl Side {
    /// The program in this layout, or as linked.
    pub(super) fn start(&self, layout: Option<&Layout>) -> Start {
        match layout {
            Some(Layout { program, shifts, .. }) => (program.clone(), shifts.into()),
            None => (self.program.clone(), StartRequest::default()),
        }
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
