//! The binaries of a run, and a child process of one that is started with a request.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::{self, Command, Stdio};

use bench_diff_binary::{Layout, Relinker};
use bench_diff_system::executable::Executable;
use bench_diff_system::files::cannot;
use bench_diff_system::temporary::{InnerFolder, TempFolder};

use super::fault::Fault;
use super::output::ChildOutput;
use super::process::Process;
use super::protocol::{AnswerReader, Request, StartRequest};

/// The flag that passes a request to a binary; the path of the request follows. It is the first argument,
/// and not for users.
pub(crate) const FLAG: &str = "--bench-diff-round";

/// The process, with its answer and its output. It ends when this value is dropped.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) reader: AnswerReader,
    pub(super) output: ChildOutput,
    /// The folder of its files. A process that it leaves running may still write into the folder.
    pub(super) folder: InnerFolder,
}

impl Started {
    /// Starts a process of a binary with this request and this standard input.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn new(
        program: &Executable,
        folder: &TempFolder,
        request: Request,
        input: Stdio,
    ) -> Result<Self, Fault> {
        let cannot = |error: io::Error| Fault::not_started(cannot("use", folder.path(), error));
        let folder = folder.inner().map_err(cannot)?;
        let output = ChildOutput::new(&folder.0).map_err(cannot)?;
        let path = folder.0.join("request");
        let reader = AnswerReader::to(&path).map_err(cannot)?;
        let request = Request { run: process::id(), ..request };
        request.write(&path).map_err(cannot)?;
        let mut command = program.command();
        // Benches may ask for these flags of cargo, to have smaller inputs in a test for example.
        let is_of_cargo = |argument: &OsString| argument == "--bench" || argument == "--test";
        command.arg(FLAG).arg(&path).args(env::args_os().skip(1).filter(is_of_cargo));
        named(&mut command);
        command.stdin(input);
        output.redirect(&mut command).map_err(cannot)?;
        Ok(Self { process: Process::start(&mut command)?, reader, output, folder })
    }
}

/// Gives the process the name by which this binary was started.
#[cfg(unix)]
fn named(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    if let Some(name) = env::args_os().next() {
        command.arg0(name);
    }
}

#[cfg(not(unix))]
fn named(_: &mut Command) {}

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

    /// The layouts of the next round, at least this many.
    ///
    /// # Errors
    ///
    /// Why there are no layouts.
    pub(super) fn next_round(&mut self, programs: usize) -> Result<Vec<Layout>, String> {
        let none = || Err("it has no random layouts".to_owned());
        let layouts = self.relinker.as_mut().map_or_else(none, |relinker| relinker.next_round(programs));
        layouts.map_err(|reason| format!("its layout could not be linked: {reason}"))
    }
}
