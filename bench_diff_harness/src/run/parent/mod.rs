//! The process of the run: starts a process for every round, and receives what that finds.

mod conversation;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bench_diff_core::{Clocks, Instruments, with_blank};

use self::conversation::Conversation;
use super::protocol::{CostsRequest, PairRequest, RoundRequest, StartRequest};
use super::started::{Started, folder};
use super::{Asked, Message, Processes, Task};
use crate::layout::{self, Layout, Relinker};
use crate::machine;
use crate::plan::{PairPlan, RunPlan};
use crate::settings::TimeLimit;
use crate::system::executable;
use crate::system::temporary::TempFolder;

/// A process that takes longer to come to its first pair is worth a note.
const LONG_STARTUP: Duration = Duration::from_millis(50);

/// Processes of this program, one after the other.
pub(crate) struct Children<'p> {
    program: PathBuf,
    /// Where there are programs in random layouts.
    relinker: Option<Relinker>,
    folder: TempFolder,
    /// The attributes whose `args` end a process.
    fatal: &'p [usize],
    costs: CostsRequest,
    /// Whether each pair has a process of its own.
    isolate: bool,
    /// Of one pair, in all of its rounds.
    timeout: Option<&'p TimeLimit>,
    /// What each pair of the run has taken of that.
    used: Vec<Duration>,
    processes: u32,
    /// From the start of a process to its first pair, of all of them.
    startup: Duration,
}

impl<'p> Children<'p> {
    /// # Errors
    ///
    /// Why there can be none.
    pub(crate) fn new(plan: &'p RunPlan, instruments: &Instruments<'_, impl Clocks>) -> Result<Self, String> {
        Ok(Self {
            program: executable::path()?,
            relinker: None,
            folder: folder()?,
            fatal: &plan.fatal,
            costs: CostsRequest::of(instruments),
            isolate: plan.isolate,
            timeout: plan.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
            processes: 0,
            startup: Duration::ZERO,
        })
    }

    /// The same with programs in random layouts.
    pub(crate) fn with_layouts(self, relinker: Option<Relinker>) -> Self {
        Self { relinker, ..self }
    }

    /// How many were started so far, and came to a pair.
    pub(crate) fn started(&self) -> u64 {
        self.processes.into()
    }

    /// What linking took of the machine.
    pub(crate) fn cost_of_linking(&self) -> machine::ResourceUsage {
        self.relinker.as_ref().map(Relinker::cost).unwrap_or_default()
    }

    /// What a reader should know after the run.
    pub(crate) fn note(&self) -> Option<String> {
        let count = self.processes;
        let startup = self.startup.checked_div(count)?;
        (startup > LONG_STARTUP).then(|| {
            let startup = with_blank(&format!("{startup:.1?}"));
            format!(
                "each of {count} processes took {startup} before its first pair, because it evaluates all `args`: move \
                 heavy work into `setup`"
            )
        })
    }

    /// Has one process measure these pairs, as far as it gets. How many of them it answered comes back.
    fn one_process(
        &mut self,
        program: &Path,
        start: StartRequest,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        let pairs = asked.iter().map(|asked| PairRequest::new(&asked.pair.registered, asked.task)).collect();
        let round = RoundRequest { costs: self.costs, start, pairs };
        match Started::new(program, &self.folder, self.fatal, Some(round)) {
            Ok(Started { process, listener, output, folder: _folder }) => {
                Conversation::new(self, asked, receive, listener, output).with(process)
            }
            Err(reason) => all_failed(asked, &reason, receive),
        }
    }
}

impl Processes for Children<'_> {
    fn round(
        &mut self,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (in_layout, as_linked): (Vec<Asked<'_>>, Vec<Asked<'_>>) =
            asked.iter().partition(|asked| asked.in_layout);
        let program = self.program.clone();
        self.all(&program, StartRequest::default(), &as_linked, receive)?;
        if in_layout.is_empty() {
            return ControlFlow::Continue(());
        }
        match self.relinker.as_mut().map_or_else(|| Err("there are none".to_owned()), Relinker::next_round) {
            Ok(layouts) => self.in_layouts(&layouts, in_layout, receive),
            Err(reason) => {
                all_failed(&in_layout, &format!("its layout could not be linked: {reason}"), receive)?;
                ControlFlow::Continue(())
            }
        }
    }
}

impl Children<'_> {
    /// Has these pairs measured in each of the programs of a round. What fails in one is not asked of the
    /// others.
    fn in_layouts(
        &mut self,
        layouts: &[Layout],
        mut asked: Vec<Asked<'_>>,
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        for (number, Layout { program, shifts }) in layouts.iter().enumerate() {
            if flow.is_continue() && !asked.is_empty() {
                let share: Vec<Asked<'_>> =
                    asked.iter().map(|asked| Asked { task: asked.task.share_of(number), ..*asked }).collect();
                let start = StartRequest { heap: shifts.heap as usize, stack: Some(shifts.stack) };
                flow = self.all(program, start, &share, &mut |message| {
                    if let Message::Found { index, found, .. } = &message
                        && found.is_err()
                    {
                        asked.retain(|asked| asked.index != *index);
                    }
                    receive(message)
                });
            }
            layout::remove(program);
        }
        flow
    }

    /// How far behind [`ANCHOR`](super::ANCHOR) the functions of these pairs begin in the program as linked,
    /// the candidate's before the baseline's; none where no process can tell.
    pub(crate) fn entries(mut self, pairs: &[&PairPlan]) -> Vec<Option<[i64; 2]>> {
        let pairs_asked = pairs.iter().enumerate();
        let asked: Vec<Asked<'_>> = pairs_asked
            .map(|(index, pair)| Asked { index, pair, task: Task::Compare, in_layout: false })
            .collect();
        self.used = vec![Duration::ZERO; pairs.len()];
        let mut entries = vec![None; pairs.len()];
        // What goes wrong in it goes wrong again where it is told.
        let _ = self.all(&self.program.clone(), StartRequest::default(), &asked, &mut |message| {
            if let Message::Found { index, found, .. } = message {
                entries[index] = found.ok().and_then(|finding| finding.entries);
            }
            ControlFlow::Continue(())
        });
        entries
    }

    /// Has all of these pairs measured by processes of this program.
    fn all(
        &mut self,
        program: &Path,
        start: StartRequest,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut rest = asked;
        while !rest.is_empty() {
            let together = if self.isolate { 1 } else { rest.len() };
            let answered = self.one_process(program, start, &rest[..together], receive)?;
            rest = &rest[answered..];
        }
        ControlFlow::Continue(())
    }
}

/// The same reason for all of them.
fn all_failed(
    asked: &[Asked<'_>],
    reason: &str,
    receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
) -> ControlFlow<(), usize> {
    asked.iter().try_for_each(|asked| receive(Message::found(asked.index, Err(reason.to_owned()))))?;
    ControlFlow::Continue(asked.len())
}
