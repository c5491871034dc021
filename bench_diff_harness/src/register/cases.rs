//! The pairs of one attribute.

use std::rc::Rc;

use bench_diff_core::Gate;

use crate::call::probe::Probe;

/// Collects the pairs of an attribute: one for every combination of its types, consts, args and numbers of
/// threads.
#[derive(Default)]
pub struct Cases {
    instance: Vec<String>,
    threads: Vec<usize>,
    cases: Vec<Case>,
}

/// One of the pairs of an attribute.
#[derive(Clone)]
pub(crate) struct Case {
    /// The types and consts of the functions.
    pub(crate) instance: Vec<String>,
    pub(crate) arg: Option<String>,
    /// The number of threads that call the functions, if the attribute sets it.
    pub(crate) threads: Option<usize>,
    /// The gate, if it depends on the arg.
    pub(crate) gate: Option<Gate>,
    pub(crate) run: MeasurePair,
}

/// The closure that measures a pair.
pub(crate) type MeasurePair = Rc<dyn Fn(&mut Probe<'_>)>;

impl Case {
    fn on(self, threads: usize) -> Self {
        let run = self.run;
        let run = move |probe: &mut Probe<'_>| {
            probe.set_threads(threads);
            run(probe);
        };
        Self { threads: Some(threads), run: Rc::new(run), ..self }
    }
}

impl Cases {
    /// Sets the types and consts of the pairs that are added from here on.
    pub fn instance(&mut self, labels: &[String]) {
        self.instance = labels.to_vec();
    }

    /// Sets the numbers of threads: every pair that is added becomes one pair for each number.
    pub fn threads(&mut self, threads: &[usize]) {
        self.threads = threads.to_vec();
    }

    /// Adds a pair.
    pub fn add(&mut self, run: impl Fn(&mut Probe<'_>) + 'static) {
        self.push(None, Rc::new(run));
    }

    /// Adds the pair of an arg.
    pub fn add_arg(&mut self, label: String, run: impl Fn(&mut Probe<'_>) + 'static) {
        self.push(Some(label), Rc::new(run));
    }

    /// Sets the gate of the pair that was added last: `max_slowdown = function`.
    pub fn max_slowdown(&mut self, share: f64) {
        self.gate(Gate::MaxSlowdown(share));
    }

    /// Sets the gate of the pair that was added last: `min_speedup = function`.
    pub fn min_speedup(&mut self, times: f64) {
        self.gate(Gate::MinSpeedup(times));
    }

    /// Sets the gate of the pair that was added last: `max_difference = function`.
    pub fn max_difference(&mut self, share: f64) {
        self.gate(Gate::MaxDifference(share));
    }

    fn push(&mut self, arg: Option<String>, run: MeasurePair) {
        let case = Case { instance: self.instance.clone(), arg, threads: None, gate: None, run };
        if self.threads.is_empty() {
            self.cases.push(case);
        } else {
            self.cases.extend(self.threads.iter().map(|threads| case.clone().on(*threads)));
        }
    }

    fn gate(&mut self, gate: Gate) {
        let added_last = self.threads.len().max(1);
        let before = self.cases.len().saturating_sub(added_last);
        for case in &mut self.cases[before..] {
            case.gate = Some(gate);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Case> {
        self.cases
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

/// Lets the compiler infer the type of an arg from a call of a function, which never happens.
pub fn infer_1<A>(_: &Arg<A>, _: impl FnOnce(A)) {}

/// [`infer_1`] for a function that also takes a state.
pub fn infer_2<S, A>(_: &Arg<A>, _: impl FnOnce(S, A)) {}
