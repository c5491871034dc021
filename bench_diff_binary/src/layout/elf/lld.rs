//! The location of lld, and the compiler call that makes lld link a program.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bench_diff_system::input;

use crate::layout::link::{LLD, Link, run_tool};
use crate::layout::stand_in;

/// The path of lld.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::layout) struct Lld(PathBuf);

impl Lld {
    /// The lld that comes with this rustc, or one that is installed in a folder of `path`, which has the form
    /// of `PATH`.
    pub(in crate::layout) fn of(rustc: &Path, path: &OsStr) -> Option<Self> {
        let libraries = rustc.parent()?.parent()?.join("lib/rustlib");
        let hosts = input::entries(&libraries);
        let of_rustc = hosts.iter().map(|host| host.path().join("bin/gcc-ld").join(LLD));
        let installed = env::split_paths(path).map(|folder| folder.join(LLD));
        of_rustc.chain(installed).find(|lld| lld.is_file()).map(Self)
    }

    /// The linker call changed so that it uses lld; `None` if there is no lld.
    pub(in crate::layout) fn for_calls(rustc: &Path, path: &OsStr, link: &Link) -> Option<Link> {
        if link.is_called_directly() || link.is_lld() {
            return link.is_lld().then(|| link.clone());
        }
        Some(with_lld_in(link, Self::of(rustc, path)?.0.parent()?))
    }

    /// Links a binary with additional options, and records the call that reaches the linker. Calling the
    /// linker directly saves the quarter of the time that the compiler takes to make that call.
    ///
    /// # Errors
    ///
    /// The error of the compiler or the linker.
    pub(in crate::layout) fn record(
        &self,
        link: &Link,
        options: &[String],
        folder: &Path,
    ) -> Result<Link, String> {
        if link.is_called_directly() {
            return Err("its linker is not called by a compiler".to_owned());
        }
        stand_in::put(folder, LLD)?;
        let mut link = with_lld_in(link, folder);
        for option in options {
            link.arguments.extend(link.passed(option));
        }
        let output = folder.join("recorded");
        let mut compiler = link.command(&link.arguments_to(&output), &output);
        stand_in::ask(&mut compiler, folder, &self.0.display().to_string());
        run_tool(compiler)?;
        let recorded = Link::read(&folder.join(stand_in::CALL))?;
        Ok(self.without_wrapper(recorded))
    }

    /// Replaces rustc's wrapper of that name by the real lld, which saves a tenth of the time of a link.
    fn without_wrapper(&self, link: Link) -> Link {
        let real = self.0.with_file_name("../rust-lld");
        if !real.is_file() {
            return link;
        }
        let arguments = ["-flavor", "gnu"].map(str::to_owned).into_iter().chain(link.arguments).collect();
        Link { linker: real.display().to_string(), arguments, output: link.output + 2, ..link }
    }
}

/// The compiler call that looks for lld in this folder.
fn with_lld_in(link: &Link, folder: &Path) -> Link {
    const BY_LLD: &str = "-fuse-ld=lld";
    // Clang prefers `--ld-path`.
    let is_other = |argument: &str| argument.starts_with("-fuse-ld=") || argument.starts_with("--ld-path=");
    let others = link
        .arguments
        .iter()
        .map(|argument| if is_other(argument) { BY_LLD.to_owned() } else { argument.clone() });
    // The compiler takes the first folder that contains a linker of that name.
    let arguments = [format!("-B{}", folder.display())].into_iter().chain(others);
    let arguments = arguments.chain([BY_LLD.to_owned()]).collect();
    Link { arguments, output: link.output + 1, ..link.clone() }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::layout::link::tests::link;

    #[test]
    fn the_lld_of_rustc_comes_before_an_installed_one() {
        let folder = tempfile::tempdir().unwrap();
        let [rustc, installed] = ["toolchain/bin/rustc", "installed"].map(|name| folder.path().join(name));
        let found = || Lld::of(&rustc, installed.as_os_str());
        assert_eq!(found(), None);
        let of_rustc = folder.path().join("toolchain/lib/rustlib/host/bin/gcc-ld");
        for folder in [installed.clone(), of_rustc] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(LLD), "").unwrap();
            assert_eq!(found(), Some(Lld(folder.join(LLD))));
        }
    }

    #[test]
    fn compilers_get_the_folder_of_lld() {
        for other in ["-fuse-ld=mold", "--ld-path=/usr/bin/mold"] {
            let call = with_lld_in(&link("/usr/bin/clang", &["-o", "old", other]), Path::new("/lld"));
            assert_eq!(call.arguments, ["-B/lld", "-o", "old", "-fuse-ld=lld", "-fuse-ld=lld"]);
            assert_eq!(call.output, 2);
        }
        for name in ["/toolchain/rust-lld", "/usr/bin/ld.lld"] {
            let lld = link(name, &["-o", "old"]);
            assert_eq!(Lld::for_calls(Path::new("/absent/bin/rustc"), OsStr::new(""), &lld), Some(lld));
        }
        let bfd = link("/usr/bin/ld", &["-o", "old"]);
        assert_eq!(Lld::for_calls(Path::new("/absent/bin/rustc"), OsStr::new(""), &bfd), None);
    }

    #[test]
    fn the_wrapper_of_rustc_is_bypassed() {
        let folder = tempfile::tempdir().unwrap();
        let lld = Lld(folder.path().join("gcc-ld").join(LLD));
        fs::create_dir(folder.path().join("gcc-ld")).unwrap();
        let call = link("/gcc-ld/ld.lld", &["-o", "old"]);
        assert_eq!(lld.without_wrapper(call.clone()), call);
        let real = folder.path().join("rust-lld");
        fs::write(&real, "").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o700)).unwrap();
        let direct = lld.without_wrapper(call);
        assert_eq!(
            (&direct.arguments[..4], direct.output),
            (&["-flavor", "gnu", "-o", "old"].map(str::to_owned)[..], 3)
        );
    }
}
