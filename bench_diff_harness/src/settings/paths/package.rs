//! The package of a bench as an argument of cargo.

use std::fs;
use std::path::Path;

use crate::settings::target::Target;

/// The argument of `cargo -p`: the name and the version, or the package id if another package has the same
/// ones, such as a release from a registry or from git.
pub(crate) fn package_spec(target: &Target) -> String {
    let Target { package, version, manifest_dir, .. } = target;
    let locks = Path::new(manifest_dir).ancestors().map(|folder| folder.join("Cargo.lock"));
    let is_ambiguous =
        locks.filter_map(|lock| fs::read_to_string(lock).ok()).any(|lock| has_twice(&lock, package, version));
    let spec = format!("{package}@{version}");
    if !is_ambiguous {
        return spec;
    }
    let folder = manifest_dir.replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    format!("path+file:///{}#{spec}", folder.trim_start_matches('/'))
}

/// Returns whether a lock file has two packages of this name and version.
fn has_twice(lock: &str, package: &str, version: &str) -> bool {
    let [name, version] = [format!("name = \"{package}\""), format!("version = \"{version}\"")];
    let is_it = |entry: &&str| [&name, &version].iter().all(|line| entry.lines().any(|it| it == **line));
    lock.split("[[package]]").filter(is_it).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TARGET;

    #[test]
    fn a_copy_of_the_same_version_takes_the_package_id() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("a#b").join("member");
        fs::create_dir_all(&root).unwrap();
        let root: &str = root.to_str().unwrap().to_owned().leak();
        let spec = || package_spec(&Target { manifest_dir: root, ..TARGET }).replace(root, "ROOT");
        assert_eq!(spec(), "my_package@1.2.0");
        let entry = |version: &str, rest: &str| {
            format!("[[package]]\nname = \"my_package\"\nversion = \"{version}\"\n{rest}\n")
        };
        let lock = |other: &str| {
            let text = format!("{}{}", entry("1.2.0", ""), entry(other, "source = \"git+file:///a#1f\""));
            fs::write(Path::new(root).parent().unwrap().join("Cargo.lock"), text).unwrap();
        };
        lock("1.1.0");
        assert_eq!(spec(), "my_package@1.2.0");
        lock("1.2.0");
        let id = format!("path+file://{}#my_package@1.2.0", root.replace('#', "%23"));
        assert_eq!(spec(), id);
    }
}
