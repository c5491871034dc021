//! Both kinds of channels: what arrives, what is refused, and how each end is noticed.

use std::env;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::loopback::{self, Connection};
use super::*;
use crate::run::process::Process;

/// Both ends of a channel, of each kind that this system has.
fn kinds() -> Vec<(Channel, Channel)> {
    if cfg!(unix) { vec![both(), loopback::both()] } else { vec![both()] }
}

#[test]
fn messages_arrive_and_the_end_is_noticed() {
    for (mut run, mut process) in kinds() {
        let numbers =
            Frame::new("numbers").with(&[1]).with_option(Some(u64::MAX)).with_option(None).with(&[2]);
        process.send(&numbers).unwrap();
        process.send(&Frame::new("text").with(&[3]).with_text("größe".to_owned())).unwrap();
        run.send(&Frame::new("back")).unwrap();
        let mut wait = || Ok(());
        assert_eq!(process.peek().unwrap().kind(), "back");
        assert_eq!(process.receive(&mut wait).unwrap().unwrap().kind(), "back");
        process.0.write_all(b"half").unwrap();
        drop(process);
        assert_eq!(run.peek().unwrap().kind(), "numbers");
        let mut frame = run.receive(&mut wait).unwrap().unwrap();
        assert_eq!((frame.kind(), frame.text.as_str()), ("numbers", ""));
        assert_eq!((frame.number(), frame.option(), frame.option()), (1, Some(u64::MAX), None));
        assert_eq!(frame.number(), 2);
        assert_eq!(run.peek().unwrap().kind(), "text");
        let mut frame = run.receive(&mut wait).unwrap().unwrap();
        assert_eq!((frame.number(), frame.kind(), frame.text.as_str()), (3, "text", "größe"));
        assert_eq!(run.peek(), None);
        assert_eq!(run.receive(&mut wait), Ok(None));
    }
}

#[test]
fn a_process_notices_that_the_run_is_gone() {
    for (run, mut process) in kinds() {
        drop(run);
        assert_eq!(process.peek(), None);
        assert_eq!(process.receive(&mut || Ok(())), Ok(None));
    }
}

#[test]
fn waiting_ends_for_other_reasons() {
    for (mut run, mut process) in kinds() {
        let enough = || Fault::Outside("enough".to_owned());
        let mut looks = 0;
        let mut wait = || {
            looks += 1;
            if looks == 3 { Err(enough()) } else { Ok(()) }
        };
        process.0.write_all(&[0; 20]).unwrap();
        assert_eq!(run.receive(&mut wait), Err(enough()));
    }
}

#[test]
fn bytes_of_others_are_no_message() {
    for (mut run, mut process) in kinds() {
        process.0.write_all(&[b'x'; HEAD]).unwrap();
        let fault = run.receive(&mut || Ok(())).unwrap_err().to_string();
        assert!(fault.starts_with("its message has "), "the length is beyond the limit: {fault}");
        process.0.write_all(&[0; HEAD]).unwrap();
        assert_eq!(run.receive(&mut || Ok(())).unwrap().unwrap().kind(), "");
    }
}

#[test]
fn a_program_without_the_word_is_refused() {
    let (port, words) = loopback::Port::new().unwrap();
    let (address, secret) = words.split_once(' ').unwrap();
    assert!(address.starts_with("127.0.0.1:") && secret.len() == 16, "{words}");
    let wrong = words.replace(secret, "0123456789abcdef");
    let mut stranger = Connection::to_run(wrong.as_bytes()).unwrap();
    drop(TcpStream::connect(address).unwrap());
    let process = thread::spawn(move || Connection::to_run(words.as_bytes()).unwrap());
    let mut run = port.accepted(&mut || Ok(())).unwrap();
    process.join().unwrap().write_all(b"x").unwrap();
    let mut byte = [0];
    run.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"x");
    let read = stranger.read(&mut byte).map_err(|error| error.kind());
    assert!(
        matches!(read, Ok(0) | Err(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted)),
        "{read:?}"
    );
}

#[test]
fn words_that_lead_nowhere_are_an_error() {
    for words in ["", "127.0.0.1:1", "here 0123456789abcdef"] {
        let error = Connection::to_run(words.as_bytes()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{words}");
    }
}

#[test]
fn a_process_that_never_connects_is_reported() {
    let (port, _words) = loopback::Port::new().unwrap();
    let fault = port.within(Duration::ZERO).accepted(&mut || Ok(())).err().unwrap().to_string();
    assert!(fault.contains("did not connect to this run within 0 s"), "{fault}");
    // A program that knows nothing about channels.
    let mut other = Command::new(env::current_exe().unwrap());
    let (offer, input) = loopback::offer().unwrap();
    let process = Process::start(other.arg("--list").stdin(input).stdout(Stdio::null())).unwrap();
    let fault = offer(&mut || process.connects()).err().unwrap().to_string();
    let end = "its process could not be started: it ended with code 0 before it connected to this run";
    assert_eq!(fault, end);
}
