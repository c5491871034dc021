//! A process that was asked for something.

use std::env;
use std::path::Path;
use std::process::{self, Command, Stdio};

use super::output::ChildOutput;
use super::process::{Process, not_started};
use super::protocol::{AnswerReader, Request};
use crate::system::temporary::{InnerFolder, TempFolder, new_word};

/// The flag that asks a program for something, before the path of the request. It is the first argument,
/// and not for users.
pub(crate) const FLAG: &str = "--bench-diff-round";

/// The process, and what is heard of it. It does not outlive this value.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) reader: AnswerReader,
    pub(super) output: ChildOutput,
    /// The folder of its files, into which a process that it leaves running may still write.
    pub(super) folder: InnerFolder,
}

/// A folder for the files by which processes talk.
///
/// # Errors
///
/// If there is none; the text says why.
pub(super) fn folder() -> Result<TempFolder, String> {
    TempFolder::of_run()
        .map_err(|error| format!("cannot make a folder for the files of the processes: {error}"))
}

impl Started {
    /// Asks a program for something, whose process reads this.
    ///
    /// # Errors
    ///
    /// If it could not be started; the text says why.
    pub(super) fn new(
        program: &Path,
        folder: &TempFolder,
        request: Request,
        input: Stdio,
    ) -> Result<Self, String> {
        let folder = folder.inner().map_err(not_started)?;
        let output = ChildOutput::new(&folder.0).map_err(not_started)?;
        let path = folder.0.join("request");
        let word = new_word();
        let reader = AnswerReader::to(&path, &word).map_err(not_started)?;
        let request = Request { word, run: process::id(), ..request };
        request.write(&path).map_err(not_started)?;
        let mut command = Command::new(program);
        command.arg(FLAG).arg(&path);
        named(&mut command);
        command.stdin(input);
        output.redirect(&mut command).map_err(not_started)?;
        Ok(Self { process: Process::start(&mut command)?, reader, output, folder })
    }
}

/// Gives its processes the name by which the program was started.
#[cfg(unix)]
fn named(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    if let Some(name) = env::args_os().next() {
        command.arg0(name);
    }
}

#[cfg(not(unix))]
fn named(_: &mut Command) {}
