//! Stands in for what a job on GitHub is told by: without reports it is told nothing.

use super::{Channel, Subject};
use crate::config::Config;
use crate::exit::Exit;

pub(super) fn add(_: &Config, _: &Subject, _: &mut Vec<Channel<'_>>) -> Exit {
    Exit::Success
}
