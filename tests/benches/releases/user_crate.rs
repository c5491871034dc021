//! A crate that depends on both releases of others, with a bench for each.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::releases::Releases;
use crate::user_cargo::cargo;

/// Builds the benches of these crates below a folder. The program of each comes back, in their order.
pub(crate) fn build(folder: &Path, all: &[Releases]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let sources = sources_of_old(&folder.join("old"), all)?;
    let user = folder.join("user");
    let dependency = |releases: &Releases| {
        let (Releases { name, new, .. }, ident) = (releases, ident(releases));
        // Cargo takes two compatible releases where they come from different places.
        let old = &sources[name];
        format!(
            "old_{ident} = {{ package = \"{name}\", path = {old:?} }}\n\
             new_{ident} = {{ package = \"{name}\", version = \"={new}\" }}\n"
        )
    };
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bench_diff_harness");
    let harness = format!("bench_diff_harness = {{ path = {harness:?} }}\n");
    let dependencies = harness + &all.iter().map(dependency).collect::<String>();
    let bench = |releases: &Releases| {
        let name = ident(releases);
        format!("\n[[bench]]\nname = \"{name}\"\npath = \"{name}.rs\"\nharness = false\n")
    };
    write_crate(&user, &dependencies, &all.iter().map(bench).collect::<String>())?;
    fs::write(user.join("inputs.rs"), INPUTS)?;
    for releases in all {
        let (ident, functions) = (ident(releases), releases.functions);
        let bench = format!(
            "{PRELUDE}\nuse new_{ident} as new;\nuse old_{ident} as old;\n\nfunctions! {{\n{functions}}}\n\n\
             bench_diff_harness::main!();\n"
        );
        fs::write(user.join(ident).with_extension("rs"), bench)?;
    }
    let messages = cargo(&user, "bench --no-run --quiet --message-format json")?;
    let messages: Vec<Value> = messages.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let program = |releases: &Releases| {
        let name = ident(releases);
        let made =
            messages.iter().find(|made| made["target"]["name"] == *name && made["executable"].is_string());
        let path =
            made.and_then(|made| made["executable"].as_str()).ok_or(format!("no program is called {name}"));
        Ok(PathBuf::from(path?))
    };
    all.iter().map(program).collect()
}

/// The text before the functions of each bench.
const PRELUDE: &str = include_str!("prelude.rs");

const INPUTS: &str = include_str!("../inputs.rs");

/// The folders in which cargo keeps the sources of the old releases, by the names of the crates.
fn sources_of_old(folder: &Path, all: &[Releases]) -> Result<HashMap<&'static str, PathBuf>, Box<dyn Error>> {
    let dependency = |Releases { name, old, .. }: &Releases| format!("{name} = \"={old}\"\n");
    write_crate(folder, &all.iter().map(dependency).collect::<String>(), "")?;
    let metadata: Value = serde_json::from_str(&cargo(folder, "metadata --format-version 1")?)?;
    let packages = metadata["packages"].as_array().ok_or("cargo knows no package")?;
    let source = |Releases { name, old, .. }: &Releases| {
        let package = packages.iter().find(|package| package["name"] == *name && package["version"] == *old);
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let folder =
            manifest.and_then(|manifest| Path::new(manifest).parent()).ok_or(format!("no {name} {old}"));
        Ok((*name, folder?.to_owned()))
    };
    all.iter().map(source).collect()
}

fn write_crate(folder: &Path, dependencies: &str, targets: &str) -> Result<(), Box<dyn Error>> {
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n{targets}\n\
         [dependencies]\n{dependencies}\n[workspace]\n"
    );
    fs::create_dir_all(folder)?;
    fs::write(folder.join("lib.rs"), "")?;
    Ok(fs::write(folder.join("Cargo.toml"), manifest)?)
}

/// The name of a crate in source.
fn ident(releases: &Releases) -> String {
    releases.name.replace('-', "_")
}
