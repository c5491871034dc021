//! The meaning of the lines of a process: the pair that each is about, and the meaning of its end.

use super::fault::Fault;
use super::one_pair::Finding;
use super::protocol::Line;

/// The finding on a pair, or the reason that there is none.
pub(super) type FindingResult = Result<Finding, String>;

/// The messages of a process that was asked for some pairs.
#[derive(Debug)]
pub(super) struct Inbox {
    asked: usize,
    /// The pairs that it has begun with.
    begun: usize,
    /// The finding on the last of these. It stands once the next one begins: until then the process may die
    /// of it.
    found: Option<FindingResult>,
    has_ended: bool,
    /// True if it said something that cannot be understood.
    is_garbled: bool,
}

impl Inbox {
    pub(super) fn new(asked: usize) -> Self {
        Self { asked, begun: 0, found: None, has_ended: false, is_garbled: false }
    }

    /// The place of the pair that it is at, where there is one.
    pub(super) fn current(&self) -> Option<usize> {
        self.begun.checked_sub(1).filter(|_| self.found.is_none())
    }

    /// Returns whether nothing more is to come.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Takes a line, after which what was found of the pair before may stand.
    ///
    /// # Errors
    ///
    /// If it cannot be the next line of this process; the text says why.
    pub(super) fn line(
        &mut self,
        line: Result<Line, String>,
    ) -> Result<Option<(usize, FindingResult)>, String> {
        let findings = line.and_then(|line| self.understood(line));
        self.is_garbled |= findings.is_err();
        findings
    }

    fn understood(&mut self, line: Line) -> Result<Option<(usize, FindingResult)>, String> {
        let current = self.current();
        match line {
            Line { begun: Some((pair, _)), .. }
                if pair == self.begun && pair < self.asked && current.is_none() =>
            {
                self.begun += 1;
                return Ok(self.found.take().map(|found| (pair - 1, found)));
            }
            Line { found: Some((pair, finding)), .. } if current == Some(pair) => {
                self.found = Some(Ok(finding));
            }
            Line { failed: Some((pair, reason)), .. } if current == Some(pair) => {
                self.found = Some(Err(reason));
            }
            Line { end: Some(_), .. } if self.begun == self.asked && current.is_none() => {
                self.has_ended = true;
            }
            _ => return Err("its lines are out of order".to_owned()),
        }
        Ok(None)
    }

    /// The findings that are left when it has ended like this: of the last pair, or of all if it came to
    /// none. A process that is not understood came to the first of them at least.
    pub(super) fn end(&mut self, end: Result<(), String>) -> Vec<(usize, FindingResult)> {
        let end = end.and_then(|()| if self.has_ended { Ok(()) } else { Err(Fault::Exited(0).to_string()) });
        let Some(last) = self.begun.checked_sub(1) else {
            let reason = end.err().unwrap_or_default();
            let blamed = if self.is_garbled { 1 } else { self.asked };
            return (0..blamed).map(|pair| (pair, Err(reason.clone()))).collect();
        };
        let found = match (self.found.take(), end) {
            (Some(found), Ok(())) => found,
            (Some(Err(reason)), Err(_)) | (_, Err(reason)) => Err(reason),
            (None, Ok(())) => unreachable!("a process ends after its last pair"),
        };
        vec![(last, found)]
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::call::probe::Check;

    fn finding() -> Finding {
        Finding { check: Check::Equal, ..Finding::default() }
    }

    fn begun(pair: usize) -> Line {
        Line { begun: Some((pair, 0)), ..Line::default() }
    }

    fn found(pair: usize) -> Line {
        Line { found: Some((pair, finding())), ..Line::default() }
    }

    fn end() -> Line {
        Line { end: Some(true), ..Line::default() }
    }

    /// The findings after these lines and this end, by place.
    fn received(lines: impl IntoIterator<Item = Line>, end: Result<(), &str>) -> Vec<(usize, FindingResult)> {
        let mut inbox = Inbox::new(2);
        let mut received = Vec::new();
        for line in lines {
            received.extend(inbox.line(Ok(line)).unwrap());
        }
        received.extend(inbox.end(end.map_err(str::to_owned)));
        received
    }

    #[test]
    fn what_is_found_stands_when_the_process_goes_on() {
        let lines = || [begun(0), found(0), begun(1), found(1), end()];
        assert_eq!(received(lines(), Ok(())), [(0, Ok(finding())), (1, Ok(finding()))]);
        let crashed = || Err("crashed".to_owned());
        assert_eq!(
            received(lines(), Err("crashed")),
            [(0, Ok(finding())), (1, crashed())],
            "of its last pair"
        );
        assert_eq!(
            received(lines().into_iter().take(3), Err("crashed")),
            [(0, Ok(finding())), (1, crashed())]
        );
        assert_eq!(
            received(lines().into_iter().take(2), Err("crashed")),
            [(0, crashed())],
            "between two pairs"
        );
    }

    #[test]
    fn an_end_without_a_last_line_is_that_of_a_function() {
        let ended = || Err("ended the process with code 0".to_owned());
        assert_eq!(received([begun(0)], Ok(())), [(0, ended())]);
        assert_eq!(received([], Ok(())), [(0, ended()), (1, ended())]);
    }

    #[test]
    fn a_pair_keeps_its_own_reason() {
        let lines = [begun(0), Line { failed: Some((0, "panicked".to_owned())), ..Line::default() }];
        assert_eq!(received(lines, Err("crashed")), [(0, Err("panicked".to_owned()))]);
    }

    #[test]
    fn a_process_that_came_to_no_pair_is_an_error_of_all() {
        let crashed = || Err("crashed".to_owned());
        assert_eq!(received([], Err("crashed")), [(0, crashed()), (1, crashed())]);
    }

    #[test]
    fn lines_out_of_order_are_refused() {
        let wrong: [&[fn() -> Line]; 6] = [
            &[|| found(0)],
            &[|| begun(1)],
            &[|| begun(0), || found(1)],
            &[|| begun(0), || begun(1)],
            &[|| begun(0), || found(0), end],
            &[|| begun(0), || found(0), || begun(1), || found(1), || begun(2)],
        ];
        for lines in wrong {
            let mut inbox = Inbox::new(2);
            let (last, before) = lines.split_last().unwrap();
            before.iter().for_each(|line| drop(inbox.line(Ok(line())).unwrap()));
            assert!(inbox.line(Ok(last())).is_err());
        }
    }

    /// It may be the doing of one function, and whichever comes next has a process of its own.
    #[test]
    fn what_nobody_understands_is_the_error_of_one_pair() {
        let garbled = || Err("it is not of this process".to_owned());
        for (lines, blamed) in [(vec![], 0), (vec![begun(0)], 0), (vec![begun(0), found(0), begun(1)], 1)] {
            let mut inbox = Inbox::new(2);
            lines.into_iter().for_each(|line| drop(inbox.line(Ok(line)).unwrap()));
            let reason = inbox.line(garbled()).unwrap_err();
            assert_eq!(inbox.end(Err(reason)), [(blamed, Err(garbled().unwrap_err()))]);
        }
    }
}
