//! Interprets the lines of a process: which pair each line is about, and what its end means.

use super::fault::Fault;
use super::one_pair::Finding;
use super::protocol::Line;

/// The finding on a pair, or the reason why there is none.
pub(super) type FindingResult = Result<Finding, Fault>;

/// The state of a process's answer to a request for some pairs.
#[derive(Debug)]
pub(super) struct Inbox {
    requested: usize,
    /// The number of pairs that it has begun.
    begun: usize,
    /// The finding on the latest of these. It becomes final when the next pair begins, since until then the
    /// process may crash because of it.
    found: Option<FindingResult>,
    /// True if the answer is complete.
    pub(super) has_ended: bool,
}

impl Inbox {
    pub(super) fn new(requested: usize) -> Self {
        Self { requested, begun: 0, found: None, has_ended: false }
    }

    /// The position of the pair in progress, if there is one.
    pub(super) fn current(&self) -> Option<usize> {
        self.begun.checked_sub(1).filter(|_| self.found.is_none())
    }

    /// Takes a line, and returns the finding on the previous pair if the line makes it final.
    pub(super) fn line(&mut self, line: Line) -> Option<(usize, FindingResult)> {
        match line {
            Line::Begun { .. } => {
                self.begun = self.requested.min(self.begun + 1);
                return self.begun.checked_sub(2).zip(self.found.take());
            }
            Line::Found(finding) => self.found = Some(Ok(*finding)),
            Line::Failed(reason) => self.found = Some(Err(Fault::Reported(reason))),
            Line::End => self.has_ended = true,
            Line::Attributes(_) | Line::Pairs(_) => {}
        }
        None
    }

    /// The remaining findings after the process ended like this: the finding on the last pair, or, if no pair
    /// has begun, one on each.
    pub(super) fn end(&mut self, end: Result<(), Fault>) -> Vec<(usize, FindingResult)> {
        let is_whole = self.has_ended && self.begun == self.requested;
        let end = end.and(if is_whole { Ok(()) } else { Err(Fault::Exited(0)) });
        let Some(last) = self.begun.checked_sub(1) else {
            let Err(fault) = end else { return Vec::new() };
            return (0..self.requested).map(|pair| (pair, Err(fault.clone()))).collect();
        };
        let found = match (self.found.take(), end) {
            (Some(found), Ok(())) => found,
            (Some(Err(fault)), Err(_)) | (_, Err(fault)) => Err(fault),
            (None, Ok(())) => Err(Fault::Exited(0)),
        };
        vec![(last, found)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::probe::Check;

    fn crash() -> Fault {
        Fault::Crashed("signal: 6".to_owned())
    }

    fn finding() -> Finding {
        Finding { check: Check::Equal, ..Finding::default() }
    }

    const BEGUN: Line = Line::Begun { printed: 0 };

    fn found() -> Line {
        Line::Found(Box::new(finding()))
    }

    /// The findings after these lines and this end, by position.
    fn received(
        lines: impl IntoIterator<Item = Line>,
        end: Result<(), Fault>,
    ) -> Vec<(usize, FindingResult)> {
        let mut inbox = Inbox::new(2);
        let mut received = Vec::new();
        for line in lines {
            received.extend(inbox.line(line));
        }
        received.extend(inbox.end(end));
        received
    }

    #[test]
    fn a_finding_is_final_when_the_process_goes_on() {
        let lines = || [BEGUN, found(), BEGUN, found(), Line::End];
        assert_eq!(received(lines(), Ok(())), [(0, Ok(finding())), (1, Ok(finding()))]);
        assert_eq!(
            received(lines(), Err(crash())),
            [(0, Ok(finding())), (1, Err(crash()))],
            "after its last pair"
        );
        assert_eq!(
            received(lines().into_iter().take(3), Err(crash())),
            [(0, Ok(finding())), (1, Err(crash()))]
        );
        assert_eq!(
            received(lines().into_iter().take(2), Err(crash())),
            [(0, Err(crash()))],
            "between two pairs"
        );
    }

    #[test]
    fn an_end_without_a_last_line_is_blamed_on_the_function() {
        let ended = || Err(Fault::Exited(0));
        assert_eq!(received([BEGUN], Ok(())), [(0, ended())]);
        assert_eq!(received([], Ok(())), [(0, ended()), (1, ended())]);
        assert_eq!(received([BEGUN, Line::End], Ok(())), [(0, ended())], "it wrote the last line itself");
        assert_eq!(received([found(), BEGUN], Ok(())), [(0, ended())], "it has cut the answer");
    }

    #[test]
    fn a_pair_keeps_its_own_reason() {
        let lines = [BEGUN, Line::Failed("panicked".to_owned())];
        assert_eq!(received(lines, Err(crash())), [(0, Err(Fault::Reported("panicked".into())))]);
    }

    #[test]
    fn a_process_that_begins_no_pair_is_an_error_of_all() {
        assert_eq!(received([], Err(crash())), [(0, Err(crash())), (1, Err(crash()))]);
    }
}
