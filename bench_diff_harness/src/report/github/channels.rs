//! The channels of a job on GitHub.

use super::annotation::Annotations;
use super::sources::Sources;
use crate::report::destination::Destination;
use crate::report::document::AtEnd;
use crate::report::markdown;
use crate::report::sink::{Channel, REPORT, Reader};
use crate::report::subject::Subject;
use crate::report::whole_run::WholeRun;
use crate::settings::{Config, Surroundings, When};
use crate::system::exit::Exit;
use crate::system::stderr::{self, Stderr};

/// Adds annotations and the step summary in a GitHub job. It is an error if the user asked for them and one
/// of them cannot be written.
pub(in crate::report) fn add(config: &Config, subject: &Subject, channels: &mut Vec<Channel<'_>>) -> Exit {
    // Every process of nextest would use up the annotations of the step, and all would write the summary at
    // once, so the merge does both.
    let Surroundings { github, github_workspace, github_summary, nextest_run, .. } = &config.surroundings;
    if !config.github.is_now(*github) || nextest_run.is_some() {
        return Exit::Success;
    }
    let sources = Sources { package: subject.root.clone(), repository: github_workspace.clone() };
    channels.push(Channel::new(REPORT, Reader::People, Annotations::new(Stderr, sources)));
    let Some(path) = github_summary else { return Exit::Success };
    let error = match Destination::end_of(path) {
        Ok(destination) => {
            let summary = AtEnd { destination, document: markdown::document, run: WholeRun::default() };
            channels.push(Channel::new("the summary for GitHub", Reader::People, summary));
            return Exit::Success;
        }
        Err(error) => format!("cannot open GITHUB_STEP_SUMMARY, {}: {error}", path.display()),
    };
    // A benchmark in a container may see the variable but not the file.
    if config.github == When::Always {
        stderr::error(error);
        Exit::Error
    } else {
        stderr::warning(error);
        Exit::Success
    }
}
