//! Groups of benchmarks as values, the older forms of Criterion 0.3.

use std::fmt::Debug;

use crate::bencher::Bencher;
use crate::benchmark_group::{address_of_body, body};
use crate::benchmark_id::BenchmarkId;
use crate::criterion::Criterion;
use crate::measurement::{Measurement, WallTime};
use crate::settings::group_settings_without_effect;
use crate::throughput::Throughput;

/// A value that [`Criterion::bench`] takes.
pub trait BenchmarkDefinition<M: Measurement = WallTime>: Sized {
    /// Adds the benchmarks.
    #[doc(hidden)]
    fn run(self, group_id: &str, criterion: &mut Criterion<M>);
}

/// One function of a [`ParameterizedBenchmark`].
pub struct Fun<I, M: Measurement = WallTime> {
    name: String,
    /// The address of its [`body`].
    address: usize,
    body: Body<I, M>,
}

type Body<I, M> = Box<dyn FnMut(&mut Bencher<'_, M>, &I)>;

impl<I, M: Measurement> Fun<I, M> {
    /// A function with this name.
    pub fn new<F>(name: &str, mut f: F) -> Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I) + 'static,
    {
        Self {
            name: name.to_owned(),
            address: address_of_body::<F, I, M>(),
            body: Box::new(move |bencher, input| body(&mut f, bencher, input)),
        }
    }
}

/// The work of a call on a parameter.
type Work<T> = Box<dyn Fn(&T) -> Throughput>;

/// Functions that are measured on each of some parameters.
pub struct ParameterizedBenchmark<T, M: Measurement = WallTime> {
    functions: Vec<Fun<T, M>>,
    parameters: Vec<T>,
    work: Option<Work<T>>,
}

impl<T, M: Measurement> ParameterizedBenchmark<T, M> {
    group_settings_without_effect! { self }

    /// A function on these parameters.
    pub fn new<S, F, I>(id: S, f: F, parameters: I) -> Self
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
        I: IntoIterator<Item = T>,
    {
        Self::of(Vec::new(), parameters.into_iter().collect()).with_function(id, f)
    }

    fn of(functions: Vec<Fun<T, M>>, parameters: Vec<T>) -> Self {
        Self { functions, parameters, work: None }
    }

    /// Adds a function on the same parameters.
    #[must_use]
    pub fn with_function<S, F>(mut self, id: S, f: F) -> Self
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
    {
        self.functions.push(Fun::new(&id.into(), f));
        self
    }

    /// Sets the work of one call on a parameter.
    #[must_use]
    pub fn throughput<F: Fn(&T) -> Throughput + 'static>(mut self, throughput: F) -> Self {
        self.work = Some(Box::new(throughput));
        self
    }

    /// Adds the benchmarks. Their names contain the parameter if there are several.
    fn add(self, group: &str, criterion: &mut Criterion<M>, shown: fn(&T) -> Option<String>) {
        let only = self.functions.len() == 1;
        let show = |parameter| if self.parameters.len() == 1 { None } else { shown(parameter) };
        let mut benchmarks = criterion.benchmark_group(group);
        for Fun { name, address, mut body } in self.functions {
            let function = Some(name).filter(|name| !(only && name == group));
            for parameter in &self.parameters {
                if let Some(work) = &self.work {
                    benchmarks.throughput(work(parameter));
                }
                let id = BenchmarkId { function: function.clone(), parameter: show(parameter) };
                benchmarks.add_body(address, id, parameter, &mut *body);
            }
        }
    }
}

impl<T: Debug, M: Measurement> BenchmarkDefinition<M> for ParameterizedBenchmark<T, M> {
    fn run(self, group_id: &str, criterion: &mut Criterion<M>) {
        self.add(group_id, criterion, |parameter| Some(format!("{parameter:?}")));
    }
}

/// Functions without a parameter.
pub struct Benchmark<M: Measurement = WallTime>(ParameterizedBenchmark<(), M>);

impl<M: Measurement> Benchmark<M> {
    group_settings_without_effect! { self }

    /// A function.
    pub fn new<S, F>(id: S, f: F) -> Self
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        Self(ParameterizedBenchmark::of(Vec::new(), vec![()])).with_function(id, f)
    }

    /// Adds a function.
    #[must_use]
    pub fn with_function<S, F>(self, id: S, mut f: F) -> Self
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        Self(self.0.with_function(id, move |bencher, ()| f(bencher)))
    }

    /// Sets the work of one call.
    #[must_use]
    pub fn throughput(self, throughput: Throughput) -> Self {
        Self(self.0.throughput(move |()| throughput.clone()))
    }
}

impl<M: Measurement> BenchmarkDefinition<M> for Benchmark<M> {
    fn run(self, group_id: &str, criterion: &mut Criterion<M>) {
        self.0.add(group_id, criterion, |()| None);
    }
}

impl<M: Measurement + 'static> Criterion<M> {
    /// Adds the benchmarks of a group.
    ///
    /// # Panics
    ///
    /// If the name of the group is empty, or if a benchmark calls this.
    pub fn bench<B: BenchmarkDefinition<M>>(&mut self, group_id: &str, benchmark: B) -> &mut Self {
        benchmark.run(group_id, self);
        self
    }

    /// Adds a benchmark on each of some inputs.
    ///
    /// # Panics
    ///
    /// If the name of the group is empty, or if a benchmark calls this.
    pub fn bench_function_over_inputs<I, F>(&mut self, id: &str, f: F, inputs: I) -> &mut Self
    where
        I: IntoIterator<Item: Debug>,
        F: FnMut(&mut Bencher<'_, M>, &I::Item) + 'static,
    {
        self.bench(id, ParameterizedBenchmark::new(id, f, inputs))
    }

    /// Adds benchmarks on one input.
    ///
    /// # Panics
    ///
    /// If the name of the group is empty, or if a benchmark calls this.
    pub fn bench_functions<I: Debug>(&mut self, id: &str, funs: Vec<Fun<I, M>>, input: I) -> &mut Self {
        self.bench(id, ParameterizedBenchmark::of(funs, vec![input]))
    }
}
