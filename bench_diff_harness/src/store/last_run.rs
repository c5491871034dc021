//! The stored run of this bench, before this run takes its place.

use std::io::{BufRead, BufReader, Read};

use super::file::LARGEST;
use super::folder::folder;
use super::name::Name;
use crate::plan::{LastPair, LastRun, OtherSide};
use crate::record::{Kind, LayoutsRecord, StartRecord, json};
use crate::settings::{Config, Target};
use crate::system::input;

/// What is read of the record of a pair.
#[derive(miniserde::Deserialize)]
struct Pair {
    name: String,
    ratio: Option<f64>,
    layouts: Option<LayoutsRecord>,
}

/// What a line of a pair holds, and no other.
const PAIR: &str = "\"event\":\"pair\"";

/// What the run before this one found, as far as it can be read. It is for comparison only, so nothing that
/// is wrong with it is worth a word.
///
/// A run that judged nothing, for this reason, is compared with its like, and one that has another side with
/// those of the same. Under nextest there is nothing to
/// compare: whichever process of a run is the first takes the place of the former run.
pub(crate) fn last_run(
    config: &Config,
    target: &Target,
    unjudged: Option<&str>,
    other_side: Option<&OtherSide>,
) -> LastRun {
    if config.surroundings.nextest {
        return LastRun::default();
    }
    let path = folder(config, target).map(|folder| folder.join(Name::Alone.file())).ok();
    let file = path.and_then(|path| input::open(&path).ok());
    let name = |side: Option<&OtherSide>| side.map(|side| side.name.clone());
    let of_bench = |start: &StartRecord| {
        (&*start.package, &*start.bench, start.unjudged.as_deref())
            == (target.package, &*target.bench(), unjudged)
            && name(start.against.as_ref()) == name(other_side)
    };
    file.and_then(|file| read(BufReader::new(file.take(LARGEST)), of_bench)).unwrap_or_default()
}

/// The pairs up to the first one that cannot be read, if this is the start of such a run.
fn read(lines: impl BufRead, of_bench: impl Fn(&StartRecord) -> bool) -> Option<LastRun> {
    let mut lines = lines.lines().map_while(Result::ok);
    let start: StartRecord = json::from_str(&lines.next()?).ok()?;
    if start.event != Kind::Start || !of_bench(&start) {
        return None;
    }
    let pairs = lines.filter(|line| line.contains(PAIR)).map_while(|line| json::from_str(&line).ok());
    let pairs = pairs.filter_map(|Pair { name, ratio, layouts }| {
        let ratio = ratio.filter(|ratio| *ratio > 0.0)?;
        Some((name, LastPair { ratio, in_layouts: layouts.is_some() }))
    });
    Some(LastRun { pairs: pairs.collect(), started: start.started })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{TARGET, config, entry, equal, panicking, slower};
    use crate::plan::LastChange;
    use crate::settings::Surroundings;
    use crate::store::fixture::{stored, write};

    const BROKEN: &str = "broken";

    fn run() -> Vec<String> {
        let entries = [
            entry("a", 1, slower),
            entry(BROKEN, 2, panicking),
            entry("left_out", 3, equal).ignore("later"),
            entry("z", 4, equal),
        ];
        stored("", &entries)
    }

    /// What a run of the bench finds where these lines are its former run.
    fn after(lines: &[String], unjudged: Option<&str>) -> LastRun {
        let folder = tempfile::tempdir().unwrap();
        let of_bench = folder.path().join("my_package/sorting");
        fs::create_dir_all(&of_bench).unwrap();
        write(&of_bench, "run.jsonl", lines);
        let config = config(&format!("--dir {}", folder.path().display()));
        last_run(&config, &TARGET, unjudged, None)
    }

    fn names(last_run: &LastRun) -> Vec<&str> {
        let mut names: Vec<&str> = last_run.pairs.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_was_measured_can_be_compared() {
        let last_run = after(&run(), None);
        assert_eq!(names(&last_run), ["a", "z"]);
        let change = last_run.change("a", false).unwrap();
        assert!((change.ratio - 1.05).abs() < 0.002, "{change:?}");
        assert_eq!(last_run.change("a", true), None, "in layouts the place of the code is no part of it");
        assert_eq!(last_run.change(BROKEN, false), None);
    }

    #[test]
    fn a_change_has_the_start_of_its_run() {
        let started = "2026-11-21T14:02:33Z";
        let mut lines = run();
        lines[0] = lines[0].replace("\"started\":null", &format!("\"started\":\"{started}\""));
        let last_run = after(&lines, None);
        let LastChange { started: found, .. } = last_run.change("z", false).unwrap();
        assert_eq!(found.as_deref(), Some(started));
    }

    #[test]
    fn another_bench_or_what_was_not_judged_alike_is_no_former_run() {
        let nothing = LastRun::default();
        let of_bench = stored("", &[entry("a", 1, slower)]);
        let other: Vec<String> = of_bench.iter().map(|line| line.replace("sorting", "finding")).collect();
        assert_eq!(after(&other, None), nothing);
        assert_eq!(after(&run(), Some("debug assertions are on")), nothing);
    }

    #[test]
    fn a_run_beside_another_revision_is_compared_with_its_like() {
        let folder = tempfile::tempdir().unwrap();
        let of_bench = folder.path().join("my_package/sorting");
        fs::create_dir_all(&of_bench).unwrap();
        let mut lines = run();
        lines[0] = lines[0].replace(
            "\"against\":null",
            "\"against\":{\"name\":\"3f2c9e1\",\"asked\":\"\",\"same_code\":0,\
             \"new\":[],\"gone\":[],\"lock\":[],\"told\":[]}",
        );
        write(&of_bench, "run.jsonl", &lines);
        let config = config(&format!("--dir {}", folder.path().display()));
        let side = |name: &str| OtherSide { name: name.to_owned(), ..OtherSide::default() };
        let after = |side: Option<&OtherSide>| last_run(&config, &TARGET, None, side);
        assert_ne!(after(Some(&side("3f2c9e1"))), LastRun::default());
        assert_eq!(after(Some(&side("0000000"))), LastRun::default());
        assert_eq!(after(None), LastRun::default());
    }

    #[test]
    fn a_damaged_run_counts_up_to_where_it_is_damaged() {
        let lines = run();
        let of_z =
            lines.iter().position(|line| line.contains("\"name\":\"z\"") && line.contains(PAIR)).unwrap();
        assert!(of_z > 2);
        for damage in ["", "{", "\u{1b}", "{\"event\":\"pair\"}"] {
            let mut damaged = lines.clone();
            damaged[of_z] = damage.to_owned();
            assert_eq!(names(&after(&damaged, None)), ["a"], "{damage}");
        }
        for start in ["", "not a run", "\u{0}"] {
            let mut damaged = lines.clone();
            damaged[0] = start.to_owned();
            assert_eq!(after(&damaged, None), LastRun::default(), "{start}");
        }
        assert_eq!(names(&after(&lines[..of_z], None)), ["a"], "a run that was killed");
    }

    #[test]
    fn processes_of_nextest_have_no_former_run() {
        let folder = tempfile::tempdir().unwrap();
        let of_bench = folder.path().join("my_package/sorting");
        fs::create_dir_all(&of_bench).unwrap();
        write(&of_bench, "run.jsonl", &run());
        let config = config(&format!("--dir {}", folder.path().display()));
        assert_ne!(last_run(&config, &TARGET, None, None), LastRun::default());
        let surroundings = Surroundings { nextest: true, ..config.surroundings };
        assert_eq!(last_run(&Config { surroundings, ..config }, &TARGET, None, None), LastRun::default());
    }

    #[test]
    fn where_there_is_no_file_there_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(&format!("--dir {}", folder.path().display()));
        assert_eq!(last_run(&config, &TARGET, None, None), LastRun::default());
        fs::create_dir_all(folder.path().join("my_package/sorting/run.jsonl")).unwrap();
        assert_eq!(last_run(&config, &TARGET, None, None), LastRun::default(), "a folder");
    }
}
