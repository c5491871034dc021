//! The output of a program and its end.

use std::process::Output;

use tempfile::TempDir;

/// The output of a program and its end.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder that no other process knows, so that those of other tests do not wait for each other.
pub(crate) fn temporary_folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Checks the exit code, and shows everything where it is another one.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        let Self { code: actual, stdout, stderr } = &self;
        assert_eq!(*actual, Some(code), "\n--- stdout\n{stdout}\n--- stderr\n{stderr}");
        self
    }

    /// Checks that the output holds a text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no `{text}` in\n{}", self.stdout);
        self
    }

    /// Checks that the error output holds a text.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no `{text}` in\n{}", self.stderr);
        self
    }
}
