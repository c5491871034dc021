//! The rustc call that compiled a bench binary, and the tree in which it did.

use std::path::{Path, PathBuf};

use crate::input;

/// A rustc call that was recorded while a program was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustcCall {
    /// The compiler.
    pub rustc: PathBuf,
    /// The folder in which rustc ran, the root of the workspace.
    pub folder: PathBuf,
    arguments: Vec<Argument>,
}

/// An argument with its value, as one word or several.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    /// For codegen options, without `-C`.
    name: String,
    value: String,
    words: Vec<String>,
}

impl RustcCall {
    /// The call that `main!()` recorded; `None` if it recorded nothing.
    pub fn of<S: AsRef<str>>(recorded: &[S]) -> Option<Self> {
        let [rustc, folder, rest @ ..] = recorded else { return None };
        let mut rest = rest.iter().map(AsRef::as_ref).peekable();
        let mut arguments = Vec::new();
        while let Some(first) = rest.next() {
            let mut words = vec![first];
            let mut next = || {
                let next = rest.next_if(|next| !next.starts_with('-'));
                words.extend(next);
                next.unwrap_or_default()
            };
            let option = match first.strip_prefix("-C").or_else(|| first.strip_prefix("--codegen")) {
                Some("") => next(),
                Some(option) => option.trim_start_matches('='),
                None => first,
            };
            let (name, value) = match option.split_once('=') {
                Some(parts) => parts,
                None if option.starts_with("--") => (option, next()),
                None => (option, ""),
            };
            let (name, value) = (name.to_owned(), value.to_owned());
            arguments.push(Argument { name, value, words: words.into_iter().map(str::to_owned).collect() });
        }
        Some(Self { rustc: rustc.as_ref().into(), folder: folder.as_ref().into(), arguments })
    }

    /// The recorded form of the call, which `main!()` takes instead of a new one when it is compiled once
    /// more.
    pub fn recorded(&self) -> String {
        let start = [&self.rustc, &self.folder].map(|path| format!("{}\0", path.display()));
        let words = self.arguments.iter().flat_map(|argument| &argument.words);
        start.into_iter().chain(words.map(|word| format!("{word}\0"))).collect()
    }

    /// The linker of the call, or the default one.
    pub fn linker(&self) -> &str {
        self.value("linker").unwrap_or(USUAL_LINKER)
    }

    /// The arguments in their order: the name of each, without `-C` if it is a codegen option, and its words.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.arguments.iter().map(|argument| (&*argument.name, &*argument.words))
    }

    /// The values of all options of this name; codegen options are named without `-C`.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let arguments = self.arguments.iter().filter(move |argument| argument.name == name);
        arguments.map(|argument| argument.value.as_str())
    }

    /// The value of an option; the last one wins.
    pub fn value(&self, name: &str) -> Option<&str> {
        let argument = self.arguments.iter().rfind(|argument| argument.name == name)?;
        Some(&argument.value)
    }

    /// The folder that rustc wrote the binary to.
    pub fn out_folder(&self) -> Option<PathBuf> {
        Some(self.folder.join(self.value("--out-dir")?))
    }

    /// The dep-info file, in which rustc lists the sources of the binary.
    pub fn dep_info(&self) -> Option<PathBuf> {
        let extra = self.value("extra-filename").unwrap_or_default();
        let name = format!("{}{extra}.d", self.value("--crate-name")?);
        Some(self.out_folder()?.join(name))
    }

    /// The features of its package.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.values("--cfg").filter_map(|cfg| cfg.strip_prefix("feature=\"")?.strip_suffix('"'))
    }

    /// The libraries of the binary by the names that its code has for them, each with the name of its file.
    pub fn libraries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values("--extern").filter_map(|library| {
            let (name, path) = library.split_once('=')?;
            Some((name, Path::new(path).file_name()?.to_str()?))
        })
    }

    /// The target that it compiles for, if one is given.
    pub fn target(&self) -> Option<&str> {
        self.value("--target")
    }

    /// The name of the profile of a bench, unless its call gives another; `bench` if that is not known.
    pub fn profile_name(&self) -> String {
        let folder = self.profile().map(|(_, folder)| folder).unwrap_or_default();
        // The folder has the name of the profile, except for the profiles that are older than custom names.
        match &*folder.file_name().unwrap_or_default().to_string_lossy() {
            "" | "release" => "bench".to_owned(),
            "debug" => "test".to_owned(),
            name => name.to_owned(),
        }
    }

    /// The target directory, and the folder of the profile in it: `release`, or `TRIPLE/release`.
    pub fn profile(&self) -> Option<(PathBuf, PathBuf)> {
        let out = self.out_folder()?;
        let profile = profile_of(&out)?;
        let target = profile.ancestors().nth(if self.target().is_some() { 2 } else { 1 })?;
        Some((target.to_owned(), profile.strip_prefix(target).ok()?.to_owned()))
    }
}

/// The trees that the binaries of both sides were compiled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trees {
    /// Their paths, the new one first.
    pub paths: [String; 2],
    /// The reason why functions that know the path of their tree may do different work there.
    pub reason: Option<String>,
    /// The environment variables whose values contain these paths, or that build scripts set otherwise, each
    /// with whether the value is a path in the tree, and not in the target directory.
    pub variables: Vec<(String, bool)>,
}

/// The linker that rustc calls by default.
const USUAL_LINKER: &str = "cc";

/// The folder of the profile, from a folder that rustc writes to: `deps`, or `build/PACKAGE/HASH/out` in
/// newer versions of cargo.
pub fn profile_of(out: &Path) -> Option<&Path> {
    match out.file_name()?.to_str()? {
        "deps" => out.parent(),
        "out" => out.ancestors().nth(3).filter(|build| build.ends_with("build"))?.parent(),
        _ => None,
    }
}

/// The limit on the size of a dep-info file, in bytes.
pub const LARGEST_DEP_INFO: u64 = 64 << 20;

/// The sources in this dep-info file, the root of the crate first. Those in the workspace are relative to its
/// root, where cargo calls rustc; those in registries and in other folders are absolute.
pub fn sources(dep_info: &Path) -> Vec<PathBuf> {
    let text = input::read(dep_info, LARGEST_DEP_INFO).unwrap_or_default();
    // Each source has an empty rule, so that `make` goes on if the file is missing.
    let rules = String::from_utf8_lossy(&text);
    let sources = rules.lines().filter_map(|line| line.strip_suffix(':')).filter(|rule| !rule.contains(": "));
    sources.map(|source| source.replace("\\ ", " ").into()).collect()
}

/// Returns whether these are the sources of a crate in the workspace.
pub fn is_of_workspace(sources: &[PathBuf]) -> bool {
    sources.first().is_some_and(|root| root.is_relative())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn call(arguments: &str) -> RustcCall {
        let recorded: Vec<&str> = ["/bin/rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
        RustcCall::of(&recorded).unwrap()
    }

    #[test]
    fn a_call_is_read_and_recorded_again() {
        let recorded =
            ["/bin/rustc", "/work", "--crate-name", "a", "-C", "opt-level=3", "-Clinker=clang", "-O"];
        let call = RustcCall::of(&recorded).unwrap();
        assert_eq!((call.linker(), call.value("--crate-name")), ("clang", Some("a")));
        assert_eq!(call.value("opt-level"), Some("3"));
        assert_eq!(call.recorded(), recorded.join("\0") + "\0");
        assert_eq!(RustcCall::of::<&str>(&[]), None);
    }

    #[test]
    fn a_crate_of_the_workspace_has_relative_sources() {
        let folder = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            let path = folder.path().join("a.d");
            fs::write(&path, text).unwrap();
            sources(&path)
        };
        let inner = of("/t/libinner-01.rlib: in\\ ner/src/lib.rs in\\ ner/src/a.rs\n\n\
                        /t/inner-01.d: in\\ ner/src/lib.rs in\\ ner/src/a.rs\n\n\
                        in\\ ner/src/lib.rs:\nin\\ ner/src/a.rs:\n\n# env-dep:A=b:\n");
        assert_eq!(inner[..2], ["in ner/src/lib.rs", "in ner/src/a.rs"].map(PathBuf::from));
        assert!(is_of_workspace(&inner));
        let registry = std::env::temp_dir().join("registry/itoa-1.0.0/src/lib.rs");
        let stored = of(&format!("/t/libitoa-01.rlib: {0}\n\n{0}:\n", registry.display()));
        assert_eq!(stored, [registry]);
        assert!(!is_of_workspace(&stored) && !is_of_workspace(&sources(Path::new("/absent/a.d"))));
    }

    #[test]
    fn the_folder_of_the_profile_follows_from_the_output_of_rustc() {
        let profile = |arguments: &str| call(arguments).profile();
        let there = |name: &str| Some((PathBuf::from("/work/target"), PathBuf::from(name)));
        assert_eq!(profile("--out-dir /work/target/release/deps"), there("release"));
        assert_eq!(profile("--out-dir target/fast/deps"), there("fast"));
        assert_eq!(
            profile("--target x86_64-a --out-dir target/x86_64-a/release/deps"),
            there("x86_64-a/release")
        );
        assert_eq!(profile("--out-dir target/release/build/mine/01ab/out"), there("release"));
        assert_eq!(profile("--target a --out-dir target/a/fast/build/mine/01ab/out"), there("a/fast"));
        assert_eq!(profile("--out-dir /elsewhere"), None);
    }
}
