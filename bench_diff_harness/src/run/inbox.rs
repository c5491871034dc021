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
    has_ended: bool,
    /// True if it wrote something that cannot be parsed.
    is_garbled: bool,
}

impl Inbox {
    pub(super) fn new(requested: usize) -> Self {
        Self { requested, begun: 0, found: None, has_ended: false, is_garbled: false }
    }

    /// The position of the pair in progress, if there is one.
    pub(super) fn current(&self) -> Option<usize> {
        self.begun.checked_sub(1).filter(|_| self.found.is_none())
    }

    /// Returns whether the answer is complete.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Takes a line, and returns the finding on the previous pair if the line makes it final.
    ///
    /// # Errors
    ///
    /// If it cannot be the next line of this process.
    pub(super) fn line(
        &mut self,
        line: Result<Line, Fault>,
    ) -> Result<Option<(usize, FindingResult)>, Fault> {
        let findings = line.and_then(|line| self.understood(line));
        self.is_garbled |= findings.is_err();
        findings
    }

    fn understood(&mut self, line: Line) -> Result<Option<(usize, FindingResult)>, Fault> {
        let current = self.current();
        match line {
            Line::Begun { pair, .. } if pair == self.begun && pair < self.requested && current.is_none() => {
                self.begun += 1;
                return Ok(self.found.take().map(|found| (pair - 1, found)));
            }
            Line::Found { pair, finding } if current == Some(pair) => self.found = Some(Ok(*finding)),
            Line::Failed { pair, failed } if current == Some(pair) => {
                self.found = Some(Err(Fault::Reported(failed)));
            }
            Line::End if self.begun == self.requested && current.is_none() => self.has_ended = true,
            _ => return Err(Fault::Unreadable("its lines are out of order".to_owned())),
        }
        Ok(None)
    }

    /// The remaining findings after the process ended like this: the finding on the last pair, or, if no pair
    /// has begun, one on each. A process whose lines cannot be parsed must have begun at least the first
    /// pair.
    pub(super) fn end(&mut self, end: Result<(), Fault>) -> Vec<(usize, FindingResult)> {
        let end = end.and(if self.has_ended { Ok(()) } else { Err(Fault::Exited(0)) });
        let Some(last) = self.begun.checked_sub(1) else {
            let Err(fault) = end else { return Vec::new() };
            let blamed = if self.is_garbled { 1 } else { self.requested };
            return (0..blamed).map(|pair| (pair, Err(fault.clone()))).collect();
        };
        let found = match (self.found.take(), end) {
            (Some(found), Ok(())) => found,
            (Some(Err(fault)), Err(_)) | (_, Err(fault)) => Err(fault),
            (None, Ok(())) => unreachable!("a process ends after its last pair"),
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

    fn begun(pair: usize) -> Line {
        Line::Begun { pair, printed: 0 }
    }

    fn found(pair: usize) -> Line {
        Line::Found { pair, finding: Box::new(finding()) }
    }

    /// The findings after these lines and this end, by position.
    fn received(
        lines: impl IntoIterator<Item = Line>,
        end: Result<(), Fault>,
    ) -> Vec<(usize, FindingResult)> {
        let mut inbox = Inbox::new(2);
        let mut received = Vec::new();
        for line in lines {
            received.extend(inbox.line(Ok(line)).unwrap());
        }
        received.extend(inbox.end(end));
        received
    }

    #[test]
    fn a_finding_is_final_when_the_process_goes_on() {
        let lines = || [begun(0), found(0), begun(1), found(1), Line::End];
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
        assert_eq!(received([begun(0)], Ok(())), [(0, ended())]);
        assert_eq!(received([], Ok(())), [(0, ended()), (1, ended())]);
    }

    #[test]
    fn a_pair_keeps_its_own_reason() {
        let lines = [begun(0), Line::Failed { pair: 0, failed: "panicked".into() }];
        assert_eq!(received(lines, Err(crash())), [(0, Err(Fault::Reported("panicked".into())))]);
    }

    #[test]
    fn a_process_that_begins_no_pair_is_an_error_of_all() {
        assert_eq!(received([], Err(crash())), [(0, Err(crash())), (1, Err(crash()))]);
    }

    #[test]
    fn lines_out_of_order_are_refused() {
        let wrong: [&[fn() -> Line]; 6] = [
            &[|| found(0)],
            &[|| begun(1)],
            &[|| begun(0), || found(1)],
            &[|| begun(0), || begun(1)],
            &[|| begun(0), || found(0), || Line::End],
            &[|| begun(0), || found(0), || begun(1), || found(1), || begun(2)],
        ];
        for lines in wrong {
            let mut inbox = Inbox::new(2);
            let (last, before) = lines.split_last().unwrap();
            before.iter().for_each(|line| drop(inbox.line(Ok(line())).unwrap()));
            assert!(inbox.line(Ok(last())).is_err());
        }
    }

    /// A single function may have caused it, and the pairs after it get another process.
    #[test]
    fn unreadable_lines_are_the_error_of_one_pair() {
        let garbled = || Fault::Unreadable("it is not of this process".to_owned());
        for (lines, blamed) in [(vec![], 0), (vec![begun(0)], 0), (vec![begun(0), found(0), begun(1)], 1)] {
            let mut inbox = Inbox::new(2);
            lines.into_iter().for_each(|line| drop(inbox.line(Ok(line)).unwrap()));
            let fault = inbox.line(Err(garbled())).unwrap_err();
            assert_eq!(inbox.end(Err(fault)), [(blamed, Err(garbled()))]);
        }
    }
}
