//! Programs of benches: this one, and others that are started.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The variables of a process.
pub(crate) type Variables = Vec<(OsString, OsString)>;

/// A program, and the variables that its processes get.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) path: PathBuf,
    /// Those of this process if `None`.
    pub(crate) variables: Option<Arc<Variables>>,
}

impl Executable {
    /// This program.
    ///
    /// # Errors
    ///
    /// If its path cannot be found; the text says why.
    pub(crate) fn this() -> Result<Self, String> {
        Ok(Self { path: path()?, variables: None })
    }

    /// Another program whose processes get the same variables.
    pub(crate) fn with_path(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
    }

    /// A call of the program.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if let Some(variables) = &self.variables {
            command.env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        }
        command
    }
}

/// This program, also where another one has taken the place of its file since.
///
/// # Errors
///
/// If its path cannot be found; the text says why.
pub(crate) fn path() -> Result<PathBuf, String> {
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

/// The folder in which it lies, where it was built; the current one where its path cannot be found.
pub(crate) fn folder() -> PathBuf {
    let program = env::current_exe().ok();
    program.as_deref().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned()
}

/// A name for the content of this program; none where it cannot be read.
pub(crate) fn id() -> Option<String> {
    id_of(&path().ok()?)
}

/// A name for the content of a program; none where it cannot be read.
pub(crate) fn id_of(program: &Path) -> Option<String> {
    fs::read(program).ok().map(|content| format!("{:016x}", hash(&content)))
}

/// Another release of the standard library may have another hash, and makes other programs.
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
        assert_eq!(id(), id());
        assert_eq!(id().unwrap().len(), 16);
    }
}
