//! A child process that the run waits for while it reads the child's messages.

use std::cell::OnceCell;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use shared_child::SharedChild;

use super::fault::{Fault, of_end};

/// A started process. It ends when this value is dropped.
pub(super) struct Process {
    child: Arc<SharedChild>,
    /// The waiting thread sends the end, which is then kept.
    ending: mpsc::Receiver<Result<(), Fault>>,
    end: OnceCell<Result<(), Fault>>,
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// The reason why it could not be started.
    pub(super) fn start(command: &mut Command) -> Result<Self, Fault> {
        let started = SharedChild::spawn(command);
        let program = Path::new(command.get_program());
        let started = started.map_err(|error| Fault::cannot_start(program, &error))?;
        let child = Arc::new(started);
        let (sender, ending) = mpsc::channel();
        let process = Self { child: Arc::clone(&child), ending, end: OnceCell::new() };
        // If no thread can be started, `process` is dropped here, which ends the child.
        let wait = move || sender.send(of_end(child.wait()));
        thread::Builder::new().spawn(wait).map_err(Fault::not_started)?;
        Ok(process)
    }

    /// How the process ended; `None` if it runs longer than this time.
    pub(super) fn ended_within(&self, time: Duration) -> Option<Result<(), Fault>> {
        self.end.get().cloned().or_else(|| {
            let end = self.ending.recv_timeout(time).ok()?;
            Some(self.end.get_or_init(|| end).clone())
        })
    }

    /// Fails if the process has ended, given that it has not connected to this run yet.
    pub(super) fn connects(&self) -> Result<(), Fault> {
        let end = match self.ended_within(Duration::ZERO) {
            None => return Ok(()),
            Some(Ok(())) => "it ended with code 0".to_owned(),
            Some(Err(Fault::Exited(code))) => format!("it ended with code {code}"),
            Some(Err(fault)) => fault.to_string(),
        };
        Err(Fault::not_started(format_args!("{end} before it connected to this run")))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both succeed for a child of this process, unless it is already gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn an_end_is_reported() {
        for (program, end) in [("true", Ok(())), ("false", Err(Fault::Exited(1)))] {
            let process = Process::start(&mut Command::new(program)).unwrap();
            for _ in 0..2 {
                assert_eq!(process.ended_within(LONG), Some(end.clone()));
            }
        }
    }

    #[test]
    fn a_process_goes_with_its_value() {
        let start = Instant::now();
        let process = Process::start(Command::new("sleep").arg("60")).unwrap();
        assert_eq!(process.ended_within(Duration::from_millis(20)), None);
        let child = Arc::clone(&process.child);
        drop(process);
        assert!(child.try_wait().unwrap().is_some() && start.elapsed() < LONG);
    }

    #[test]
    fn a_missing_program_is_reported() {
        let error = Process::start(&mut Command::new("/absent/program")).err().unwrap().to_string();
        let start = "its process could not be started: cannot start /absent/program: No such file";
        assert!(error.starts_with(start), "{error}");
    }
}
