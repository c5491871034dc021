//! The output of a command, line by line, with times.

use std::error::Error;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

/// A line that the command printed on either stream.
pub(crate) struct Line {
    /// The time from the start of the command, in seconds.
    pub(crate) at: f64,
    pub(crate) text: String,
}

/// A command that has ended.
pub(crate) struct Run {
    pub(crate) lines: Vec<Line>,
    /// The time from its start to its end.
    pub(crate) seconds: f64,
}

impl Run {
    /// Runs this command to its end.
    pub(crate) fn of(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let start = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, lines) = channel();
        let streams = [
            child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
            child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        ];
        for stream in streams.into_iter().flatten() {
            let sender = sender.clone();
            thread::spawn(move || send_lines(stream, start, &sender));
        }
        drop(sender);
        let lines = lines.into_iter().collect();
        child.wait()?;
        Ok(Self { lines, seconds: start.elapsed().as_secs_f64() })
    }
}

fn send_lines(stream: impl Read, start: Instant, lines: &Sender<Line>) {
    for text in BufReader::new(stream).lines().map_while(Result::ok) {
        if lines.send(Line { at: start.elapsed().as_secs_f64(), text }).is_err() {
            return;
        }
    }
}
