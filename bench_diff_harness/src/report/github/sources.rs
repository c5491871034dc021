//! The path of the source of a pair in its repository.

use std::path::{Path, PathBuf};

pub(in crate::report) struct Sources {
    /// The root of the package.
    pub(in crate::report) package: PathBuf,
    /// The root of the repository.
    pub(in crate::report) repository: Option<PathBuf>,
}

impl Sources {
    /// The path of a file relative to the root of the repository. The compiler gives one relative to the root
    /// of the workspace, which is that of the package or above it.
    pub(super) fn in_repository(&self, file: &str) -> String {
        let workspace = self.package.ancestors().find(|folder| folder.join(file).is_file());
        let relative = workspace.zip(self.repository.as_ref()).and_then(|(workspace, repository)| {
            let path = workspace.join(file);
            relative(&path, repository)
                .or_else(|| relative(&path.canonicalize().ok()?, &repository.canonicalize().ok()?))
        });
        relative.unwrap_or_else(|| file.to_owned()).replace("\\", "/")
    }
}

fn relative(path: &Path, root: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_workspace_may_be_anywhere_in_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("repository/rust/sorts");
        fs::create_dir_all(package.join("benches")).unwrap();
        fs::write(package.join("benches/stable.rs"), "").unwrap();
        let repository = Some(folder.path().join("repository"));
        let sources = Sources { package, repository };
        assert_eq!(sources.in_repository("sorts/benches/stable.rs"), "rust/sorts/benches/stable.rs");
        assert_eq!(
            sources.in_repository("benches/stable.rs"),
            "rust/sorts/benches/stable.rs",
            "its own workspace"
        );
        assert_eq!(sources.in_repository("benches/absent.rs"), "benches/absent.rs");
        assert_eq!(sources.in_repository("benches\\absent.rs"), "benches/absent.rs");
        let unknown = Sources { repository: None, ..sources };
        assert_eq!(unknown.in_repository("benches/stable.rs"), "benches/stable.rs");
    }
}
