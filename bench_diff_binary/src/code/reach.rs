//! What leads to code and data of a program: what of it never runs, and what else uses the variables of a
//! walk.

use std::collections::HashSet;

use super::paths::is_in_std;
use super::program::{Program, Root, Section, Target};
use super::walk::{Called, Pair, Unproven, Walk, unknown};

impl Program {
    /// Finds what refers to each section.
    pub(super) fn find_referrers(&mut self) {
        self.referrers = vec![Vec::new(); self.sections.len()];
        for (from, section) in self.sections.iter().enumerate() {
            for reference in section.references.iter().filter(|_| !section.is_unwinding()) {
                if let Target::Place(root) = reference.to {
                    self.referrers[root.section].push(from);
                }
            }
        }
    }

    /// The sections that define symbols for libraries.
    pub(super) fn all_found_by_libraries(&self) -> HashSet<usize> {
        let found = self.symbols.iter().filter(|symbol| symbol.is_found_by_libraries);
        found.filter_map(|symbol| Some(symbol.won?.section)).collect()
    }

    /// The code and data that only the code at these places leads to.
    pub(crate) fn reached_only_from(&self, starts: impl IntoIterator<Item = Root>) -> HashSet<usize> {
        let starts: HashSet<usize> = starts.into_iter().map(|root| root.section).collect();
        let found_by_libraries = self.all_found_by_libraries();
        let mut open = Vec::new();
        for (section, Section { is_kept, .. }) in self.sections.iter().enumerate() {
            let is_unused = self.referrers[section].iter().all(|from| *from == section);
            if *is_kept || is_unused || found_by_libraries.contains(&section) {
                open.push(section);
            }
        }
        let mut idle: HashSet<usize> = (0..self.sections.len()).collect();
        while let Some(section) = open.pop() {
            if starts.contains(&section) || !idle.remove(&section) {
                continue;
            }
            for reference in &self.sections[section].references {
                if let Target::Place(root) = reference.to {
                    open.push(root.section);
                }
            }
        }
        idle
    }
}

impl Walk<'_> {
    /// Returns whether both are the same variable of std, compiled into the objects of each program. Its
    /// value depends on earlier calls, as if std were a library.
    fn is_variable_of_std(&self, pair: Pair) -> bool {
        if !self.has_std_in_objects {
            return false;
        }
        let [left, right] = self.sections(pair).map(Section::name);
        left == right && is_in_std(&left)
    }

    /// Returns whether both are counters of the counting allocator, which counts only outside timed code. A
    /// larger section may contain other variables as well.
    fn is_counter(&self, pair: Pair) -> bool {
        let counters = self.called[0].counters;
        self.sections(pair)
            .iter()
            .all(|section| section.header.size <= 8 && section.name().starts_with(counters))
    }

    /// Requires that no code outside the walk accesses the variables that were reached, unless it never runs
    /// in the same process, or both sides share the variable.
    pub(super) fn require_own_variables(&self) -> Result<(), Unproven> {
        let mut variables = Vec::new();
        for pair in self.reached.keys().copied() {
            let is_variable = self.sections(pair)[0].is_writable();
            let is_shared = self.is_one_program && pair[0] == pair[1];
            if is_variable && !is_shared && !self.is_variable_of_std(pair) && !self.is_counter(pair) {
                variables.push(pair);
            }
        }
        if variables.is_empty() {
            return Ok(());
        }
        for (side, called) in self.called.into_iter().enumerate() {
            let variables = variables.iter().map(|pair| pair[side]).collect();
            if let Some(user) = self.user_outside(side, called, variables) {
                let name = called.program.sections[user].name();
                return Err(unknown(format!("they use a variable that {name} uses too")));
            }
        }
        Ok(())
    }

    /// Code or data outside the walk that leads to one of these variables of a side, if it may run or be used
    /// in the same process.
    fn user_outside(&self, side: usize, called: Called<'_>, variables: Vec<usize>) -> Option<usize> {
        let Called { program, roots, idle, .. } = called;
        if let Some(variable) = variables.iter().find(|variable| program.is_of_toolchain(**variable)) {
            return Some(*variable);
        }
        let walked: HashSet<usize> = self.reached.keys().map(|pair| pair[side]).collect();
        let found_by_libraries = program.all_found_by_libraries();
        let mut seen: HashSet<usize> = roots.iter().map(|root| root.section).collect();
        let mut open = variables;
        while let Some(section) = open.pop() {
            let is_code_of_toolchain =
                program.is_of_toolchain(section) && !program.sections[section].is_writable();
            let is_harmless = idle.contains(&section) || is_code_of_toolchain && !self.is_one_program;
            if !seen.insert(section) || is_harmless {
                continue;
            }
            let is_used_by_others =
                self.partners[1 - side].contains_key(&section) || found_by_libraries.contains(&section);
            if !walked.contains(&section) || self.is_one_program && is_used_by_others {
                return Some(section);
            }
            open.extend(&program.referrers[section]);
        }
        None
    }
}
