//! The pictures of the documentation: follows the quick start, and draws what the terminal and the page show.
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench picture
//! ```
//!
//! It writes `docs/terminal.svg` and, with a chromium, `docs/page.png`. A plain `cargo bench` leaves it out.

#![expect(clippy::unwrap_used, reason = "shares the quick start with the tests")]

mod common;
#[path = "../git.rs"]
mod git;
#[path = "../../tests/cargo/quick_start.rs"]
#[expect(dead_code, reason = "the tests need the rest")]
mod quick_start;
mod terminal;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::pages::workspace;
use crate::git::git;
use crate::quick_start::QuickStart;

/// The command in the picture.
const COMMAND: &str = "BENCH_DIFF_AGAINST=HEAD cargo bench";

/// A benchmark of a function that the change leaves alone.
const UNCHANGED: &str = "
#[bench_diff_harness::bench_diff(setup_once = line)]
fn count(line: &str) -> usize { fields::count(line) }
";

/// The page of the run.
const PAGE: &str = "target/page.html";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let quick_start = QuickStart::read();
    write_crate(folder.path(), &quick_start)?;
    git(folder.path(), ["init", "--quiet"])?;
    git(folder.path(), ["add", "--all"])?;
    git(folder.path(), ["commit", "--quiet", "--message", "Sum fields"])?;
    fs::write(folder.path().join("src/lib.rs"), quick_start.slower)?;
    // The first run builds everything, which a user sees once.
    run(folder.path())?;
    let shown = run(folder.path())?;
    let picture = workspace().join("docs/terminal.svg");
    fs::write(&picture, terminal::drawn(COMMAND, &shown))?;
    println!("wrote {}", picture.display());
    let picture = workspace().join("docs/page.png");
    photograph(&folder.path().join(PAGE), &picture)?;
    println!("wrote {}", picture.display());
    Ok(())
}

/// Writes the crate of the quick start, which takes the harness from this workspace.
fn write_crate(folder: &Path, quick_start: &QuickStart) -> Result<(), Box<dyn Error>> {
    let harness = workspace().join("bench_diff_harness");
    let manifest =
        quick_start.manifest_with(&format!("bench_diff_harness = {{ path = {harness:?} }}"), "fields");
    let package =
        "[package]\nname = \"fields\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n";
    for (path, text) in [
        ("Cargo.toml", &format!("{package}{manifest}")),
        ("src/lib.rs", &quick_start.library.to_owned()),
        ("benches/fields.rs", &(quick_start.function.clone() + UNCHANGED)),
        (".gitignore", &"/target\n".to_owned()),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The output of the command on both streams, with colors.
fn run(folder: &Path) -> Result<String, Box<dyn Error>> {
    let path = folder.join("target/shown");
    fs::create_dir_all(folder.join("target"))?;
    let output = File::create(&path)?;
    let mut command = user_cargo::command(folder, "bench --quiet -- --color always");
    command.env("BENCH_DIFF_AGAINST", "HEAD").env("BENCH_DIFF_HTML", PAGE);
    command.stdout(output.try_clone()?).stderr(output).status()?;
    Ok(fs::read_to_string(path)?)
}

/// Writes the page as a browser shows it.
fn photograph(page: &Path, picture: &Path) -> Result<(), Box<dyn Error>> {
    let status = Command::new("chromium")
        // Root, as in a container, has no sandbox.
        .args(["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1200,1050"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(page)
        .stderr(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("chromium: {status}").into()) }
}
