//! How the program was linked, and how it is linked again.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use bench_diff_core::Seed;

use super::cannot;
use super::shuffle::{Lld, Shuffle};
use crate::record::json;
use crate::system::input;
use crate::system::lifeline;

/// The call of the linker that made a program, with what it was made of.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Link {
    pub(super) linker: String,
    pub(super) folder: String,
    /// What linkers read of the environment.
    pub(super) variables: BTreeMap<String, String>,
    pub(super) arguments: Vec<String>,
    /// Which of the arguments holds the path of the program.
    pub(super) output: usize,
}

/// In which order the functions of a program stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order<'a> {
    AsLinked,
    /// As linked, with a list of what is where in this file.
    Mapped {
        map: &'a Path,
    },
    /// In an order that follows from the seed.
    Random {
        seed: Seed,
        shuffle: &'a Shuffle,
    },
    /// Those of the same machine code in one place.
    Folded {
        lld: &'a Lld,
    },
}

/// The variables that linkers read: the folders in which they look for their parts, and for which system they link.
const VARIABLES: [&str; 6] =
    ["PATH", "LIB", "LIBPATH", "SDKROOT", "MACOSX_DEPLOYMENT_TARGET", "ZERO_AR_DATE"];

/// The largest file of a call, in bytes.
const LARGEST: u64 = 64 << 20;

impl Link {
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        fs::write(path, json::to_string(self)).map_err(|error| cannot("write", path, error))
    }

    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = input::read(path, LARGEST).map_err(|error| cannot("read", path, error))?;
        let link: Self =
            json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot("read", path, error))?;
        if link.output >= link.arguments.len() {
            return Err(cannot("read", path, "it has no output"));
        }
        Ok(link)
    }

    /// Links the program into this file.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(super) fn make(&self, output: &Path, order: Order<'_>) -> Result<(), String> {
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.args(self.arguments_for(output, order)?).envs(&self.variables);
        lifeline::tie(&mut command);
        let ended = command.output().map_err(|error| format!("cannot start {}: {error}", self.linker))?;
        if ended.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
        Err(format!("{} ended with {}: {}", self.linker, ended.status, first.unwrap_or_default()))
    }

    fn arguments_for(&self, output: &Path, order: Order<'_>) -> Result<Vec<String>, String> {
        let text = |path: &Path| {
            path.to_str().map(str::to_owned).ok_or_else(|| format!("{} is no text in UTF-8", path.display()))
        };
        let mut arguments = self.arguments.clone();
        let option = output_option(&arguments[self.output]).unwrap_or_default();
        arguments[self.output] = format!("{option}{}", text(output)?);
        match order {
            Order::AsLinked => {}
            Order::Mapped { map } if self.is_microsofts() => arguments.push(format!("/MAP:{}", text(map)?)),
            Order::Mapped { map } => arguments.extend(self.passed(&["-map", &text(map)?])),
            Order::Random { seed, shuffle } => shuffle.apply(self, &mut arguments, output, seed)?,
            Order::Folded { lld } => {
                lld.apply(self, &mut arguments);
                arguments.extend(self.passed(&["--icf=all"]));
            }
        }
        Ok(arguments)
    }

    /// An option of the linker with its values, as it is given to it or to the compiler that calls it.
    pub(super) fn passed(&self, words: &[&str]) -> Vec<String> {
        match self.is_called_directly() {
            true => words.iter().map(|word| (*word).to_owned()).collect(),
            false => vec![format!("-Wl,{}", words.join(","))],
        }
    }

    /// Whether it is the linker itself, and no compiler that calls one.
    pub(super) fn is_called_directly(&self) -> bool {
        let name = Path::new(&self.linker).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        ["ld", "lld", "rust-lld", "ld64", "mold", "wild"].contains(&name)
    }

    /// Whether it takes its options as the linker of Microsoft does.
    pub(super) fn is_microsofts(&self) -> bool {
        output_option(&self.arguments[self.output]).is_some()
    }
}

/// What an argument says before the path of the program, where it says it to the linker of Microsoft.
pub(super) fn output_option(argument: &str) -> Option<&str> {
    argument.get(..5).filter(|option| ["/OUT:", "-OUT:"].contains(&option.to_uppercase().as_str()))
}

/// The variables of this process that linkers read.
pub(super) fn variables() -> BTreeMap<String, String> {
    VARIABLES.into_iter().filter_map(|name| Some((name.to_owned(), env::var(name).ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn link(linker: &str, arguments: &[&str]) -> Link {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let variables = BTreeMap::new();
        Link { linker: linker.to_owned(), folder: "/".to_owned(), variables, arguments, output: 1 }
    }

    fn in_order(link: &Link, order: Order<'_>) -> Vec<String> {
        link.arguments_for(Path::new("new"), order).unwrap()
    }

    fn arguments(link: &Link) -> Vec<String> {
        let shuffle = Shuffle::Sections { lld: Lld::In("/lld".into()), script: "/s".into() };
        in_order(link, Order::Random { seed: Seed(7), shuffle: &shuffle })
    }

    #[test]
    fn lld_is_told_an_order() {
        let cc = link("cc", &["-o", "old", "a.o", "-fuse-ld=lld"]);
        let shuffled = [
            "-Wl,--strip-debug",
            "-Wl,--shuffle-sections=.text*=7",
            "-Wl,--shuffle-sections=.rodata*=7",
            "-Wl,--shuffle-sections=.data*=7",
            "-Wl,--shuffle-sections=.bss*=7",
            "-Wl,--shuffle-sections=.tdata*=7",
            "-Wl,--shuffle-sections=.tbss*=7",
            "-Wl,--call-graph-profile-sort=none",
            "-Wl,--script=/s",
        ];
        assert_eq!(arguments(&cc)[..4], ["-o", "new", "a.o", "-fuse-ld=lld"]);
        assert_eq!(arguments(&cc)[4..], shuffled);
        assert_eq!(in_order(&cc, Order::AsLinked), ["-o", "new", "a.o", "-fuse-ld=lld"]);
    }

    #[test]
    fn what_cannot_shuffle_is_replaced() {
        let gcc = link("/usr/bin/gcc", &["-o", "old", "-fuse-ld=mold"]);
        assert_eq!(arguments(&gcc)[..4], ["-o", "new", "-fuse-ld=lld", "-B/lld"]);
        let direct = link("/toolchain/rust-lld", &["-o", "old"]);
        assert_eq!(arguments(&direct)[2..4], ["--strip-debug", "--shuffle-sections=.text*=7"]);
        let folded = in_order(&direct, Order::Folded { lld: &Lld::Installed });
        assert_eq!(folded[2..], ["--strip-debug", "--icf=all"]);
    }

    #[test]
    fn any_linker_takes_its_objects_in_any_order() {
        let link = link("gcc", &["-o", "old", "a.o", "-la", "b.o", "c.o", "d.rlib", "-lc"]);
        let orders: HashSet<Vec<String>> = (0..200)
            .map(|seed| in_order(&link, Order::Random { seed: Seed(seed), shuffle: &Shuffle::Objects }))
            .collect();
        assert_eq!(orders.len(), 24);
        for order in orders {
            if cfg!(target_os = "linux") {
                assert_eq!([&order[2], &order[8]], ["-Wl,--start-group", "-Wl,--end-group"], "{order:?}");
                assert_eq!([&order[4], &order[9]], ["-la", "-lc"], "{order:?}");
            }
        }
    }

    #[test]
    fn a_linker_of_microsoft_has_options_of_its_own() {
        let link = Link { output: 0, ..link("link.exe", &["/OUT:old.exe", "a.o"]) };
        let mapped = in_order(&link, Order::Mapped { map: Path::new("map") });
        assert_eq!(mapped, ["/OUT:new", "a.o", "/MAP:map"]);
        let folder = tempfile::tempdir().unwrap();
        let shuffle = Shuffle::Listed { functions: vec!["first".to_owned(), "second".to_owned()] };
        let order = Order::Random { seed: Seed(1), shuffle: &shuffle };
        let arguments = link.arguments_for(&folder.path().join("new.exe"), order).unwrap();
        let list = arguments[2].strip_prefix("/ORDER:@").unwrap();
        let mut listed: Vec<String> = fs::read_to_string(list).unwrap().lines().map(str::to_owned).collect();
        listed.sort();
        assert_eq!(listed, ["first", "second"]);
    }

    #[test]
    fn a_call_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.json");
        let written = link("cc", &["-o", "old"]);
        written.write(&path).unwrap();
        assert_eq!(Link::read(&path).unwrap(), written);
        Link { output: 9, ..written }.write(&path).unwrap();
        assert!(Link::read(&path).unwrap_err().ends_with("link.json: it has no output"));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_linker_says_is_told() {
        let failing = link("ls", &["-d", "old"]);
        let error = failing.make(Path::new("/absent"), Order::AsLinked).unwrap_err();
        assert!(error.starts_with("ls ended with exit status: 2: ") && error.contains("/absent"), "{error}");
        let absent = link("/absent/cc", &["-o", "old"]);
        let error = absent.make(Path::new("/absent"), Order::AsLinked).unwrap_err();
        assert!(error.starts_with("cannot start /absent/cc: "), "{error}");
    }
}
