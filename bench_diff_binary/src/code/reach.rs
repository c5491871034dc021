//! What leads to code and data of a program: what of it never runs, and what else uses the variables of a
//! walk.

use std::collections::HashSet;

use bench_diff_system::order::in_order;

use super::paths::is_in_std;
use super::program::{Program, Root, Section, Symbol, Target};
use super::walk::{Called, Pair, Unproven, Walk, unknown};

impl Program {
    /// Finds what refers to each section, the symbols in it, and the functions that allocate.
    pub(super) fn find_referrers(&mut self) {
        self.symbols_in = vec![Vec::new(); self.sections.len()];
        for (index, symbol) in self.symbols.iter().enumerate() {
            symbol.roots.iter().for_each(|root| self.symbols_in[root.section].push(index));
        }
        self.referrers = vec![Vec::new(); self.sections.len()];
        for (from, section) in self.sections.iter().enumerate() {
            for reference in section.references.iter().filter(|_| !section.is_unwinding()) {
                if let Target::Place(root) = reference.to {
                    self.referrers[root.section].push(from);
                }
            }
        }
        self.allocating = self.find_allocating();
    }

    /// The sections that define symbols for libraries.
    pub(super) fn all_found_by_libraries(&self) -> HashSet<usize> {
        let found = self.symbols.iter().filter(|symbol| symbol.is_found_by_libraries);
        found.filter_map(|symbol| Some(symbol.won?.section)).collect()
    }

    /// The functions through which all code allocates, and those of the allocator that they call, which may
    /// be inlined. Other functions may do more.
    fn find_allocating(&self) -> HashSet<usize> {
        const FUNCTIONS: [&str; 4] =
            ["__rust_alloc", "__rust_alloc_zeroed", "__rust_dealloc", "__rust_realloc"];
        let is_one = |symbol: &&Symbol| FUNCTIONS.iter().any(|function| symbol.name.ends_with(function));
        let of_allocator = |called: Root| {
            let names = self.names_in(called.section);
            let [name] = &names[..] else { return false };
            let is_of_c = !name.contains("::") && ["alloc", "free"].iter().any(|word| name.contains(word));
            is_of_c || name.contains(" as core::alloc::global::GlobalAlloc>::")
        };
        let mut found = HashSet::new();
        for root in self.symbols.iter().filter(is_one).flat_map(|symbol| &symbol.roots) {
            found.insert(root.section);
            for reference in &self.sections[root.section].references {
                if let Target::Place(called) = reference.to
                    && of_allocator(called)
                {
                    found.insert(called.section);
                }
            }
        }
        found
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

impl<'p> Walk<'p> {
    /// Returns whether everything in these sections is the same on both sides and has such names.
    fn is_all(&self, pair: Pair, is_known: impl Fn(&str) -> bool) -> bool {
        let [left, right] = [0, 1].map(|side| self.programs[side].names_in(pair[side]));
        left == right && !left.is_empty() && left.iter().all(|name| is_known(name))
    }

    /// Returns whether these are variables of std, compiled into the objects of each program. Their values
    /// depend on earlier calls, as if std were a library.
    fn is_of_std(&self, pair: Pair) -> bool {
        self.has_std_in_objects && self.is_all(pair, is_in_std)
    }

    /// Returns whether these are counters of the counting allocator, which counts only outside timed code.
    fn is_counter(&self, pair: Pair) -> bool {
        self.is_all(pair, |name| name.starts_with(self.called[0].counters))
    }

    /// Requires that no code outside the walk accesses the variables that were reached, unless it never runs
    /// in the same process, both sides share the variable, or the code is the same on both sides as well.
    pub(super) fn require_own_variables(&mut self) -> Result<(), Unproven> {
        while let Some((side, used, user)) = self.user_of_variable() {
            let name = self.programs[side].sections[user].name();
            let reason = || unknown(format!("they use a variable that {name} uses too"));
            let pair = self.same_user(side, used, user).filter(|pair| self.is_next(*pair));
            let pair = pair.ok_or_else(reason)?;
            self.open(pair, pair).and_then(|()| self.compare_open()).map_err(|_| reason())?;
            if !self.reached.contains_key(&pair) {
                return Err(reason());
            }
        }
        Ok(())
    }

    /// Returns whether this pair is new, and not the second one of lists of functions that run before `main`,
    /// since the order of several decides what they do.
    fn is_next(&self, pair: Pair) -> bool {
        let [list, _] = self.sections(pair);
        let is_like_it = |known: &Pair| {
            let [known, _] = self.sections(*known);
            known.is_kept && known.header.kind == list.header.kind
        };
        let is_second = list.is_kept && self.reached.keys().any(is_like_it);
        !is_second && !self.reached.contains_key(&pair)
    }

    /// A side, a section of the walk, and one outside of it that leads there and to a variable that was
    /// reached.
    fn user_of_variable(&self) -> Option<(usize, usize, usize)> {
        let mut variables = Vec::new();
        for pair in self.reached.keys().copied() {
            let is_variable = self.sections(pair)[0].is_writable();
            let is_shared = self.is_one_program && pair[0] == pair[1];
            if is_variable && !is_shared && !self.is_of_std(pair) && !self.is_counter(pair) {
                variables.push(pair);
            }
        }
        self.called.into_iter().enumerate().find_map(|(side, called)| {
            let variables = variables.iter().map(|pair| pair[side]).collect();
            let (used, user) = self.user_outside(side, called, variables)?;
            Some((side, used, user))
        })
    }

    /// The section on the other side that corresponds to `user`, which leads to `used`.
    fn same_user(&self, side: usize, used: usize, user: usize) -> Option<Pair> {
        if self.is_one_program {
            return None;
        }
        let pairs = self.reached.keys().filter(|pair| pair[side] == used);
        let (program, other) = (self.programs[side], self.programs[1 - side]);
        let symbol = &program.sections[user].symbol;
        let users = pairs.flat_map(|pair| &other.referrers[pair[1 - side]]).copied();
        let found = in_order(users.filter(|user| other.sections[*user].symbol == *symbol));
        let [found] = found[..] else { return None };
        Some(if side == 0 { [user, found] } else { [found, user] })
    }

    /// A section of the walk that leads to one of these variables of a side, and the code or data outside of
    /// the walk that refers to it, if that may run in the same process. What an allocator keeps depends on
    /// earlier calls, like files, so those who allocate do not count.
    fn user_outside(&self, side: usize, called: Called<'_>, variables: Vec<usize>) -> Option<(usize, usize)> {
        let Called { program, roots, idle, .. } = called;
        if variables.is_empty() {
            return None;
        }
        if let Some(variable) = variables.iter().find(|variable| program.is_of_toolchain(**variable)) {
            return Some((*variable, *variable));
        }
        let walked: HashSet<usize> = self.reached.keys().map(|pair| pair[side]).collect();
        let found_by_libraries = program.all_found_by_libraries();
        let mut seen: HashSet<usize> = roots.iter().map(|root| root.section).collect();
        let mut open: Vec<_> = variables.into_iter().map(|variable| (variable, variable)).collect();
        while let Some((used, section)) = open.pop() {
            let is_code_of_toolchain =
                program.is_of_toolchain(section) && !program.sections[section].is_writable();
            let is_harmless = idle.contains(&section) || is_code_of_toolchain && !self.is_one_program;
            if !seen.insert(section) || is_harmless {
                continue;
            }
            let is_used_by_others =
                self.partners[1 - side].contains_key(&section) || found_by_libraries.contains(&section);
            if !walked.contains(&section) || self.is_one_program && is_used_by_others {
                return Some((used, section));
            }
            if self.is_one_program || !program.allocating.contains(&section) {
                open.extend(program.referrers[section].iter().map(|user| (section, *user)));
            }
        }
        None
    }
}
