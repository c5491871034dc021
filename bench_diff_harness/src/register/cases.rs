//! The pairs of one attribute.

use std::rc::Rc;

use bench_diff_core::Gate;

use super::names::{printable, unique};
use crate::call::probe::Probe;
use crate::settings::defaults;

/// A registered pair and its name.
#[derive(Clone)]
pub(crate) struct RegisteredPair {
    pub(crate) name: String,
    /// The name without the number by which it differs from others of the same attribute.
    pub(crate) label: String,
    pub(crate) arg: Option<String>,
    /// The digest of the whole arg, if it was to be shown and can be.
    pub(crate) arg_digest: Option<u64>,
    /// The number of threads that call the functions.
    pub(crate) threads: usize,
    /// The gate of this arg, where it depends on that.
    pub(crate) gate: Option<Gate>,
    /// The function that measures it, or the reason if nothing can.
    pub(crate) run: Result<MeasurePair, String>,
    /// The function that made all pairs of its attribute, with everything that they are made of.
    pub(crate) cases: fn(&mut Cases),
}

/// The closure that measures a pair.
pub(crate) type MeasurePair = Rc<dyn Fn(&mut Probe<'_>)>;

/// Collects the pairs of an attribute: one for every combination of its types, consts, args and numbers of
/// threads.
pub struct Cases {
    /// The name of the functions.
    function: String,
    /// That with the types and consts of the pairs that are added.
    instance: String,
    threads: Vec<usize>,
    /// True if args are shown.
    shows_args: bool,
    /// The digest of the arg that is added next.
    arg_digest: Option<u64>,
    pairs: Vec<RegisteredPair>,
    cases: fn(&mut Cases),
}

impl Cases {
    /// Of functions of this name, before any is added.
    pub(super) fn new(function: String, cases: fn(&mut Cases), shows_args: bool) -> Self {
        let (instance, threads, pairs) = (function.clone(), Vec::new(), Vec::new());
        Self { function, instance, threads, shows_args, arg_digest: None, pairs, cases }
    }

    /// Sets the types and consts of the pairs that are added from here on.
    pub fn instance(&mut self, labels: &[String]) {
        let labels: Vec<String> = labels.iter().map(|label| printable(label)).collect();
        self.instance = format!("{}<{}>", self.function, labels.join(","));
    }

    /// Sets the numbers of threads: every pair that is added becomes one pair for each number.
    pub fn threads(&mut self, threads: &[usize]) {
        self.threads = threads.to_vec();
    }

    /// Adds a pair.
    pub fn add(&mut self, run: impl Fn(&mut Probe<'_>) + 'static) {
        let run: MeasurePair = Rc::new(run);
        self.push(self.instance.clone(), None, &run);
    }

    /// Shows the arg of the pair that is added next, where args are shown.
    pub fn show_arg(&mut self, digest: impl FnOnce() -> Option<u64>) {
        self.arg_digest = if self.shows_args { digest() } else { None };
    }

    /// Adds the pair of an arg.
    pub fn add_arg(&mut self, label: String, run: impl Fn(&mut Probe<'_>) + 'static) {
        let run: MeasurePair = Rc::new(run);
        self.push(format!("{}/{}", self.instance, printable(&label)), Some(label), &run);
    }

    /// Sets the gate of the pair that was added last: `max_slowdown = function`.
    pub fn max_slowdown(&mut self, share: f64) {
        self.gate(Gate::MaxSlowdown, share, defaults::MARGIN);
    }

    /// Sets the gate of the pair that was added last: `min_speedup = function`.
    pub fn min_speedup(&mut self, times: f64) {
        self.gate(Gate::MinSpeedup, times, 1.0);
    }

    /// Sets the gate of the pair that was added last: `max_difference = function`.
    pub fn max_difference(&mut self, share: f64) {
        self.gate(Gate::MaxDifference, share, defaults::MARGIN);
    }

    fn push(&mut self, name: String, arg: Option<String>, run: &MeasurePair) {
        let pair = RegisteredPair {
            label: String::new(),
            name,
            arg,
            arg_digest: self.arg_digest.take(),
            threads: 1,
            gate: None,
            run: Ok(Rc::clone(run)),
            cases: self.cases,
        };
        for &threads in &self.threads {
            let name = format!("{}/threads={threads}", pair.name);
            let run = Rc::clone(run);
            let run = move |probe: &mut Probe<'_>| {
                probe.set_threads(threads);
                run(probe);
            };
            self.pairs.push(RegisteredPair { name, threads, run: Ok(Rc::new(run)), ..pair.clone() });
        }
        if self.threads.is_empty() {
            self.pairs.push(pair);
        }
    }

    /// With a margin that no gate has, nothing can measure the pair, whose record has the other one.
    fn gate(&mut self, gate: fn(f64) -> Gate, margin: f64, instead: f64) {
        let is_valid = margin > 0.0 && margin.is_finite();
        let gate = gate(if is_valid { margin } else { instead });
        let added_last = self.threads.len().max(1);
        let before = self.pairs.len().saturating_sub(added_last);
        for pair in &mut self.pairs[before..] {
            pair.gate = Some(gate);
            if !is_valid {
                let name = gate.name();
                pair.run =
                    Err(format!("`{name}` of this arg is {margin}, and it must be finite and above 0"));
            }
        }
    }

    /// The pairs, each with a name of its own.
    pub(super) fn into_pairs(mut self) -> Vec<RegisteredPair> {
        let labels: Vec<String> = self.pairs.iter().map(|pair| pair.name.clone()).collect();
        let names = unique(&labels);
        for (pair, (label, name)) in self.pairs.iter_mut().zip(labels.into_iter().zip(names)) {
            (pair.label, pair.name) = (label, name);
        }
        self.pairs
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
