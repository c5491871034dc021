//! Stand-ins for the libraries that old benches were written for: packages with the names of those libraries
//! that re-export a front end of the running harness, so that the old benches run unchanged.

use std::path::{Path, PathBuf};

use super::cargo::{Dependency, Package, Workspace};
use super::lock_file::{FRONT_ENDS, numbers, packages, patch, patch_of, series};
use super::overlay::manifest_in;
use super::repository::put;
use super::toml::{Table, Value, at, quoted, table_at};
use super::units::Units;
use crate::layout::RustcCall;
use crate::record::json;
use crate::system::files::{FileError, cannot, slashed};
use crate::system::order::in_order;

const CRITERION: &str = FRONT_ENDS[0];
const DIVAN: &str = FRONT_ENDS[1];

/// A library whose interface a front end offers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Library {
    package: &'static str,
    /// The name of its crate.
    krate: &'static str,
    pub(super) front_end: &'static str,
}

const LIBRARIES: [Library; 5] = [
    Library { package: "criterion", krate: "criterion", front_end: CRITERION },
    Library { package: "criterion2", krate: "criterion", front_end: CRITERION },
    Library {
        package: "codspeed-criterion-compat",
        krate: "codspeed_criterion_compat",
        front_end: CRITERION,
    },
    Library { package: "divan", krate: "divan", front_end: DIVAN },
    Library { package: "codspeed-divan-compat", krate: "codspeed_divan_compat", front_end: DIVAN },
];

/// A front end that the running bench binary contains.
#[derive(Clone, Debug)]
pub(super) struct FrontEnd {
    pub(super) name: &'static str,
    pub(super) folder: PathBuf,
    /// Its features, and what each of them turns on.
    features: Table,
    /// Packages that the user has already put in place of libraries, with their versions and folders.
    stand_ins: Vec<(&'static str, String, PathBuf)>,
}

impl FrontEnd {
    /// The front ends of the binary that this call made. If cargo has no files about the binary, none are
    /// known.
    pub(super) fn all_of(call: &RustcCall) -> Vec<Self> {
        let Ok(units) = Units::of(call) else { return Vec::new() };
        let package = |name| {
            let folder = units.folder_of(name, &call.folder)?;
            let manifest = manifest_in(&folder).ok()?;
            Some((folder, manifest))
        };
        let front_end = |name: &'static str| {
            let (folder, manifest) = package(name)?;
            let stand_ins =
                LIBRARIES.iter().filter(|library| library.front_end == name).filter_map(|library| {
                    let (folder, manifest) = package(library.package)?;
                    let version = at(&manifest, &["package", "version"])?.as_text()?.to_owned();
                    let reexports = table_at(&manifest, &["dependencies"])?.contains_key(name);
                    reexports.then_some((library.package, version, folder))
                });
            let stand_ins = stand_ins.collect();
            Some(Self {
                name,
                folder,
                features: table_at(&manifest, &["features"]).cloned().unwrap_or_default(),
                stand_ins,
            })
        };
        FRONT_ENDS.into_iter().filter_map(front_end).collect()
    }

    #[cfg(test)]
    pub(super) fn new(name: &'static str, features: &str) -> Self {
        let features = super::toml::parse(features).unwrap_or_default();
        Self { name, folder: "/front".into(), features, stand_ins: Vec::new() }
    }

    /// Its features that turn something on.
    pub(super) fn features_with_effect(&self) -> impl Iterator<Item = &str> {
        self.features.iter().filter(|(_, more)| !more.items().is_empty()).map(|(name, _)| &**name)
    }
}

/// A package that replaces a library.
#[derive(Debug)]
pub(super) struct StandIn<'a> {
    library: &'static Library,
    version: String,
    /// The source of the library in the tree.
    source: String,
    /// The features of the library that the tree's packages turn on.
    features: Vec<String>,
    front_end: &'a FrontEnd,
}

/// Returns whether a package of this workspace needs a library whose interface a front end offers.
pub(super) fn has_library(workspace: &Workspace) -> bool {
    workspace.dependencies().any(|dependency| library(&dependency.name).is_some())
}

pub(super) fn library(package: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|library| library.package == package)
}

/// The libraries that the benches of a package need, and the front ends that replace them, by their names.
#[derive(Clone, Debug)]
pub(super) struct Replaced {
    /// `criterion 0.5.1`
    pub(super) libraries: String,
    pub(super) front_ends: String,
}

impl Replaced {
    /// The libraries in a package with this lock file that these front ends can replace, if any.
    pub(super) fn of(package: &Package, lock: Option<&str>, front_ends: &[FrontEnd]) -> Option<Self> {
        let (mut libraries, mut replacing) = (Vec::new(), Vec::new());
        for Dependency { name, source, req, .. } in &package.dependencies {
            let front_end = library(name).filter(|_| source.is_some()).map(|library| library.front_end);
            if let Some(front_end) = front_ends.iter().find(|known| Some(known.name) == front_end) {
                let wanted = series(&lowest(req));
                let locked = packages(lock.unwrap_or_default()).into_iter();
                let locked = locked.filter(|it| it.name == *name).find(|it| series(&it.version) == wanted);
                let asked = || req.trim_start_matches(['^', '*']).to_owned();
                let version = locked.map_or_else(asked, |locked| locked.version);
                libraries.push(format!("{name} {version}").trim_end().to_owned());
                replacing.push(front_end.name);
            }
        }
        let libraries = in_order(libraries.iter().map(String::as_str)).join(" and ");
        let front_ends = in_order(replacing).join(" and ");
        (!libraries.is_empty()).then_some(Self { libraries, front_ends })
    }
}

impl<'a> StandIn<'a> {
    /// The stand-ins for libraries that these packages need and that these front ends can replace. The
    /// versions come from the lock file, or else from the requirements.
    pub(super) fn needed(workspace: &Workspace, lock: Option<&str>, front_ends: &'a [FrontEnd]) -> Vec<Self> {
        let mut stand_ins: Vec<Self> = Vec::new();
        for Dependency { name, source, req, .. } in workspace.dependencies() {
            let Some((library, source)) = library(name).zip(source.as_ref()) else { continue };
            let Some(front_end) = front_ends.iter().find(|front_end| front_end.name == library.front_end)
            else {
                continue;
            };
            let mut locked = packages(lock.unwrap_or_default());
            locked.retain(|package| package.name == *name);
            // A package in a folder already replaces the library.
            let from_elsewhere = locked.iter().filter(|package| package.source.is_some());
            let mut versions: Vec<String> = from_elsewhere.map(|package| package.version.clone()).collect();
            versions.extend(locked.is_empty().then(|| lowest(req)));
            for version in versions {
                if !stand_ins.iter().any(|other| other.library == library && other.version == version) {
                    let of_library = workspace.dependencies().filter(|other| other.name == *name);
                    let features = of_library.flat_map(|dependency| dependency.features.clone()).collect();
                    let source = source.clone();
                    stand_ins.push(Self { library, version, source, features, front_end });
                }
            }
        }
        stand_ins
    }

    /// The name of its package.
    pub(super) fn name(&self) -> &'static str {
        self.library.package
    }

    /// Returns whether a lock file has the real library all the same.
    pub(super) fn is_ignored_in(&self, lock: &str) -> bool {
        packages(lock).iter().any(|package| package.name == self.name() && package.source.is_some())
    }

    /// The arguments that make cargo use it: the user's own stand-in if its version will do, or else one that
    /// is written below this folder. `others` is the number of stand-ins with the same name that are already
    /// in use.
    ///
    /// # Errors
    ///
    /// The file that cannot be written.
    pub(super) fn placed(&self, folder: &Path, others: usize) -> Result<Vec<String>, FileError> {
        let Self { library: Library { package, .. }, version, source, front_end, .. } = self;
        let of_user = front_end.stand_ins.iter().find(|(name, theirs, _)| {
            name == package && series(theirs) == series(version) && numbers(theirs) >= numbers(version)
        });
        let folder = match of_user {
            Some((_, _, folder)) => folder.clone(),
            None => self.written(&folder.join(format!("{package}-{version}")))?,
        };
        // A patch works like the tree's own dependency.
        let settings = match others {
            0 => vec![patch(source, package, &folder)],
            _ => {
                let key = format!("{package}-{others}");
                let name = format!("{}.{key}.package={}", patch_of(source), json::to_string(*package));
                vec![patch(source, &key, &folder), name]
            }
        };
        Ok(settings.into_iter().flat_map(|setting| ["--config".to_owned(), setting]).collect())
    }

    fn written(&self, folder: &Path) -> Result<PathBuf, FileError> {
        let files = [
            ("Cargo.toml", self.manifest()),
            ("src/lib.rs", format!("pub use {}::*;\n", self.front_end.name)),
        ];
        for (file, text) in files {
            let path = folder.join(file);
            put(&path, &text).map_err(|error| cannot("write", &path, error))?;
        }
        Ok(folder.to_owned())
    }

    fn manifest(&self) -> String {
        let Self { library: Library { package, krate, front_end }, version, features, .. } = self;
        // Other features may belong to newer versions of the library, and have no effect on what is
        // measured.
        let mut all: Table = features.iter().map(|name| (name.clone(), Value::Array(Vec::new()))).collect();
        for name in self.front_end.features.keys() {
            all.insert(name.clone(), Value::Array(vec![Value::Text(format!("{front_end}/{name}"))]));
        }
        let (version, features) = (quoted(version), Value::Table(all));
        let path = quoted(&slashed(&self.front_end.folder));
        // Without a `[workspace]`, cargo would find the workspace around it.
        format!(
            "features = {features}\n\
             [package]\nname = \"{package}\"\nversion = {version}\nedition = \"2021\"\n\
             [lib]\nname = \"{krate}\"\n\
             [dependencies]\n{front_end} = {{ path = {path} }}\n\
             [workspace]\n"
        )
    }
}

/// The lowest version that a requirement allows.
fn lowest(requirement: &str) -> String {
    let bound = requirement.split(',').map(str::trim).find_map(|bound| {
        let version = bound.trim_start_matches(['^', '~', '=', '>', ' ']);
        let is_above = bound.starts_with('>') && !bound.starts_with(">=");
        version.starts_with(|c: char| c.is_ascii_digit()).then_some((version, is_above))
    });
    let Some((version, is_above)) = bound else { return "0.0.0".to_owned() };
    if version.contains('-') {
        return version.to_owned();
    }
    let mut numbers: Vec<u64> = version.split('.').map_while(|number| number.parse().ok()).collect();
    if let Some(last) = numbers.last_mut().filter(|_| is_above) {
        *last += 1;
    }
    numbers.resize(3, 0);
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::against::toml::parse;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn dependency(name: &str, req: &str, features: &[&str]) -> Dependency {
        Dependency {
            name: name.to_owned(),
            source: Some(CRATES_IO.to_owned()),
            req: req.to_owned(),
            features: features.iter().map(|name| (*name).to_owned()).collect(),
            ..Dependency::default()
        }
    }

    fn front_end(stand_ins: &[(&'static str, &str)]) -> FrontEnd {
        let features = "default = [\"rayon\"]\nrayon = []\nasync_tokio = [\"dep:tokio\"]\n";
        let stand_ins =
            stand_ins.iter().map(|(name, version)| (*name, (*version).to_owned(), "/user".into()));
        FrontEnd { stand_ins: stand_ins.collect(), ..FrontEnd::new(CRITERION, features) }
    }

    fn lock(packages: &[(&str, &str, bool)]) -> String {
        let of = |(name, version, is_elsewhere): &(&str, &str, bool)| {
            let source = if *is_elsewhere { format!("source = \"{CRATES_IO}\"\n") } else { String::new() };
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}\n")
        };
        packages.iter().map(of).collect()
    }

    /// The stand-ins for these dependencies, with their versions.
    fn needed(dependencies: Vec<Dependency>, lock: Option<&str>) -> Vec<String> {
        let front_ends = [front_end(&[])];
        let workspace = Workspace::depending_on(dependencies);
        let stand_ins = StandIn::needed(&workspace, lock, &front_ends);
        stand_ins.iter().map(|stand_in| format!("{} {}", stand_in.name(), stand_in.version)).collect()
    }

    #[test]
    fn a_library_has_a_stand_in_of_the_version_that_the_tree_builds_with() {
        let criterion = |req| vec![dependency("criterion", req, &[])];
        assert_eq!(needed(criterion("^0.5"), None), ["criterion 0.5.0"]);
        let locked =
            lock(&[("criterion", "0.5.1", true), ("criterion", "0.3.6", true), ("a", "1.0.0", true)]);
        assert_eq!(needed(criterion("^0.5"), Some(&locked)), ["criterion 0.5.1", "criterion 0.3.6"]);
        let replaced = lock(&[("criterion", "0.5.1", false)]);
        assert_eq!(needed(criterion("^0.5"), Some(&replaced)), [""; 0], "the tree has its own stand-in");
        let others = ["divan", "criterion-cycles-per-byte"].map(|name| dependency(name, "*", &[]));
        assert_eq!(needed(others.into(), None), [""; 0], "the running bench has no front end for these");
        let all = ["criterion2", "codspeed-criterion-compat"].map(|name| dependency(name, "^2.1", &[]));
        assert_eq!(needed(all.into(), None), ["criterion2 2.1.0", "codspeed-criterion-compat 2.1.0"]);
        let path = Dependency { source: None, ..dependency("criterion", "^0.5", &[]) };
        assert_eq!(needed(vec![path], None), [""; 0], "the tree's own");
    }

    #[test]
    fn a_stand_in_is_a_package_that_reexports_the_front_end() {
        let folder = tempfile::tempdir().unwrap();
        let front_ends = [front_end(&[])];
        let two = [dependency("criterion2", "^1", &["codspeed"]), dependency("criterion2", "^2", &[])];
        let workspace = Workspace::depending_on(two.into());
        let stand_ins = StandIn::needed(&workspace, None, &front_ends);
        let path = slashed(&folder.path().join("criterion2-1.0.0"));
        let settings = stand_ins[0].placed(folder.path(), 0).unwrap();
        assert_eq!(settings, ["--config".to_owned(), format!("patch.crates-io.criterion2.path={path:?}")]);
        let second = stand_ins[1].placed(folder.path(), 1).unwrap().join(" ");
        assert!(second.starts_with("--config patch.crates-io.criterion2-1.path="), "{second}");
        assert!(second.ends_with("--config patch.crates-io.criterion2-1.package=\"criterion2\""), "{second}");
        let manifest = manifest_in(Path::new(&path)).unwrap();
        let expected = "[package]\nname = \"criterion2\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\
            [lib]\nname = \"criterion\"\n[features]\ncodspeed = []\n\
            default = [\"bench_diff_criterion/default\"]\nrayon = [\"bench_diff_criterion/rayon\"]\n\
            async_tokio = [\"bench_diff_criterion/async_tokio\"]\n[workspace]\n\
            [dependencies]\nbench_diff_criterion = { path = \"/front\" }\n";
        assert_eq!(manifest, parse(expected).unwrap());
        let source = std::fs::read_to_string(Path::new(&path).join("src/lib.rs")).unwrap();
        assert_eq!(source, "pub use bench_diff_criterion::*;\n");
    }

    #[test]
    fn the_user_s_own_stand_in_is_taken_if_its_version_will_do() {
        let folder = tempfile::tempdir().unwrap();
        let placed = |theirs: &str, req: &str| {
            let front_ends = [front_end(&[("criterion", theirs)])];
            let workspace = Workspace::depending_on(vec![dependency("criterion", req, &[])]);
            StandIn::needed(&workspace, None, &front_ends)[0].placed(folder.path(), 0).unwrap()[1].clone()
        };
        let of_user = "patch.crates-io.criterion.path=\"/user\"";
        assert_eq!(placed("0.5.1", "^0.5"), of_user);
        assert_ne!(placed("0.5.1", "^0.5.2"), of_user);
        assert_ne!(placed("0.5.1", "^0.4"), of_user);
    }

    #[test]
    fn the_lowest_version_of_a_requirement_is_found() {
        for (requirement, version) in [
            ("^0.5", "0.5.0"),
            ("^0.5.1", "0.5.1"),
            (">=0.3, <0.6", "0.3.0"),
            ("<0.6, >= 0.4", "0.4.0"),
            ("=0.5.1", "0.5.1"),
            ("~1", "1.0.0"),
            ("0.5.*", "0.5.0"),
            (">0.4", "0.5.0"),
            (">0.4.1", "0.4.2"),
            ("^1.0.0-alpha.1", "1.0.0-alpha.1"),
            ("<0.6", "0.0.0"),
            ("*", "0.0.0"),
        ] {
            assert_eq!(lowest(requirement), version, "{requirement}");
        }
    }

    #[test]
    fn replaced_libraries_are_named_with_their_versions() {
        let front_ends = [front_end(&[])];
        let package = Package {
            dependencies: vec![dependency("criterion", "^0.5", &[]), dependency("divan", "^0.1", &[])],
            ..Package::default()
        };
        let replaced = |lock| {
            let Replaced { libraries, front_ends } = Replaced::of(&package, lock, &front_ends).unwrap();
            (libraries, front_ends)
        };
        let names = |library: &str| (library.to_owned(), CRITERION.to_owned());
        assert_eq!(replaced(None), names("criterion 0.5"));
        let any = Package { dependencies: vec![dependency("criterion2", "*", &[])], ..Package::default() };
        assert_eq!(Replaced::of(&any, None, &front_ends).unwrap().libraries, "criterion2");
        let two = lock(&[("criterion", "0.3.6", true), ("criterion", "0.5.1", true)]);
        assert_eq!(replaced(Some(&two)), names("criterion 0.5.1"));
        assert!(Replaced::of(&Package::default(), None, &front_ends).is_none());
    }
}
