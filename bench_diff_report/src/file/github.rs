//! The report in a GitHub job: annotations of the source, which a runner reads in the log, and the step
//! summary.

use std::io::{self, Write};
use std::path::Path;

use bench_diff_system::exit::Exit;
use bench_diff_system::stderr::{self, Stderr};

use crate::file::{AtEnd, Destination, markdown};
use crate::options::GitHub;
use crate::record::{Event, PairRecord};
use crate::sink::{Channel, REPORT, Reader, Sink, WholeRun};
use crate::text::explain;

/// Adds annotations and the step summary of this job. It is an error if the user asked for them and one of
/// them cannot be written.
pub(crate) fn add(job: &GitHub, channels: &mut Vec<Channel<'_>>) -> Exit {
    channels.push(Channel::new(REPORT, Reader::People, Annotations::new(Stderr, job.clone())));
    let Some(path) = &job.summary else { return Exit::Success };
    let error = match Destination::end_of(path) {
        Ok(destination) => {
            let summary = AtEnd { destination, document: markdown::document, run: WholeRun::default() };
            channels.push(Channel::new("the summary for GitHub", Reader::People, summary));
            return Exit::Success;
        }
        Err(error) => format!("cannot open GITHUB_STEP_SUMMARY, {}: {error}", path.display()),
    };
    // A benchmark in a container may see the variable but not the file.
    if job.is_required {
        stderr::error(error);
        Exit::Error
    } else {
        stderr::warning(error);
        Exit::Success
    }
}

pub(crate) struct Annotations<W> {
    out: W,
    job: GitHub,
    strict: bool,
}

impl<W: Write> Annotations<W> {
    pub(crate) fn new(out: W, job: GitHub) -> Self {
        Self { out, job, strict: false }
    }

    fn pair(&self, record: &PairRecord) -> Option<String> {
        let outcome = record.outcome();
        if !outcome.is_shown_at_the_end() {
            return None;
        }
        let level = if outcome.exit(self.strict) == Exit::Success { "warning" } else { "error" };
        let (_, lines) = explain::explanation(record, self.strict, false);
        Some(command(
            level,
            (&self.job.in_repository(&record.file), record.line),
            &format!("bench_diff: {} {}", record.name, outcome.predicate()),
            &format!("{}\nrepeat:   {}", lines.join("\n"), record.repeat),
        ))
    }
}

impl<W: Write> Sink for Annotations<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => self.strict = start.strict,
            Event::PairFinished { record, .. } => {
                if let Some(annotation) = self.pair(record) {
                    // The log already says this.
                    let _ = self.out.write_all(annotation.as_bytes());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn command(level: &str, (file, line): (&str, u32), title: &str, message: &str) -> String {
    format!("::{level} file={},line={line},title={}::{}\n", property(file), property(title), data(message))
}

/// The text after the command.
fn data(text: &str) -> String {
    text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(":", "%3A").replace(",", "%2C")
}

impl GitHub {
    /// The path of a file relative to the root of the repository. The compiler gives one relative to the root
    /// of the workspace, which is that of the package or above it.
    fn in_repository(&self, file: &str) -> String {
        let workspace = self.package.ancestors().find(|folder| folder.join(file).is_file());
        let relative = workspace.zip(self.repository.as_ref()).and_then(|(workspace, repository)| {
            let path = workspace.join(file);
            relative(&path, repository)
                .or_else(|| relative(&path.canonicalize().ok()?, &repository.canonicalize().ok()?))
        });
        relative.unwrap_or_else(|| file.to_owned()).replace("\\", "/")
    }
}

fn relative(path: &Path, root: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::file::{AtEnd, Destination};
    use crate::fixture::{Planned, entry, planned};
    use crate::record::{Outcome, RunRecord};
    use crate::tests::{a_machine, a_plan, measured, outcomes, records};

    #[test]
    fn a_command_ends_where_it_ends() {
        assert_eq!(
            command("error", ("a,b:c.rs", 7), "50 %: a\n::b", "5 % slower, 1:2\n::error::x"),
            "::error file=a%2Cb%3Ac.rs,line=7,title=50 %25%3A a%0A%3A%3Ab::5 %25 slower, 1:2%0A::error::x\n"
        );
    }

    #[test]
    fn a_workspace_may_be_anywhere_in_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("repository/rust/sorts");
        fs::create_dir_all(package.join("benches")).unwrap();
        fs::write(package.join("benches/stable.rs"), "").unwrap();
        let repository = Some(folder.path().join("repository"));
        let job = GitHub { package, repository, ..GitHub::default() };
        assert_eq!(job.in_repository("sorts/benches/stable.rs"), "rust/sorts/benches/stable.rs");
        assert_eq!(
            job.in_repository("benches/stable.rs"),
            "rust/sorts/benches/stable.rs",
            "its own workspace"
        );
        assert_eq!(job.in_repository("benches/absent.rs"), "benches/absent.rs");
        assert_eq!(job.in_repository("benches\\absent.rs"), "benches/absent.rs");
        let unknown = GitHub { repository: None, ..job };
        assert_eq!(unknown.in_repository("benches/stable.rs"), "benches/stable.rs");
    }

    fn annotations(plan: &Planned, records: &[PairRecord]) -> Vec<String> {
        let mut out = Vec::new();
        let job = GitHub { package: "/absent".into(), ..GitHub::default() };
        let mut sink = Annotations::new(&mut out, job);
        let start = plan.started(a_machine());
        sink.event(&Event::RunStarted(&start)).unwrap();
        for record in records {
            sink.event(&Event::PairFinished { record, rounds: &[] }).unwrap();
        }
        sink.event(&Event::RunFinished(&RunRecord::default())).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_did_not_pass_is_annotated() {
        let plan = a_plan();
        let lines = annotations(&plan, &records(&plan));
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[0],
            "::error file=benches/sorting.rs,line=11,title=bench_diff%3A sort%3A%3Aslow failed::\
         measured: 5.1 %25 slower; 21.02 us per call against 20.00 us%0A\
         limit:    2 %25 slower (max_slowdown); a failure proves more than 1 %25%0A\
         repeat:   cargo bench -p my_package@1.2.0 --bench sorting -- --exact sort::slow --max-time 2s --seed 0000000000008f3a"
        );
        assert!(lines[1].starts_with(
            "::warning file=benches/sorting.rs,line=12,title=bench_diff%3A find is inconclusive::too noisy"
        ));
        assert!(lines[2].starts_with(
        "::error file=benches/sorting.rs,line=13,title=bench_diff%3A broken could not be measured::panicked at"
    ));
    }

    #[test]
    fn an_inconclusive_pair_is_an_error_of_a_strict_run() {
        let mut plan = planned("--strict ", &[entry("a", 1)]);
        plan.start.strict = true;
        let open = measured(&plan, 0, Outcome::Inconclusive, 1.0, 0.5);
        assert!(annotations(&plan, &[open])[0].starts_with("::error file=benches/sorting.rs,line=1,"));
    }

    #[test]
    fn the_summary_stands_behind_what_others_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.md");
        fs::write(&path, "# Built\n").unwrap();
        let plan = a_plan();
        let (start, records) = (plan.started(a_machine()), records(&plan));
        let mut sink = AtEnd {
            destination: Destination::end_of(&path).unwrap(),
            document: markdown::document,
            run: WholeRun::default(),
        };
        let mut emit = |event: &Event<'_>| {
            sink.event(event).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        assert_eq!(emit(&Event::RunStarted(&start)), "# Built\n");
        for record in &records {
            assert_eq!(emit(&Event::PairFinished { record, rounds: &[] }), "# Built\n");
        }
        let text = emit(&Event::RunFinished(&RunRecord::of(&start, &outcomes(&records), 1.0)));
        assert!(text.starts_with("# Built\n### `my_package::sorting`\n\n**1 passed, 1 failed, "), "{text}");
        assert_eq!(text.matches("\n### ").count(), 1);
        assert!(text.ends_with('\n'));
    }
}
