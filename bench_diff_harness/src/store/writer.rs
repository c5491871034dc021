//! The store of a run: every pair is on disk before the next one starts.

use std::fs::{self, DirEntry, File};
use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;
use std::time::Duration;

use super::folder;
use super::name::Name;
use crate::config::Config;
use crate::event::Event;
use crate::fresh::FreshFile;
use crate::json;
use crate::panics::clear_progress;
use crate::plan::{PairPlan, RunPlan};
use crate::record::StoredPair;
use crate::report::Sink;
use crate::target::Target;

/// The end of the name of a file that has no name yet. A process that was killed leaves it behind.
const PART: &str = ".part";
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Writes a run to a file that takes the place of the former one when the first pair starts that is measured.
pub(crate) struct Store {
    folder: PathBuf,
    name: Name,
    /// Whether a run must not go on without it.
    required: bool,
    /// The place of the first pair that is measured, which others may go before.
    first: usize,
    state: State,
}

enum State {
    /// Under a name of its own, which goes with it.
    Hidden(FreshFile),
    Placed(File),
    Closed,
}

impl Store {
    /// The store of this run; none where nothing is going to be measured, or where it cannot be written and need not be,
    /// which is told.
    ///
    /// # Errors
    ///
    /// Why a run that was told where to store cannot.
    pub(crate) fn open(
        plan: &RunPlan,
        config: &Config,
        target: &Target,
        warn: impl FnOnce(String),
    ) -> Result<Option<Self>, String> {
        let measured: Vec<&PairPlan> = plan.pairs.iter().filter(|pair| pair.ignored.is_none()).collect();
        if measured.is_empty() {
            return Ok(None);
        }
        let name = match (config.surroundings.nextest, measured.as_slice()) {
            (false, _) => Name::Alone,
            (true, [alone]) => Name::among(config.stored.nextest_run.as_deref(), &alone.name),
            (true, _) => Name::among(config.stored.nextest_run.as_deref(), "run"),
        };
        let required = config.stored.dir.is_some() || config.surroundings.nextest;
        let first = plan.pairs.iter().position(|pair| pair.ignored.is_none()).unwrap_or_default();
        let opened = folder(config, target).and_then(|folder| Self::in_folder(folder, name, required, first));
        match opened {
            Ok(store) => Ok(Some(store)),
            Err(reason) if config.stored.dir.is_some() => {
                Err(format!("the run cannot be stored where --dir says: {reason}"))
            }
            Err(reason) if required => {
                Err(format!("the run cannot be stored: {reason}; --dir names another folder"))
            }
            Err(reason) => {
                warn(format!("the run is not stored: {reason}; --dir names another folder"));
                Ok(None)
            }
        }
    }

    fn in_folder(folder: PathBuf, name: Name, required: bool, first: usize) -> Result<Self, String> {
        let opened = fs::create_dir_all(&folder).and_then(|()| FreshFile::new(&folder, ".run-", PART));
        let file = opened.map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
        Ok(Self { folder, name, required, first, state: State::Hidden(file) })
    }

    fn path(&self) -> PathBuf {
        self.folder.join(self.name.file())
    }

    /// Adds a line, or nothing at all.
    fn line(&mut self, mut line: String) -> io::Result<()> {
        let file = match &mut self.state {
            State::Hidden(file) => file.file(),
            State::Placed(file) => file,
            State::Closed => return Ok(()),
        };
        line.push('\n');
        let whole = file.metadata()?.len();
        file.write_all(line.as_bytes()).inspect_err(|_| {
            let _ = file.set_len(whole);
        })
    }

    /// Takes the place of the former run, whose files go.
    fn place(&mut self) -> io::Result<()> {
        let path = self.path();
        match mem::replace(&mut self.state, State::Closed) {
            State::Hidden(file) => {
                self.state = State::Placed(file.persist(&path)?);
                self.remove_former()
            }
            state => {
                self.state = state;
                Ok(())
            }
        }
    }

    fn remove_former(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let file = entry.file_name();
            let file = file.to_str().unwrap_or_default();
            if self.name.replaces(file) || (file.ends_with(PART) && is_old(&entry)) {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => {
                self.line(json::to_string(*start))?;
                // Who joins many processes has to see the one that was killed in its only pair.
                if self.name == Name::Alone { Ok(()) } else { self.place() }
            }
            // From here on a run that is killed says so, in the place of the former one.
            Event::PairStarted(index) if *index == self.first => self.place(),
            Event::PairFinished { record, measured } => {
                self.line(StoredPair::new((*record).clone(), *measured).to_json())
            }
            Event::RunFinished(record) => self.line(json::to_string(*record)),
            Event::PairStarted(_) | Event::Progress { .. } => Ok(()),
        }
    }
}

impl Sink for Store {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Err(error) = self.write(event) else { return Ok(()) };
        self.state = State::Closed;
        let path = self.path();
        let path = path.display();
        if self.required {
            return Err(io::Error::other(format!("the stored run {path}: {error}")));
        }
        clear_progress();
        let _ = writeln!(
            io::stderr(),
            "warning: from here on the run is not stored: cannot write {path}: {error}; --dir names another folder"
        );
        Ok(())
    }
}

/// Whether nobody can still be writing it.
fn is_old(entry: &DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::{Outcome, PairRecord, RunRecord, StartRecord};

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(PART));
        names.sort();
        names
    }

    fn store(folder: &Path, name: Name) -> Store {
        Store::in_folder(folder.to_owned(), name, true, 0).unwrap()
    }

    /// Tells a store of a run of these outcomes, and shows what is in the folder after each event.
    fn told(store: &mut Store, outcomes: &[Outcome]) -> Vec<Vec<String>> {
        let plan = planned("", &[entry("a", 1, equal)]);
        let start = StartRecord::of(&plan, &Machine::default());
        let folder = store.folder.clone();
        let mut seen = Vec::new();
        let mut tell = |event: &Event<'_>| {
            store.event(event).unwrap();
            seen.push(files(&folder));
        };
        tell(&Event::RunStarted(&start));
        for (index, outcome) in outcomes.iter().enumerate() {
            tell(&Event::PairStarted(index));
            let record = PairRecord::unmeasured(&plan, &plan.pairs[0], *outcome, None);
            tell(&Event::PairFinished { record: &record, measured: None });
        }
        tell(&Event::RunFinished(&RunRecord::of(&start, outcomes, 1.0)));
        seen
    }

    #[test]
    fn a_run_takes_the_place_of_the_former_one_with_its_first_pair() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for file in ["run.jsonl", "nextest-1-a.jsonl", "notes.txt"] {
            fs::write(folder.join(file), "former\n").unwrap();
        }
        let former = ["nextest-1-a.jsonl", "notes.txt", "run.jsonl"];
        let mut store = Store { first: 1, ..store(folder, Name::Alone) };
        let seen = told(&mut store, &[Outcome::Ignored, Outcome::Pass]);
        let placed = &["notes.txt", "run.jsonl"][..];
        // The start, an ignored pair, then one that is measured, the end.
        assert_eq!(seen, [&former[..], &former, &former, placed, placed, placed]);
        let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        let events: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events: Vec<_> = events.iter().map(|line| line["event"].as_str().unwrap()).collect();
        assert_eq!(events, ["start", "pair", "pair", "run"]);
    }

    #[test]
    fn a_run_that_dies_in_its_first_pair_is_not_taken_for_the_former_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        fs::write(&path, "former\n").unwrap();
        let plan = planned("", &[entry("a", 1, equal)]);
        let mut store = store(folder.path(), Name::Alone);
        store.event(&Event::RunStarted(&StartRecord::of(&plan, &Machine::default()))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "former\n");
        store.event(&Event::PairStarted(0)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\"schema\":1,\"event\":\"start\"") && text.lines().count() == 1, "{text}");
    }

    #[test]
    fn a_run_that_measures_nothing_leaves_the_former_one() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("run.jsonl"), "former\n").unwrap();
        told(&mut Store { first: 1, ..store(folder, Name::Alone) }, &[Outcome::Ignored]);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "what was hidden is gone");
        assert_eq!(fs::read_to_string(folder.join("run.jsonl")).unwrap(), "former\n");
    }

    #[test]
    fn processes_of_one_run_of_nextest_stand_beside_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("run.jsonl"), "").unwrap();
        fs::write(folder.join("nextest-1-a.jsonl"), "").unwrap();
        let [a, b] = ["a", "b::c/1"].map(|pair| Name::among(Some("2"), pair));
        assert_eq!(told(&mut store(folder, a.clone()), &[Outcome::Pass])[0], [a.file()], "from the start");
        told(&mut store(folder, b.clone()), &[Outcome::Fail]);
        told(&mut store(folder, a.clone()), &[Outcome::Fail]);
        assert_eq!(files(folder), [a.file(), b.file()]);
        assert!(fs::read_to_string(folder.join(a.file())).unwrap().contains("\"fail\""), "the last attempt");
    }

    #[test]
    fn what_cannot_be_written_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Store::in_folder(file.join("sorting"), Name::Alone, true, 0).err().unwrap();
        assert!(error.starts_with("cannot write to ") && error.contains("file"), "{error}");
    }

    /// A file that can only be read stands for a disk that is full.
    #[test]
    fn a_failed_write_is_an_error_only_where_the_store_is_required() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        fs::write(&path, "whole\n").unwrap();
        let plan = planned("", &[entry("a", 1, equal)]);
        let record = PairRecord::unmeasured(&plan, &plan.pairs[0], Outcome::Pass, None);
        for required in [true, false] {
            let mut store = Store { required, ..store(folder.path(), Name::Alone) };
            store.state = State::Placed(File::open(&path).unwrap());
            let mut tell = || store.event(&Event::PairFinished { record: &record, measured: None });
            let first = tell().map_err(|error| error.to_string());
            assert_eq!(first.is_err(), required, "{first:?}");
            assert!(first.is_ok() || first.unwrap_err().contains("run.jsonl: "));
            assert!(tell().is_ok(), "told once");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\n");
    }
}
