//! The pairs of one attribute, as a process visits them.

use std::ops::ControlFlow;

use bench_diff_core::Gate;

use super::entry::{PairEntry, name_of};
use super::names::{Names, line, printable};
use crate::call::panics;
use crate::call::probe::{OnTeam, Probe};
use crate::settings::defaults;

/// A registered pair, without its functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// The name without the number that distinguishes it from equal names of the same attribute.
    pub(crate) label: String,
    pub(crate) arg: Option<String>,
    /// The number of threads that call the functions.
    pub(crate) threads: usize,
    /// The gate for this arg, if it depends on the arg.
    pub(crate) gate: Option<Gate>,
    /// The address of code that registers this pair and no other, if there is such code.
    pub(crate) body: Option<usize>,
    /// The reason why the pair cannot be measured, if it cannot.
    pub(crate) unmeasurable: Option<String>,
    /// True if it stands for pairs of the attribute that could not be listed.
    pub(crate) is_unlisted: bool,
}

impl Case {
    /// Refuses a pair that cannot be measured.
    ///
    /// # Errors
    ///
    /// The reason.
    pub(crate) fn require_measurable(&self) -> Result<(), String> {
        self.unmeasurable.clone().map_or(Ok(()), Err)
    }
}

/// Passes the functions of a pair to a probe.
pub(crate) type MeasurePair<'r> = dyn FnMut(&mut Probe<'_>) + 'r;

/// Called with each pair in turn, until it returns `Break`.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(Case, &mut MeasurePair<'_>) -> ControlFlow<()>;

/// Numbers whose meaning only the front end knows.
pub(crate) type Context = [Option<u64>; 4];

/// Visits the pairs of an attribute: one for each combination of its types, consts, args and numbers of
/// threads.
///
/// Most processes only list the pairs and call no function. A measuring process calls the functions of one
/// pair while that pair is visited, so the functions may borrow from the code that adds it.
pub struct Cases<'v> {
    /// The name of the function.
    function: String,
    /// The name with the types and consts of the next pairs.
    instance: String,
    threads: Vec<usize>,
    team: Option<OnTeam>,
    /// True if the function cannot change the numbers of threads.
    has_fixed_threads: bool,
    /// The gate of the next arg, and an error if its margin is invalid.
    gate: Option<(Gate, Option<String>)>,
    context: Context,
    names: Names,
    visit: Visit<'v>,
    /// True once the visitor has returned `Break`.
    pub(super) is_over: bool,
}

impl<'v> Cases<'v> {
    /// Cases of this entry, before any pair is added.
    pub(super) fn new(entry: &PairEntry, visit: Visit<'v>) -> Self {
        let function = name_of(entry);
        Self {
            instance: function.clone(),
            function,
            threads: Vec::new(),
            team: None,
            has_fixed_threads: false,
            gate: None,
            context: entry.context,
            names: Names::default(),
            visit,
            is_over: false,
        }
    }

    /// Sets the types and consts of all pairs that are added from now on.
    pub fn instance(&mut self, labels: &[String]) {
        let labels: Vec<String> = labels.iter().map(|label| printable(label)).collect();
        self.instance = format!("{}<{}>", self.function, labels.join(","));
    }

    /// Sets the numbers of threads. Every pair that is added becomes one pair for each number.
    pub fn threads(&mut self, threads: &[usize]) {
        if !self.has_fixed_threads {
            self.threads = threads.to_vec();
            self.team = Some(OnTeam::ROUTINE);
        }
    }

    /// Sets the numbers of threads, so that [`threads`](Self::threads) has no effect any more.
    pub(super) fn fix_threads(&mut self, threads: &[usize]) {
        self.threads(threads);
        self.has_fixed_threads = true;
    }

    /// The numbers that the entry has for the front end.
    #[must_use]
    pub fn context(&self) -> [Option<u64>; 4] {
        self.context
    }

    /// Adds a pair.
    pub fn add(&mut self, mut run: impl FnMut(&mut Probe<'_>)) {
        self.push(self.label(None), None, None, &mut run);
    }

    /// Adds a benchmark with this full name. `body` is the address of a function that only this benchmark
    /// calls, and that passes its routine to the probe.
    pub fn add_named(&mut self, name: &str, body: usize, mut run: impl FnMut(&mut Probe<'_>)) {
        self.push(line(name), None, Some(body), &mut run);
    }

    /// Adds the pair for an arg.
    pub fn add_arg(&mut self, label: String, mut run: impl FnMut(&mut Probe<'_>)) {
        self.push(self.label(Some(&label)), Some(label), None, &mut run);
    }

    /// Sets the limit of the next pair: how much slower the candidate may be, as a share. It has to be finite
    /// and above 0; otherwise the pair ends with an error.
    pub fn max_slowdown(&mut self, share: f64) {
        self.gate(Gate::MaxSlowdown, share, defaults::MARGIN);
    }

    /// Sets the limit of the next pair: how many times as fast the candidate has to be. It has to be finite
    /// and above 0; otherwise the pair ends with an error.
    pub fn min_speedup(&mut self, times: f64) {
        self.gate(Gate::MinSpeedup, times, 1.0);
    }

    /// Sets the limit of the next pair: how much slower or faster the candidate may be, as a share. It has to
    /// be finite and above 0; otherwise the pair ends with an error.
    pub fn max_difference(&mut self, share: f64) {
        self.gate(Gate::MaxDifference, share, defaults::MARGIN);
    }

    /// If the margin is invalid, the pair cannot be measured, and its record gets the margin `instead`.
    fn gate(&mut self, gate: fn(f64) -> Gate, margin: f64, instead: f64) {
        let is_valid = margin > 0.0 && margin.is_finite();
        let gate = gate(if is_valid { margin } else { instead });
        let reason =
            || format!("`{}` of this arg is {margin}, and it must be finite and above 0", gate.name());
        self.gate = Some((gate, (!is_valid).then(reason)));
    }

    /// The label of the next pair.
    fn label(&self, arg: Option<&str>) -> String {
        match arg {
            Some(arg) => format!("{}/{}", self.instance, printable(arg)),
            None => self.instance.clone(),
        }
    }

    /// Adds a pair. It is not generic, since the compiler would inline its copies in a bench or not,
    /// depending on what else the bench has. Adding a function would then change the machine code of all
    /// others.
    fn push(&mut self, label: String, arg: Option<String>, body: Option<usize>, run: &mut MeasurePair<'_>) {
        let (gate, unmeasurable) = self.gate.take().unzip();
        let unmeasurable = unmeasurable.flatten();
        let case = Case { label, arg, threads: 1, gate, body, unmeasurable, ..Case::default() };
        if self.threads.is_empty() {
            return self.show(case, run);
        }
        let team = self.team;
        for threads in self.threads.clone() {
            let label = format!("{}/threads={threads}", case.label);
            self.show(Case { label, threads, ..case.clone() }, &mut |probe| {
                probe.set_threads(threads, team);
                run(probe);
            });
        }
    }

    fn show(&mut self, case: Case, run: &mut MeasurePair<'_>) {
        if self.is_over {
            return;
        }
        let case = Case { name: self.names.of(&case.label), ..case };
        let is_named = case.body.is_some();
        if (self.visit)(case, run).is_break() {
            self.is_over = true;
            // The user's function may remove files behind its last benchmark.
            if !is_named {
                panics::leave();
            }
        }
    }
}

/// The arg of a pair.
#[derive(Debug)]
pub struct Arg<A>(pub A);

impl<A> Arg<A> {
    /// Returns a clone of it.
    pub fn get(&self) -> A
    where
        A: Clone,
    {
        self.0.clone()
    }
}

/// Lets the compiler infer the type of an arg from a call that never happens.
pub fn infer_1<A>(_: &Arg<A>, _: impl FnOnce(A)) {}

/// [`infer_1`] for a function that also takes a state.
pub fn infer_2<S, A>(_: &Arg<A>, _: impl FnOnce(S, A)) {}
