//! The root of the package.

use std::env;
use std::path::{Path, PathBuf};

use crate::settings::config::Config;
use crate::settings::target::Target;

/// The root of the package, where paths begin: as cargo and nextest say, or else as it was compiled. Where
/// the executable was carried to another machine, it is where it was started.
pub(crate) fn root(config: &Config, target: &Target) -> PathBuf {
    let given = config.surroundings.package_root.as_deref();
    let known =
        [given, Some(Path::new(target.manifest_dir))].into_iter().flatten().find(|root| root.is_dir());
    known.map_or_else(|| env::current_dir().unwrap_or_default(), Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TARGET, config};
    use crate::settings::surroundings::Surroundings;

    #[test]
    fn what_cargo_says_goes_before_what_was_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let of = |given: &Path, compiled| {
            let package_root = Some(given.to_owned());
            let surroundings = Surroundings { package_root, ..Surroundings::default() };
            root(&Config { surroundings, ..config("") }, &Target { manifest_dir: compiled, ..TARGET })
        };
        let here = env::current_dir().unwrap();
        assert_eq!(of(folder.path(), env!("CARGO_MANIFEST_DIR")), folder.path());
        assert_eq!(
            of(Path::new("/absent"), env!("CARGO_MANIFEST_DIR")),
            Path::new(env!("CARGO_MANIFEST_DIR"))
        );
        assert_eq!(of(Path::new("/absent"), "/absent/too"), here, "carried to another machine");
    }
}
