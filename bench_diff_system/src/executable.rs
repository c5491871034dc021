//! Executables of benches: this one, and others that are started.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The environment variables of a process.
pub type Variables = Vec<(OsString, OsString)>;

/// An environment variable in the form `NAME=VALUE`.
pub fn variable(entry: &[u8]) -> Option<(OsString, OsString)> {
    let end = entry.iter().position(|byte| *byte == b'=').filter(|end| *end > 0)?;
    Some((text(&entry[..end]), text(&entry[end + 1..])))
}

#[cfg(unix)]
fn text(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;

    OsString::from_vec(bytes.to_owned())
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// An executable, and the environment variables of its processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executable {
    /// The file.
    pub path: PathBuf,
    /// `None` for those of this process.
    pub variables: Option<Arc<Variables>>,
}

impl Executable {
    /// This executable.
    ///
    /// # Errors
    ///
    /// Why its path cannot be found.
    pub fn this() -> Result<Self, String> {
        Ok(Self { path: path()?, variables: None })
    }

    /// Another executable whose processes get the same variables.
    pub fn with_path(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
    }

    /// A command that starts the executable.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if let Some(variables) = &self.variables {
            command.env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        }
        command
    }
}

/// The path of this executable, which still leads to it if its file was replaced.
///
/// # Errors
///
/// Why it cannot be found.
pub fn path() -> Result<PathBuf, String> {
    if cfg!(target_os = "linux") {
        let path = PathBuf::from("/proc/self/exe");
        return match fs::symlink_metadata(&path) {
            Ok(_) => Ok(path),
            Err(error) => {
                Err(format!("cannot find this executable by {}: {error}: mount /proc", path.display()))
            }
        };
    }
    env::current_exe().map_err(|error| format!("cannot find the path of this executable: {error}"))
}

/// The folder of this executable; the current directory if its path cannot be found.
pub fn folder() -> PathBuf {
    let program = env::current_exe().ok();
    program.as_deref().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}

/// A name for the content of an executable; `None` if it cannot be read.
pub fn id_of(program: &Path) -> Option<String> {
    fs::read(program).ok().map(|content| format!("{:016x}", hash(&content)))
}

/// The hash may change with the standard library, but then the executable changes too.
fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        let mut content = vec![0_u8; 200_000];
        let original = hash(&content);
        for place in [0, 7, 8, 65_535, 65_536, 199_999] {
            for bit in [1, 128] {
                content[place] ^= bit;
                assert_ne!(hash(&content), original, "{place}");
                content[place] ^= bit;
            }
        }
        assert_eq!(hash(&content), original);
        let id = || id_of(&path().unwrap()).unwrap();
        assert_eq!(id(), id());
        assert_eq!(id().len(), 16);
    }
}
