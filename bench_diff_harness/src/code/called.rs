//! The functions of a program that run in a process, and the code and data that don't run with them.

use std::collections::HashSet;

use super::program::{Program, Root, Target};

/// The functions that run in the processes of a program.
#[derive(Clone, Copy)]
pub(crate) struct Called<'p> {
    pub(crate) program: &'p Program,
    /// Where the called code begins.
    pub(crate) roots: &'p [Root],
    /// The code of the other benchmarks that the last root registers. None of it runs in these processes.
    pub(crate) others: &'p HashSet<usize>,
    /// The code and data that are known not to run or be used in these processes.
    pub(crate) idle: &'p HashSet<usize>,
}

impl Program {
    /// The code and data that only the code at these places leads to.
    pub(crate) fn reached_only_from(&self, starts: impl IntoIterator<Item = Root>) -> HashSet<usize> {
        let starts: HashSet<usize> = starts.into_iter().map(|root| root.section).collect();
        let by_libraries = self.all_found_by_libraries();
        let begins = |section: &usize| {
            let is_led_to = self.referrers(*section).iter().any(|from| from != section);
            !is_led_to || self.sections[*section].is_kept || by_libraries.contains(section)
        };
        let mut idle: HashSet<usize> = (0..self.sections.len()).collect();
        let mut open: Vec<usize> = (0..self.sections.len()).filter(begins).collect();
        while let Some(section) = open.pop() {
            if !starts.contains(&section) && idle.remove(&section) {
                open.extend(self.sections[section].references.iter().filter_map(
                    |reference| match reference.to {
                        Target::Place(Root { section, .. }) => Some(section),
                        _ => None,
                    },
                ));
            }
        }
        idle
    }
}
