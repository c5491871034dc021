//! Finds, builds and lists the old side of a run with `--against`, before anything is planned.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::plan::{Listing, Matched, OtherSide, Uncompared, is_selected};
use crate::recorded;
use crate::run::{self, Functions};
use crate::settings::{Config, Mode, Target, paths};
use bench_diff_binary::Trees;
use bench_diff_revision::{self as revision, Built, CargoCall, Checkout, Other, Program, Side};
use bench_diff_system::{executable, stderr};

/// The two sides of a run.
pub(crate) struct Compared {
    /// The pairs of the binary, or with `--against` the functions that both sides have.
    pub(crate) listing: Listing,
    /// The old side as described in reports, if the user asks for one.
    pub(crate) told: Option<OtherSide>,
    /// `None` if only this binary is measured.
    pub(crate) side: Option<MeasuredSide>,
}

/// The old binary.
pub(crate) struct MeasuredSide {
    pub(crate) program: Program,
    /// The folder for its objects.
    pub(crate) folder: PathBuf,
    /// The trees of both sides, if they are known and differ.
    pub(crate) trees: Option<Trees>,
    other: Other,
    /// Held until the run ends.
    _files: Checkout,
}

impl MeasuredSide {
    /// Builds the working tree and this side once more, with one codegen unit for each crate of their
    /// workspaces.
    ///
    /// # Errors
    ///
    /// If one of them cannot be built in this way.
    pub(crate) fn both_of_one_unit(&self, config: &Config, target: &Target) -> Result<[Self; 2], String> {
        let built = |other: Other| {
            let Side { built, folder, trees, files, .. } = build(&other, config, target)?;
            match built {
                Built::Program(program) => {
                    Ok(Self { program, folder, trees: trees.map(named), other, _files: files })
                }
                Built::Missing(_) => Err("a side has no such bench".to_owned()),
            }
        };
        let [now, old] = self.other.both_of_one_unit();
        Ok([built(now)?, built(old)?])
    }
}

/// Builds a side below the target directory of this run.
fn build(other: &Other, config: &Config, target: &Target) -> Result<Side, String> {
    let folder = paths::target_directory(config, target)?;
    let against = folder.join("bench_diff").join("against");
    other.build(&of_this(target, &target.bench()), cargo_call(target), &against)
}

/// The bench that runs. `bench` is its name.
fn of_this<'t>(target: &'t Target, bench: &'t str) -> revision::Target<'t> {
    revision::Target {
        package: target.package,
        bench,
        file: target.file,
        manifest_dir: Path::new(target.manifest_dir),
        harness: Path::new(env!("CARGO_MANIFEST_DIR")),
        front_end: target.front_end.map(|(name, folder)| (name, Path::new(folder))),
        rustc_call: target.rustc_call,
    }
}

/// The trees of both sides for the proofs.
fn named(revision::Trees { paths, reason, variables }: revision::Trees) -> Trees {
    Trees { paths, reason, variables }
}

/// The arguments with which cargo builds this bench as it was built.
pub(crate) fn arguments_of_cargo(target: &Target) -> Vec<String> {
    let manifest = Path::new(target.manifest_dir).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap_or_default();
    let mut arguments = vec!["--bench".to_owned(), target.bench_of_cargo(&manifest)];
    arguments.extend(revision::arguments_of_cargo(&of_this(target, &target.bench()), cargo_call(target)));
    arguments
}

/// Describes the old side for reports.
fn described(other: &Other) -> OtherSide {
    let revision = other.revision();
    OtherSide {
        asked: other.given_name().to_owned(),
        name: revision.map_or("other", |revision| &revision.short).to_owned(),
        id: revision.map(|revision| revision.id.clone()),
        subject: revision.map(|revision| revision.subject.clone()),
        told: vec![other.to_string()],
        ..OtherSide::default()
    }
}

/// The cargo call that started this run, if it can be found. The search is done once.
fn cargo_call(target: &Target) -> Option<&'static CargoCall> {
    static CALL: OnceLock<Option<CargoCall>> = OnceLock::new();
    CALL.get_or_init(|| CargoCall::of_this_run(&of_this(target, ""), &variable)).as_ref()
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// The name of the old side, if the user gives one and the filters select any of these pairs.
fn wanted_side<'c>(listing: &Listing, config: &'c Config) -> Option<&'c str> {
    let has_any = || listing.pairs.iter().any(|pair| is_selected(pair, &config.selection));
    config.against.name.as_deref().filter(|_| config.mode == Mode::Measure && has_any())
}

/// Finds and builds the old side, if the user asks for one, and reports how.
///
/// # Errors
///
/// If there is no such side; the text says why and what to do.
pub(crate) fn compared(listing: Listing, config: &Config, target: &Target) -> Result<Compared, String> {
    let Some(name) = wanted_side(&listing, config) else {
        return Ok(Compared { listing, told: None, side: None });
    };
    let other = Other::find(name, &of_this(target, ""), &paths::root(config, target), &variable)?;
    let running = |other: Other, benches| other.running(benches, config.against.package.clone());
    let other = running(other, config.against.benches);
    let mut told = described(&other);
    stderr::say(&other.to_string());
    let outside = other.outside(&of_this(target, ""))?;
    outside.iter().for_each(|line| stderr::say(line));
    told.told.extend(outside);
    // With `--no-proof`, the user wants to know how often a tree fails against itself.
    if other.is_same() && !config.no_proof {
        return Ok(Compared { listing: Listing::default(), told: Some(told), side: None });
    }
    let Side { built, folder, trees, files, mut lines, laid_over, other_work, benches } =
        build(&other, config, target)?;
    files.note().into_iter().for_each(stderr::note);
    if config.verbose && !laid_over.is_empty() {
        lines.push(format!("copied into it: {}", laid_over.join(", ")));
    }
    (told.laid_over, told.other_work) = (laid_over, other_work);
    let (mut functions, mut side) = (Functions::default(), None);
    match built {
        Built::Missing(why) => told.uncompared = Some(recorded::uncompared(why)),
        Built::Program(program) => {
            told.program = executable::id_of(&program.executable.path);
            told.lock.clone_from(&program.dependencies);
            lines.push(program.summary());
            functions = run::functions_of(&program.executable, config.timeout.as_ref())?;
            let other = running(other, benches);
            side = Some(MeasuredSide { program, folder, trees: trees.map(named), other, _files: files });
        }
    }
    let Functions { pairs: others, unknown } = functions;
    lines.iter().for_each(|line| stderr::say(line));
    told.told.extend(lines);
    let Matched { listing, not_compared, unlisted } = listing.against(&others);
    if others.len() == unlisted.len() && !(unknown.is_empty() && unlisted.is_empty()) {
        told.uncompared = Some(Uncompared::NotListed);
    }
    for reason in unknown.into_iter().chain(unlisted) {
        let line = format!(
            "a part of the old bench did not list its functions, so these are not compared: {reason}"
        );
        stderr::note(&line);
        told.told.push(line);
    }
    told.not_compared = not_compared;
    told.show_only(|name| config.selection.holds(name));
    Ok(Compared { listing, told: Some(told), side })
}
