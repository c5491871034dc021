//! A connection to this machine itself, for systems on which a process cannot inherit a socket.
//!
//! The run listens on a port that only this machine can reach. Any program here may connect to it, so the
//! process has to begin with a word that it alone knows: its standard input is a pipe with both.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use bench_diff_system::temporary::new_word;

use super::{Channel, INTERVAL, Offer, Stream, Wait};
use crate::run::fault::Fault;

/// The time that a process may take to connect. A virus scanner may first look at its program.
const LONGEST: Duration = Duration::from_secs(60);

/// The time that a connected program may take to send the word.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pause between two looks for a connection.
const PAUSE: Duration = Duration::from_millis(1);

/// The port, for a process that is still to be started.
pub(super) struct Port {
    listener: TcpListener,
    secret: String,
    longest: Duration,
}

/// A connection that is ready for messages.
pub(super) struct Connection(TcpStream);

/// Offers a channel to a process that gets this standard input.
pub(in crate::run) fn offer() -> io::Result<(Offer, Stdio)> {
    let (port, words) = Port::new()?;
    let (input, mut end) = io::pipe()?;
    // A pipe takes this much before anybody reads.
    end.write_all(words.as_bytes())?;
    Ok((Box::new(|wait| Ok(Channel(Box::new(port.accepted(wait)?)))), input.into()))
}

/// This process's end. Standard input is empty from now on.
#[cfg_attr(unix, expect(dead_code, reason = "the standard input of tests is no such pipe"))]
pub(in crate::run) fn of_this_process() -> io::Result<Channel> {
    Ok(Channel(Box::new(Connection::to_run(io::stdin())?)))
}

/// Both ends in one process.
#[cfg(test)]
pub(in crate::run::turns) fn both() -> (Channel, Channel) {
    let (port, words) = Port::new().expect("there are ports");
    let process = Connection::to_run(words.as_bytes()).expect("the run listens");
    let run = port.accepted(&mut || Ok(())).expect("it knows the word");
    (Channel(Box::new(run)), Channel(Box::new(process)))
}

impl Port {
    /// The port, and the words that a process needs to connect to it.
    pub(super) fn new() -> io::Result<(Self, String)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let secret = new_word();
        let words = format!("{} {secret}", listener.local_addr()?);
        Ok((Self { listener, secret, longest: LONGEST }, words))
    }

    #[cfg(test)]
    pub(super) fn within(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }

    pub(super) fn accepted(self, wait: Wait<'_>) -> Result<Connection, Fault> {
        let fault = |error: io::Error| Fault::not_started(format_args!("cannot connect to it: {error}"));
        let start = Instant::now();
        while start.elapsed() < self.longest {
            match self.listener.accept() {
                Ok((stream, _)) if self.is_of_process(&stream) => return prepared(stream).map_err(fault),
                // A program that does not know the word, or has gone.
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait()?;
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(fault(error)),
            }
        }
        Err(Fault::not_started(format_args!(
            "it did not connect to this run within {} s, on a port of this machine (127.0.0.1)",
            self.longest.as_secs()
        )))
    }

    /// Returns whether the first word from there is the secret.
    fn is_of_process(&self, mut stream: &TcpStream) -> bool {
        let mut word = vec![0; self.secret.len()];
        // On Windows, a connection waits as little as its listener.
        let read = stream.set_nonblocking(false).and_then(|()| {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.read_exact(&mut word)
        });
        read.is_ok() && word == self.secret.as_bytes()
    }
}

/// The run's end of a connection.
fn prepared(stream: TcpStream) -> io::Result<Connection> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(INTERVAL))?;
    Ok(Connection(stream))
}

impl Connection {
    /// The end of a process with this standard input.
    pub(super) fn to_run(mut input: impl Read) -> io::Result<Self> {
        let mut words = String::new();
        input.read_to_string(&mut words)?;
        let words = words.split_once(' ').and_then(|(address, secret)| Some((address.parse().ok()?, secret)));
        let (address, secret): (SocketAddr, _) = words.ok_or(ErrorKind::InvalidInput)?;
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.write_all(secret.as_bytes())?;
        Ok(Self(stream))
    }
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // Windows may lose what arrives just when a read times out, and nothing when a peek does.
        self.0.peek(&mut [0])?;
        self.0.read(bytes)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Stream for Connection {
    fn peek(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.peek(bytes)
    }
}
