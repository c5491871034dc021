//! The folder in which the runs of a bench are stored.

use std::path::{Path, PathBuf};

use crate::settings::{Config, Target, paths};

/// The folder in the target directory with a subfolder for every package.
const NAME: &str = "bench_diff";

/// The folder of this bench.
///
/// # Errors
///
/// The target directory is unknown.
pub(crate) fn folder(config: &Config, target: &Target) -> Result<PathBuf, &'static str> {
    match &config.dir {
        Some(dir) => Ok(of_bench(&paths::given(dir, config, target), target)),
        None => target_folder(config, target),
    }
}

/// The folder of this bench in the target directory, even if its runs are stored elsewhere.
///
/// # Errors
///
/// The target directory is unknown.
pub(crate) fn target_folder(config: &Config, target: &Target) -> Result<PathBuf, &'static str> {
    let target_directory = paths::target_directory(config, target)?;
    Ok(of_bench(&target_directory.join(NAME), target))
}

fn of_bench(base: &Path, target: &Target) -> PathBuf {
    base.join(target.package).join(target.bench())
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;
    use crate::fixture::{TARGET, config};
    use crate::settings::Surroundings;

    #[test]
    fn a_folder_that_was_given_goes_before_all() {
        let root = if cfg!(windows) { "C:/" } else { "/" };
        let below = |path: &str| Path::new(root).join(path);
        let of = |line: &str| {
            let config = config(&line.replace("ROOT/", root));
            let target_dir = Some(below("elsewhere"));
            let surroundings = Surroundings { target_dir, ..config.surroundings.clone() };
            folder(&Config { surroundings, ..config }, &TARGET).unwrap()
        };
        assert_eq!(of("--dir ROOT/runs"), below("runs/my_package/sorting"));
        assert_eq!(
            of("--dir ROOT/runs/{package}-{bench}"),
            below("runs/my_package-sorting/my_package/sorting")
        );
        let here = env::current_dir().unwrap();
        assert_eq!(
            of("--dir runs"),
            here.join("runs/my_package/sorting"),
            "its package is not on this machine"
        );
        assert_eq!(of(""), below("elsewhere/bench_diff/my_package/sorting"));
    }
}
