//! Functions that meddle with what lies around them, each once in a process, between two that do not.

#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "it is what meddles"))]
#![cfg_attr(
    target_os = "linux",
    expect(clippy::unwrap_used, reason = "a failed step is an error of its pair")
)]

use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn works() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = works, max_slowdown = "9000%", warmup = "0ms")]
fn first() -> u64 {
    works()
}

/// The sabotage, done by calls of the system.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::path::{Path, PathBuf};
    use std::sync::Once;
    use std::{env, panic, process, ptr, thread};

    use bench_diff_harness::bench_diff;

    use super::works;

    macro_rules! once {
        ($($name:ident: $meddle:expr;)*) => {
            $(
                #[bench_diff(baseline = works, max_slowdown = "9000%", warmup = "0ms")]
                fn $name() -> u64 {
                    static ONCE: Once = Once::new();
                    ONCE.call_once(|| $meddle);
                    works()
                }
            )*
        };
    }

    once! {
        forks_a_child_that_exits: assert_eq!(fork(|| process::exit(0)), Some(0));
        forks_a_child_that_comes_back: assert_ne!(unsafe { libc::fork() }, -1);
        forks_a_child_that_stays: stay();
        leaves_a_handler_that_exits: assert_eq!(unsafe { libc::atexit(leave) }, 0);
        leaves_a_handler_that_waits: assert_eq!(unsafe { libc::atexit(wait) }, 0);
        removes_the_answer: fs::remove_file(file("answer")).unwrap();
        writes_into_the_answer: append("0123456789abcdef end null\n");
        makes_the_output_huge: lengthen("output");
        removes_the_folder: fs::remove_dir_all(file("").parent().unwrap()).unwrap();
        writes_to_every_file: for_every_file(|file| unsafe { libc::write(file, c"all".as_ptr().cast(), 3) });
        closes_every_file: for_every_file(|file| unsafe { libc::close(file) as isize });
        goes_elsewhere: env::set_current_dir("/").unwrap();
        empties_the_environment: env::vars_os().for_each(|(name, _)| unsafe { env::remove_var(name) });
        may_write_no_file: forbid_files();
        kills_its_parent: kill_the_run();
        becomes_another_program: {
            let nothing: *const libc::c_char = ptr::null();
            unsafe { libc::execl(c"/bin/true".as_ptr(), c"true".as_ptr(), nothing) };
        };
    }

    /// Forks a child that does this, and returns how it ended unless it comes back.
    fn fork(child: impl FnOnce()) -> Option<libc::c_int> {
        let process = unsafe { libc::fork() };
        if process == 0 {
            child();
            return None;
        }
        let mut status = 0;
        assert_eq!(unsafe { libc::waitpid(process, &raw mut status, 0) }, process);
        Some(status)
    }

    /// Leaves a child alone that does not end, and its number as the name of a file.
    fn stay() {
        let process = unsafe { libc::fork() };
        if process == 0 {
            loop {
                thread::park();
            }
        }
        // The folder for temporary files, which the environment may not name any more.
        let folder = file("stays").ancestors().nth(3).unwrap().join(format!("stays-{process}"));
        fs::write(folder, "").unwrap();
    }

    /// Kills the parent if that is a process of this program: once the run has ended, it could be any other.
    fn kill_the_run() {
        let parent = unsafe { libc::getppid() };
        let program = fs::read_link(format!("/proc/{parent}/exe")).unwrap();
        assert_eq!(program, env::current_exe().unwrap());
        assert_eq!(unsafe { libc::kill(parent, libc::SIGKILL) }, 0);
    }

    extern "C" fn leave() {
        unsafe { libc::_exit(0) };
    }

    extern "C" fn wait() {
        loop {
            thread::park();
        }
    }

    /// A file beside the request.
    fn file(name: &str) -> PathBuf {
        Path::new(&env::args_os().nth(2).unwrap()).with_file_name(name)
    }

    fn append(text: &str) {
        OpenOptions::new().append(true).open(file("answer")).unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Much longer than what is read of it, and no burden to the disk.
    fn lengthen(name: &str) {
        OpenOptions::new().write(true).open(file(name)).unwrap().set_len(1 << 32).unwrap();
    }

    fn for_every_file(meddle: impl Fn(libc::c_int) -> isize) {
        for file in 0..1024 {
            meddle(file);
        }
    }

    fn forbid_files() {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const none) }, 0);
    }

    /// Every thread of the copy but one is missing there.
    #[bench_diff(baseline = works, threads = [1, 3], max_slowdown = "9000%", warmup = "0ms")]
    fn forks_beside_others() -> u64 {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| assert_ne!(unsafe { libc::fork() }, -1));
        works()
    }

    /// A payload that panics again when it is dropped.
    struct Payload;

    impl Drop for Payload {
        fn drop(&mut self) {
            panic!("a payload is dropped");
        }
    }

    #[bench_diff(baseline = works, threads = [1, 3], warmup = "0ms")]
    fn panics_with_a_payload_that_panics() -> u64 {
        panic::panic_any(Payload)
    }

    #[derive(PartialEq)]
    struct Output;

    impl Drop for Output {
        fn drop(&mut self) {
            panic!("an output is dropped");
        }
    }

    fn output() -> Output {
        Output
    }

    #[bench_diff(baseline = output, warmup = "0ms")]
    fn returns_what_panics_when_it_is_dropped() -> Output {
        Output
    }
}

#[bench_diff(baseline = works, max_slowdown = "9000%", warmup = "0ms")]
fn last() -> u64 {
    works()
}

bench_diff_harness::main!();
