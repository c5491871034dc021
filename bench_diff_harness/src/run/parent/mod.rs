//! The process of the run: starts a process for every round, and receives what that finds.

mod session;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bench_diff_core::Instruments;

use self::session::Session;
use super::each_layout::{InLayouts, Receive, all_failed};
use super::one_pair::Finding;
use super::protocol::{CostsRequest, PairRequest, Request, RoundRequest, StartRequest};
use super::side::Side;
use super::started::{Started, folder};
use super::{Asked, Message, Processes, Task};
use crate::layout::{Layout, Relinker};
use crate::plan::{PairPlan, RunPlan};
use crate::settings::TimeLimit;
use crate::system::executable;
use crate::system::temporary::TempFolder;

/// Processes of this program, one after the other.
pub(crate) struct Children<'p> {
    side: Side,
    folder: TempFolder,
    /// The attributes whose `args` end a process.
    fatal: &'p [usize],
    costs: CostsRequest,
    /// True if each pair has a process of its own.
    isolate: bool,
    /// Of one pair, in all of its rounds.
    timeout: Option<&'p TimeLimit>,
    /// The time that each pair of the run has used of that.
    used: Vec<Duration>,
}

impl<'p> Children<'p> {
    /// # Errors
    ///
    /// If there can be none; the text says why.
    pub(crate) fn new(plan: &'p RunPlan, instruments: &Instruments<'_>) -> Result<Self, String> {
        Ok(Self {
            side: Side { program: executable::path()?, relinker: None },
            folder: folder()?,
            fatal: &plan.fatal,
            costs: CostsRequest::of(instruments),
            isolate: plan.isolate,
            timeout: plan.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
        })
    }

    /// Adds programs in random layouts.
    pub(crate) fn with_layouts(self, relinker: Option<Relinker>) -> Self {
        Self { side: Side { relinker, ..self.side }, ..self }
    }

    /// Takes another program, which has these functions in other places.
    pub(crate) fn of_program(self, program: PathBuf) -> Self {
        Self { side: Side { program, ..self.side }, fatal: &[], ..self }
    }

    /// Has one process measure these pairs, as far as it gets. How many of them it answered comes back.
    fn one_process(
        &mut self,
        program: &Path,
        start: StartRequest,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        let pairs = asked.iter().map(|asked| PairRequest::new(&asked.pair.listed.name, asked.task)).collect();
        let round = RoundRequest { costs: self.costs, start, pairs };
        let request = Request { without: self.fatal.to_vec(), round: Some(round), ..Request::default() };
        match Started::new(program, &self.folder, request, Stdio::null()) {
            Ok(Started { process, reader, output, folder: _folder }) => {
                Session::new(self, asked, receive, reader, output).with(process)
            }
            Err(reason) => {
                all_failed(asked, &reason, receive)?;
                ControlFlow::Continue(asked.len())
            }
        }
    }
}

impl InLayouts for Children<'_> {
    type Layout = Layout;

    fn next_round(&mut self) -> Result<Vec<Layout>, String> {
        self.side.next_round()
    }

    fn all(&mut self, layout: Option<&Layout>, asked: &[Asked<'_>], receive: Receive<'_>) -> ControlFlow<()> {
        let (program, start) = self.side.start(layout);
        let mut rest = asked;
        while !rest.is_empty() {
            let together = if self.isolate { 1 } else { rest.len() };
            let answered = self.one_process(&program, start, &rest[..together], receive)?;
            rest = &rest[answered..];
        }
        ControlFlow::Continue(())
    }
}

impl Processes for Children<'_> {
    fn round(
        &mut self,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.linked_and_in_layouts(asked, receive)
    }

    fn alone(&self, pair: &PairPlan) -> Result<Box<dyn Processes + '_>, String> {
        let relinker = self.side.relinker.as_ref().ok_or("it cannot be linked again")?;
        let (program, relinker) = relinker.alone(pair.listed.location.line)?;
        Ok(Box::new(Self {
            side: Side { program, relinker: Some(relinker) },
            folder: folder()?,
            fatal: &[],
            used: vec![Duration::ZERO; self.used.len()],
            ..*self
        }))
    }
}

/// The offsets from [`ANCHOR`](super::ANCHOR) of the code of a candidate and its baseline, and of the code
/// that registered them and that times slots.
pub(crate) type Entries = ([i64; 2], [i64; 2]);

impl Children<'_> {
    /// The offsets of the functions of these pairs in the program as linked; `None` if no process can tell.
    pub(crate) fn entries(mut self, pairs: &[&PairPlan]) -> Vec<Option<Entries>> {
        let pairs_asked = pairs.iter().enumerate();
        let asked: Vec<Asked<'_>> = pairs_asked
            .map(|(index, pair)| Asked { index, pair, task: Task::Compare, in_layout: false })
            .collect();
        self.used = vec![Duration::ZERO; pairs.len()];
        let mut entries = vec![None; pairs.len()];
        // What goes wrong in it goes wrong again where it is told.
        let _ = self.all(None, &asked, &mut |message| {
            if let Message::Found { index, found, .. } = message {
                let places = |finding: Finding| Some((finding.entries?.into(), finding.roots?.into()));
                entries[index] = found.ok().and_then(places);
            }
            ControlFlow::Continue(())
        });
        entries
    }
}
