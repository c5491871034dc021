//! The store of a run: every round is on disk before the next one starts.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::start_of;
use super::folder::folder;
use super::name::Name;
use crate::plan::{OtherSide, RunPlan};
use crate::record::{Event, Outcome, StartRecord, StoredPair, json};
use crate::report::Sink;
use crate::settings::{Config, Target};
use crate::system::files::cannot;
use crate::system::replace::{can_be_replaced, replace};
use crate::system::stderr;

/// Writes a run to a file that takes the place of the former one when its first round starts.
///
/// Nothing else is ever replaced or removed: a file belongs to a former run if its first line names this
/// bench and the name that the file still has, or if it is empty and has a name of a process of nextest.
pub(crate) struct Store {
    folder: PathBuf,
    name: Name,
    /// True if a run must not go on without it.
    required: bool,
    /// The lines so far, of a run that has not measured anything.
    waiting: String,
    /// The file, once it has taken the place of the former one.
    placed: Option<File>,
    /// True once something could not be written.
    failed: bool,
}

impl Store {
    /// Leaves an empty file where a process of nextest is going to store its run. If the process ends before
    /// its first record, `--merge` sees that.
    pub(crate) fn reserve(config: &Config, target: &Target) {
        if !config.surroundings.nextest {
            return;
        }
        let folder = folder(config, target).map_err(str::to_owned);
        let store = folder.and_then(|folder| Self::in_folder(folder, Name::of(config), true));
        // `open` reports what is wrong.
        let _ = store.map(|store| File::create_new(store.path()));
    }

    /// The store of this run; `None` if there is nothing to store, or if the folder cannot be written and the
    /// user did not name it, which a note reports.
    ///
    /// # Errors
    ///
    /// If the user named a folder and the run cannot be stored there; the text says why.
    pub(crate) fn open(plan: &RunPlan, config: &Config, target: &Target) -> Result<Option<Self>, String> {
        let mut measured = plan.pairs.iter().filter(|pair| pair.ignored.is_none());
        let mut left_out = plan.against.iter().flat_map(OtherSide::left_out);
        let has_none = measured.next().is_none() && left_out.next().is_none();
        let (folder, name) = (folder(config, target).map_err(str::to_owned), Name::of(config));
        if has_none && (plan.against.is_none() || plan.pairs.is_empty()) {
            let path = folder.map(|folder| folder.join(name.file()));
            let _ = path.ok().filter(|path| is_reserved(path)).map(fs::remove_file);
            return Ok(None);
        }
        let required = config.dir.is_some() || config.surroundings.nextest;
        match folder.and_then(|folder| Self::in_folder(folder, name, required)) {
            Ok(store) => Ok(Some(store)),
            Err(reason) => {
                let problem = format!("the run cannot be stored: {reason}; --dir names another folder");
                if required {
                    return Err(problem);
                }
                stderr::warning(problem);
                Ok(None)
            }
        }
    }

    pub(super) fn in_folder(folder: PathBuf, name: Name, required: bool) -> Result<Self, String> {
        let cannot = |error| cannot("write to", &folder, error);
        fs::create_dir_all(&folder).map_err(cannot)?;
        let path = folder.join(name.file());
        if is_occupied(&path) {
            return Err(format!(
                "{} is not a stored run, so it is left as it is: move it away",
                path.display()
            ));
        }
        can_be_replaced(&path).map_err(cannot)?;
        Ok(Self { folder, name, required, waiting: String::new(), placed: None, failed: false })
    }

    /// The file that the run is going to have.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(self.name.file())
    }

    /// Adds a line, or nothing at all.
    fn line(&mut self, record: &str) -> io::Result<()> {
        let line = format!("{record}\n");
        let Some(file) = &mut self.placed else {
            self.waiting.push_str(&line);
            return Ok(());
        };
        let whole = file.metadata()?.len();
        file.write_all(line.as_bytes()).inspect_err(|_| {
            let _ = file.set_len(whole);
        })
    }

    /// Takes the place of the former run, whose files go.
    fn place(&mut self) -> io::Result<()> {
        if self.placed.is_some() {
            return Ok(());
        }
        self.placed = Some(replace(&self.path(), self.waiting.as_bytes())?);
        self.remove_former()
    }

    fn remove_former(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let file = entry.file_name();
            let file = file.to_str().unwrap_or_default();
            let path = entry.path();
            if self.name.may_replace(file) && (is_stored_run(&path) || is_reserved(&path)) {
                // Another process may have been faster.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => {
                let start = StartRecord { stored_as: Some(self.name.file()), ..(*start).clone() };
                self.line(&json::to_string(&start))?;
                // `--merge` has to see a process that was killed in its only pair.
                if self.name.is_alone() { Ok(()) } else { self.place() }
            }
            // From here on, a killed run leaves its own file instead of the former run's.
            Event::RoundStarted { .. } => self.place(),
            Event::RoundMeasured(round) => self.line(&json::to_string(*round)),
            Event::PairFinished { record, measured } => {
                self.line(&StoredPair::new((*record).clone(), *measured).to_json())?;
                // A pair that could not be called has no rounds.
                if record.outcome() == Outcome::Ignored { Ok(()) } else { self.place() }
            }
            Event::RunFinished(record) => {
                self.line(&json::to_string(*record))?;
                if record.uncompared().is_some() { self.place() } else { Ok(()) }
            }
            Event::PairStarted { .. } => Ok(()),
        }
    }
}

impl Sink for Store {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.failed {
            return Ok(());
        }
        let Err(error) = self.write(event) else { return Ok(()) };
        self.failed = true;
        let path = self.path();
        let path = path.display();
        if self.required {
            return Err(io::Error::other(format!("the stored run {path}: {error}")));
        }
        stderr::warning(format_args!(
            "the rest of the run is not stored: cannot write {path}: {error}; --dir names another folder"
        ));
        Ok(())
    }
}

/// Returns whether there is something here that a run must not replace.
fn is_occupied(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|found| !found.is_file() || (found.len() > 0 && !is_stored_run(path)))
}

/// Returns whether this file was reserved by a process of nextest that stored nothing.
fn is_reserved(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(Name::is_of_nextest) && is_empty(path)
}

/// Returns whether this is a file without a first line.
fn is_empty(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// Returns whether this is a run that was stored in this file, in the folder of its bench.
fn is_stored_run(path: &Path) -> bool {
    let Some(start) = start_of(path) else { return false };
    let of_bench = Path::new(&start.package).join(&start.bench);
    path.file_name().and_then(OsStr::to_str) == start.stored_as.as_deref()
        && path.parent().is_some_and(|folder| folder.ends_with(of_bench))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TARGET, config_in, entry, equal, names_in as files, planned};
    use crate::machine::Machine;
    use crate::record::{Outcome, PairRecord, RunRecord};

    fn store(folder: &Path, name: Name) -> Store {
        Store::in_folder(folder.to_owned(), name, true).unwrap()
    }

    /// Passes a run with these outcomes to a store, and shows what is in the folder after each event.
    fn run_and_list(store: &mut Store, outcomes: &[Outcome]) -> Vec<Vec<String>> {
        let plan = planned("", &[entry("a", 1, equal)]);
        let start = StartRecord::of(&plan, &Machine::default());
        let folder = store.folder.clone();
        let mut seen = Vec::new();
        let mut emit = |event: &Event<'_>| {
            store.event(event).unwrap();
            seen.push(files(&folder));
        };
        emit(&Event::RunStarted(&start));
        // Ignored pairs are reported before anything is measured.
        let (ignored, measured): (Vec<Outcome>, _) =
            outcomes.iter().partition(|outcome| **outcome == Outcome::Ignored);
        for outcome in &ignored {
            let record = PairRecord::ended(&plan, &plan.pairs[0], *outcome, None);
            emit(&Event::PairFinished { record: &record, measured: None });
        }
        for (number, outcome) in (1..).zip(&measured) {
            emit(&Event::RoundStarted { number, open: 1 });
            let record = PairRecord::ended(&plan, &plan.pairs[0], *outcome, None);
            emit(&Event::PairFinished { record: &record, measured: None });
        }
        emit(&Event::RunFinished(&RunRecord::of(&start, outcomes, 1.0)));
        seen
    }

    /// The folder of the bench that these runs are of.
    fn home(temporary: &tempfile::TempDir) -> PathBuf {
        temporary.path().join("my_package/sorting")
    }

    /// Stores a run under this name.
    fn former(folder: &Path, name: &Name) {
        run_and_list(&mut store(folder, name.clone()), &[Outcome::Pass]);
    }

    fn nextest(run: &str, pair: &str) -> Name {
        Name::among(Some(run), pair)
    }

    #[test]
    fn a_run_takes_the_place_of_the_former_one_with_its_first_round() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        let of_nextest = nextest("1", "a");
        former(folder, &of_nextest);
        fs::rename(folder.join(of_nextest.file()), folder.join("aside")).unwrap();
        former(folder, &Name::alone());
        fs::rename(folder.join("aside"), folder.join(of_nextest.file())).unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
        let before = [of_nextest.file(), "notes.txt".to_owned(), "run.jsonl".to_owned()];
        let mut store = store(folder, Name::alone());
        let seen = run_and_list(&mut store, &[Outcome::Ignored, Outcome::Pass]);
        let placed = &before[1..];
        // The start, an ignored pair, then the round of one that is measured, that pair, the end.
        assert_eq!(seen, [&before[..], &before, placed, placed, placed]);
        let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events: Vec<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
        assert_eq!(events, ["start", "pair", "pair", "run"]);
        assert_eq!(lines[0]["stored_as"], "run.jsonl");
    }

    #[test]
    fn what_is_not_proven_to_be_of_a_former_run_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        former(folder, &Name::alone());
        let run = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        // A copy, one of another package, what `--json` wrote, a file of others, one that no one can read.
        fs::write(folder.join("run-of-monday.jsonl"), &run).unwrap();
        let of_nextest = nextest("1", "a").file();
        let other = run.replace("my_package", "other").replacen("run.jsonl", &of_nextest, 1);
        fs::write(folder.join(&of_nextest), other).unwrap();
        fs::write(folder.join("records.jsonl"), "{\"event\":\"pair\"}\n").unwrap();
        fs::write(folder.join("nextest-1-b-0123456789abcdef.jsonl"), "mine\n").unwrap();
        fs::create_dir(folder.join("folder.jsonl")).unwrap();
        let before = files(folder);
        former(folder, &Name::alone());
        assert_eq!(files(folder), before);
    }

    #[test]
    fn what_has_the_name_of_a_run_and_is_none_is_left_alone() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = home(&temporary);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run.jsonl");
        let open = || Store::in_folder(folder.clone(), Name::alone(), true).map(drop);
        fs::write(&path, "mine\n").unwrap();
        let error = open().unwrap_err();
        assert!(error.ends_with("run.jsonl is not a stored run, so it is left as it is: move it away"));
        fs::write(&path, "").unwrap();
        assert_eq!(open(), Ok(()), "nothing is lost");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        open().unwrap_err();
        #[cfg(unix)]
        {
            let elsewhere = temporary.path().join("elsewhere");
            fs::remove_dir(&path).unwrap();
            fs::write(&elsewhere, "").unwrap();
            std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
            open().unwrap_err();
        }
    }

    #[test]
    fn a_run_that_dies_in_its_first_pair_is_not_taken_for_the_former_one() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        former(folder, &Name::alone());
        let path = folder.join("run.jsonl");
        let before = fs::read_to_string(&path).unwrap();
        let plan = planned("", &[entry("a", 1, equal)]);
        let mut store = store(folder, Name::alone());
        store.event(&Event::RunStarted(&StartRecord::of(&plan, &Machine::default()))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        store.event(&Event::RoundStarted { number: 1, open: 1 }).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\"schema\":2,\"event\":\"start\"") && text.lines().count() == 1, "{text}");
    }

    #[test]
    fn a_run_that_measures_nothing_leaves_the_former_one() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        former(folder, &Name::alone());
        let before = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        run_and_list(&mut store(folder, Name::alone()), &[Outcome::Ignored]);
        assert_eq!(files(folder), ["run.jsonl"]);
        assert_eq!(fs::read_to_string(folder.join("run.jsonl")).unwrap(), before);
    }

    #[test]
    fn a_run_that_compared_nothing_is_stored_with_its_verdict() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        former(folder, &Name::alone());
        let new = vec!["a".to_owned()];
        let against = Some(OtherSide { new, ..OtherSide::default() });
        let plan = RunPlan { against, ..planned("", &[]) };
        let start = StartRecord::of(&plan, &Machine::default());
        let mut store = store(folder, Name::alone());
        store.event(&Event::RunStarted(&start)).unwrap();
        store.event(&Event::RunFinished(&RunRecord::of(&start, &[], 1.0))).unwrap();
        let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        assert!(text.lines().count() == 2 && text.contains("\"uncompared\":\"no_function\""), "{text}");
    }

    #[test]
    fn processes_of_one_run_of_nextest_stand_beside_each_other() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = &home(&temporary);
        former(folder, &Name::alone());
        let [a, b] = ["a", "b::c/1"].map(|pair| nextest("2", pair));
        assert_eq!(
            run_and_list(&mut store(folder, a.clone()), &[Outcome::Pass])[0],
            [a.file()],
            "from the start"
        );
        run_and_list(&mut store(folder, b.clone()), &[Outcome::Fail]);
        run_and_list(&mut store(folder, a.clone()), &[Outcome::Fail]);
        assert_eq!(files(folder), [a.file(), b.file()]);
        assert!(fs::read_to_string(folder.join(a.file())).unwrap().contains("\"fail\""), "the last attempt");
    }

    #[test]
    fn a_process_of_nextest_leaves_an_empty_file_until_its_first_record() {
        let temporary = tempfile::tempdir().unwrap();
        let process = |run: &str, pair: &str| {
            let line = format!("--bench --exact {pair} --dir {}", temporary.path().display());
            config_in(&line, &[("NEXTEST", "1"), ("NEXTEST_RUN_ID", run)]).unwrap()
        };
        let folder = &home(&temporary);
        for pair in ["a", "b", "c"] {
            Store::reserve(&process("1", pair), &TARGET);
        }
        assert_eq!(files(folder), ["a", "b", "c"].map(|pair| nextest("1", pair).file()));

        let entries = [entry("a", 1, equal), entry("c", 2, equal).ignore("slow")];
        let plan = |pair: &str| planned(&format!("--bench --exact {pair}"), &entries);
        let open = |run: &str, pair: &str| Store::open(&plan(pair), &process(run, pair), &TARGET).unwrap();
        run_and_list(&mut open("1", "a").unwrap(), &[Outcome::Pass]);
        assert!(open("1", "c").is_none(), "it is ignored, so it has no record");
        assert_eq!(files(folder), [nextest("1", "a"), nextest("1", "b")].map(|name| name.file()));
        let left = crate::store::file::read(&folder.join(nextest("1", "b").file())).unwrap_err();
        assert!(left.ends_with(" is empty: its run ended before its first record"), "{left}");

        Store::reserve(&process("1", "a"), &TARGET);
        assert!(!is_empty(&folder.join(nextest("1", "a").file())), "a second attempt");
        run_and_list(&mut open("2", "a").unwrap(), &[Outcome::Pass]);
        assert_eq!(files(folder), [nextest("2", "a").file()], "those of former runs go");

        fs::write(folder.join("run.jsonl"), "").unwrap();
        let outside = config_in(&format!("--bench --exact c --dir {}", temporary.path().display()), &[]);
        assert!(Store::open(&plan("c"), &outside.unwrap(), &TARGET).unwrap().is_none());
        assert!(folder.join("run.jsonl").exists(), "no process of nextest reserved it");
    }

    #[test]
    fn what_cannot_be_written_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Store::in_folder(file.join("sorting"), Name::alone(), true).err().unwrap();
        assert!(error.starts_with("cannot write to ") && error.contains("file"), "{error}");
    }

    /// A file that can only be read stands for a disk that is full.
    #[test]
    fn a_failed_write_is_an_error_only_where_the_store_is_required() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("read-only");
        fs::write(&path, "whole\n").unwrap();
        let plan = planned("", &[entry("a", 1, equal)]);
        let record = PairRecord::ended(&plan, &plan.pairs[0], Outcome::Pass, None);
        for required in [true, false] {
            let mut store = Store { required, ..store(folder.path(), Name::alone()) };
            store.placed = Some(File::open(&path).unwrap());
            let mut emit = || store.event(&Event::PairFinished { record: &record, measured: None });
            let first = emit().map_err(|error| error.to_string());
            assert_eq!(first.is_err(), required, "{first:?}");
            assert!(first.is_ok() || first.unwrap_err().contains("run.jsonl: "));
            assert!(emit().is_ok(), "told once");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\n");
    }
}
