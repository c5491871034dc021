//! Finds, builds and lists the old side of a run with `--against`, before anything is planned.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use bench_diff_report::record::{OtherSide, Uncompared};
use bench_diff_revision::{Bench, BuiltSide, CargoCall, Checkout, Program, Side};
use bench_diff_system::executable::{self, Executable, Variables};
use bench_diff_system::exit::replace_by;
use bench_diff_system::rustc_call::Trees;
use bench_diff_system::stderr;

use crate::plan::{ListedPair, Listing, is_selected, unlabel};
use crate::recorded;
use crate::recorder;
use crate::run::{self, Functions};
use crate::settings::{Allowances, Config, Mode, Selection, Target, paths};

/// The two sides of a run.
pub(crate) struct Compared {
    /// The pairs of the binary, or with `--against` the functions that both sides have.
    pub(crate) listing: Listing,
    /// The old side as described in reports, if the user asks for one.
    pub(crate) against: Option<OtherSide>,
    /// `None` if only this binary is measured.
    pub(crate) side: Option<MeasuredSide>,
}

/// A binary that was built for this run.
pub(crate) struct MeasuredSide {
    pub(crate) program: Program,
    /// The folder for its objects.
    pub(crate) folder: PathBuf,
    /// The trees of both sides, if they are known and differ.
    pub(crate) trees: Option<Trees>,
    side: Side,
    /// Held until the run ends.
    _checkout: Checkout,
}

impl MeasuredSide {
    /// Builds the working tree and this side once more, with one codegen unit for each crate of their
    /// workspaces.
    ///
    /// # Errors
    ///
    /// If one of them cannot be built in this way.
    pub(crate) fn both_of_one_unit(&self, config: &Config, target: &Target) -> Result<[Self; 2], String> {
        let [new, old] = self.side.both_of_one_unit();
        Ok([self.of_one_unit(new, config, target)?, self.of_one_unit(old, config, target)?])
    }

    fn of_one_unit(&self, side: Side, config: &Config, target: &Target) -> Result<Self, String> {
        let BuiltSide { program, folder, trees, checkout, .. } = build(&side, config, target)?;
        let mut program = program.map_err(|_| "a side has no such bench")?;
        // They were compared when the binaries with several units were built.
        program.other_variables.clone_from(&self.program.other_variables);
        Ok(Self { program, folder, trees, side, _checkout: checkout })
    }
}

/// Builds a side below the target directory of this run.
fn build(side: &Side, config: &Config, target: &Target) -> Result<BuiltSide, String> {
    let folder = paths::target_directory(config, target)?;
    side.build(bench(target), &folder.join("bench_diff").join("against"))
}

/// The bench that runs. The search for its cargo call is done once.
fn bench(target: &Target) -> &'static Bench<'static> {
    static BENCH: OnceLock<Bench<'_>> = OnceLock::new();
    BENCH.get_or_init(|| {
        let folder = Path::new(target.manifest_dir);
        let variables: Variables = env::vars_os().collect();
        Bench {
            package: target.package,
            name: target.bench(),
            file: target.file,
            folder,
            harness: Path::new(env!("CARGO_MANIFEST_DIR")),
            rustc_call: target.rustc_call,
            recorder: env::current_exe().ok().filter(|_| target.by_hand),
            cargo_call: CargoCall::of_this_run(folder, &variables),
            variables,
        }
    })
}

/// The arguments with which cargo builds this bench, one of these in its manifest, as it was built.
pub(crate) fn arguments_of_cargo(target: &Target, benches: &[String]) -> Vec<String> {
    let mut arguments = vec!["--bench".to_owned(), target.bench_of_cargo(benches)];
    arguments.extend(bench(target).arguments_of_cargo());
    arguments
}

/// Describes the old side for reports.
fn described(side: &Side) -> OtherSide {
    let revision = side.revision();
    let folder = || Path::new(side.given_name()).file_name()?.to_str();
    OtherSide {
        asked: side.given_name().to_owned(),
        name: revision.map(|revision| &*revision.short).or_else(folder).unwrap_or("other").to_owned(),
        id: revision.map(|revision| revision.id.clone()),
        subject: revision.map(|revision| revision.subject.clone()),
        ..OtherSide::default()
    }
}

/// The name of the old side, if the user gives one and the filters select any of these pairs.
fn wanted_side<'c>(listing: &Listing, config: &'c Config) -> Option<&'c str> {
    let has_any = || listing.pairs.iter().any(|pair| is_selected(pair, &config.selection));
    config.against.name.as_deref().filter(|_| config.mode == Mode::Measure && has_any())
}

/// The line on the functions that only a run without `--against` compares with their baselines.
fn left_to_baselines(listing: &Listing, selection: &Selection) -> Option<String> {
    let is_left =
        |pair: &&ListedPair| pair.is_gated() && pair.ignore.is_none() && is_selected(pair, selection);
    let left = match listing.pairs.iter().filter(is_left).count() {
        0 => return None,
        1 => "1 function is not compared with its baseline".to_owned(),
        count => format!("{count} functions are not compared with their baselines"),
    };
    Some(format!("{left}: `cargo bench` without `--against` does that"))
}

/// Takes the slowdowns that these texts of the change allow. Returns the lines on those that allow nothing.
fn allow(listing: &mut Listing, texts: &[(String, String)], is_verbose: bool) -> Vec<String> {
    let allowances = Allowances::read(texts);
    for pair in &mut listing.pairs {
        pair.allowed = allowances.of(&pair.name).cloned();
    }
    let names: Vec<&str> = listing.pairs.iter().map(|pair| &*pair.name).collect();
    let unused = allowances.unused(&names).filter(|_| is_verbose);
    allowances.unreadable.iter().cloned().chain(unused).collect()
}

/// Finds and builds the old side, if the user asks for one, and reports how.
///
/// # Errors
///
/// If there is no such side; the text says why and what to do.
pub(crate) fn compared(mut listing: Listing, config: &Config, target: &Target) -> Result<Compared, String> {
    let Some(name) = wanted_side(&listing, config) else {
        return Ok(Compared { listing, against: None, side: None });
    };
    let bench = bench(target);
    let side = Side::find(name, bench, &paths::root(config, target))?;
    let side = side.running(config.against.benches, config.against.package.clone());
    let mut against = described(&side);
    let found = vec![side.to_string()];
    say(&mut against, found.into_iter().chain(left_to_baselines(&listing, &config.selection)).collect());
    let texts = side.revision().map_or(&[][..], |revision| &revision.texts);
    let mut lines = allow(&mut listing, texts, config.verbose);
    lines.extend(side.outside(bench)?);
    say(&mut against, lines);
    // With `--no-proof`, the user wants to know how often a tree fails against itself.
    if side.is_same() && !config.no_proof {
        return Ok(Compared { listing: Listing::default(), against: Some(against), side: None });
    }
    let built = build(&side, config, target)?;
    built.checkout.note().into_iter().for_each(stderr::note);
    let mut lines = built.lines;
    if config.verbose && !built.laid_over.is_empty() {
        lines.push(format!("copied into it: {}", built.laid_over.join(", ")));
    }
    (against.laid_over, against.other_work) = (built.laid_over, built.other_work);
    let program = match built.program {
        Ok(program) => program,
        Err(missing) => {
            say(&mut against, lines);
            against.uncompared = Some(recorded::uncompared(missing));
            let listing = matched(listing, Functions::default(), &mut against, &config.selection);
            return Ok(Compared { listing, against: Some(against), side: None });
        }
    };
    lines.push(program.summary());
    say(&mut against, lines);
    against.program = executable::id_of(&program.executable.path);
    against.lock.clone_from(&program.dependencies);
    let functions_of = |program: &Executable| run::functions_of(program, config.timeout.as_ref());
    let mut functions = functions_of(&program.executable)?;
    if listing.differs_both_ways(&functions.pairs) {
        // The names may hold the time in seconds.
        thread::sleep(Duration::from_millis(1_100));
        let again = functions_of(&Executable::this()?)?.pairs;
        unlabel(listing.pairs.iter_mut().map(|pair| (pair.key, &mut pair.label)), &again);
        let again = functions_of(&program.executable)?.pairs;
        unlabel(functions.pairs.iter_mut().map(|pair| (pair.key, &mut pair.label)), &again);
    }
    let measured = MeasuredSide {
        program,
        folder: built.folder,
        trees: built.trees,
        // Built once more, it runs the same benches.
        side: side.running(built.benches, config.against.package.clone()),
        _checkout: built.checkout,
    };
    let listing = matched(listing, functions, &mut against, &config.selection);
    Ok(Compared { listing, against: Some(against), side: Some(measured) })
}

/// Starts this run again with a binary whose rustc call is recorded, if cargo started this one and no macro
/// recorded it. Returns if the run goes on as it is.
pub(crate) fn restart_recorded(target: &Target) {
    let reason = match recorder::recorded(bench(target)) {
        Ok(None) => return,
        Ok(Some(program)) => replace_by(Command::new(program).args(env::args_os().skip(1))).to_string(),
        Err(reason) => reason,
    };
    stderr::note(format_args!("cannot compile this bench again, to see how cargo does: {reason}"));
}

/// Shows these lines, which reports repeat.
fn say(against: &mut OtherSide, lines: Vec<String>) {
    lines.iter().for_each(|line| stderr::say(line));
    against.lines.extend(lines);
}

/// The functions that both sides have. Says which of the others could not be listed.
fn matched(
    listing: Listing,
    Functions { pairs: others, unknown }: Functions,
    against: &mut OtherSide,
    selection: &Selection,
) -> Listing {
    let selected = listing.pairs.iter().filter(|pair| is_selected(pair, selection));
    let selected: HashSet<String> = selected.map(|pair| pair.name.clone()).collect();
    let (listing, not_compared) = listing.against(&others);
    if others.is_empty() && !unknown.is_empty() {
        against.uncompared = Some(Uncompared::NotListed);
    }
    for reason in unknown {
        let line = format!(
            "a part of the old bench did not list its functions, so these are not compared: {reason}"
        );
        stderr::note(&line);
        against.lines.push(line);
    }
    against.not_compared = not_compared;
    against.not_compared.retain(|name| selected.contains(name));
    listing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{config, entry, entry_alone, equal, listing, there};

    #[test]
    fn pairs_that_no_baseline_judges_are_counted() {
        let pairs = [
            entry("a", 1, equal),
            entry("b", 2, equal),
            entry_alone("alone", 3),
            entry("shown", 4, equal).report_only(true),
            entry("ignored", 5, equal).ignore(""),
        ];
        let left = |flags: &str| left_to_baselines(&listing(&pairs), &config(flags).selection);
        let all = left("--bench --against HEAD").unwrap();
        let does = "`cargo bench` without `--against` does that";
        assert_eq!(all, format!("2 functions are not compared with their baselines: {does}"));
        let one = left("a --exact --bench --against HEAD --strict").unwrap();
        assert_eq!(one, format!("1 function is not compared with its baseline: {does}"));
        assert_eq!(left("alone --bench --against HEAD"), None);
    }

    #[test]
    fn only_what_a_run_selects_is_named_as_not_compared() {
        let pairs = listing(&[entry("a", 1, equal), entry("b", 2, equal).ignore("")]);
        let mut against = OtherSide::default();
        let selection = config("--bench --ignored").selection;
        assert!(matched(pairs, Functions::default(), &mut against, &selection).pairs.is_empty());
        assert_eq!(against.not_compared, ["b"]);
    }

    #[test]
    fn what_allows_nothing_is_told_and_what_matches_nothing_to_those_who_ask() {
        let mut pairs = listing(&[entry("a", 1, equal), entry("b", 2, equal)]);
        let text = "Allow-Slowdown: b 12%\nAllow-Slowdown: c 12%\nAllow-Slowdown: a much";
        let texts = [("3f2c9e1".to_owned(), text.to_owned())];
        let lines = allow(&mut pairs, &texts, false);
        assert!(matches!(&lines[..], [line] if line.starts_with("`Allow-Slowdown: a much` in 3f2c9e1 ")));
        let lines = allow(&mut pairs, &texts, true);
        assert!(
            matches!(&lines[..], [_, line] if line.starts_with("`Allow-Slowdown: c` in 3f2c9e1 matches no "))
        );
        let there = there(&pairs);
        let compared = pairs.against(&there).0.pairs;
        let allowed = compared.iter().map(|pair| pair.allowed.as_ref().map(|allowed| allowed.slowdown));
        assert_eq!(allowed.collect::<Vec<_>>(), [None, Some(0.12)]);
    }
}
