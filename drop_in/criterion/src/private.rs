//! Only for generated code; not public API.

pub use std::process::ExitCode;
pub use std::{panic, stringify, vec};

pub use bench_diff_harness::__private::{function_line, place, target};

pub use crate::entry::{entry, main};
pub use crate::groups::{OfGroup, Targets};
pub use crate::registering::register;
