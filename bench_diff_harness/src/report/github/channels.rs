//! The channels of a job on GitHub.

use super::annotation::Annotations;
use super::sources::Sources;
use crate::report::document::AtEnd;
use crate::report::markdown;
use crate::report::place::Place;
use crate::report::sink::{Channel, REPORT, Reader};
use crate::report::subject::Subject;
use crate::settings::{Config, Surroundings, When};
use crate::system::exit::Exit;
use crate::system::stderr::{self, Stderr};

/// Adds what a job on GitHub is told by, where there is one. What was asked for and cannot be told is an
/// error.
pub(in crate::report) fn add(config: &Config, subject: &Subject, channels: &mut Vec<Channel<'_>>) -> Exit {
    // Each process of nextest would annotate as much as a whole step shows, and write the summary at the same
    // time: both are left to the merge.
    let Surroundings { github, github_workspace, github_summary, nextest, .. } = &config.surroundings;
    if !config.github.is_now(*github) || *nextest {
        return Exit::Success;
    }
    let sources = Sources { package: subject.root.clone(), repository: github_workspace.clone() };
    channels.push(Channel::new(REPORT, Reader::People, Annotations::new(Stderr, sources)));
    let Some(path) = github_summary else { return Exit::Success };
    let error = match Place::end_of(path) {
        Ok(place) => {
            let summary = AtEnd::new(place, markdown::document);
            channels.push(Channel::new("the summary for GitHub", Reader::People, summary));
            return Exit::Success;
        }
        Err(error) => format!("cannot open GITHUB_STEP_SUMMARY, {}: {error}", path.display()),
    };
    // In a container of its own a benchmark may see the variable and not the file.
    if config.github == When::Always {
        stderr::error(error);
        Exit::Error
    } else {
        stderr::warning(error);
        Exit::Success
    }
}
