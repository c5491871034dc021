//! A group of benchmarks, which registers them.

use std::any::type_name;

use bench_diff_harness::front_end::Probe;

use crate::bencher::Bencher;
use crate::benchmark_id::{BenchmarkId, IntoBenchmarkId};
use crate::criterion::Criterion;
use crate::measurement::{Measurement, WallTime};
use crate::registering::with_cases;
use crate::settings::group_settings_without_effect;
use crate::throughput::Throughput;

/// Benchmarks whose names begin with the name of the group.
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    criterion: &'a mut Criterion<M>,
    name: String,
    throughput: Option<Throughput>,
}

impl<M: Measurement> Criterion<M> {
    /// Starts a group of benchmarks.
    ///
    /// # Panics
    ///
    /// If the name is empty.
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        let name = group_name.into();
        assert!(!name.is_empty(), "Group name must not be empty.");
        BenchmarkGroup { criterion: self, name, throughput: None }
    }
}

impl<M: Measurement + 'static> Criterion<M> {
    /// Adds a benchmark.
    ///
    /// # Panics
    ///
    /// If the name is empty, or if a benchmark calls this.
    pub fn bench_function<F>(&mut self, id: &str, f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.benchmark_group(id).bench_function(BenchmarkId::of_group(), f);
        self
    }

    /// Adds a benchmark on an input.
    ///
    /// # Panics
    ///
    /// If the id is from [`BenchmarkId::from_parameter`] or has an empty name, or if a benchmark calls this.
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        let BenchmarkId { function, parameter } = id;
        let group = function.expect(
            "Cannot use BenchmarkId::from_parameter with Criterion::bench_with_input. \
             Consider using a BenchmarkGroup or BenchmarkId::new instead.",
        );
        self.benchmark_group(group).bench_with_input(BenchmarkId { function: None, parameter }, input, f);
        self
    }
}

impl<M: Measurement> BenchmarkGroup<'_, M> {
    group_settings_without_effect! { &mut self }

    /// Sets the work of one call for the benchmarks that are added after this.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// Adds a benchmark.
    ///
    /// # Panics
    ///
    /// If the id is an empty text, or if a benchmark calls this.
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.add(id.into_benchmark_id(), &(), |bencher, ()| f(bencher));
        self
    }

    /// Adds a benchmark on an input.
    ///
    /// # Panics
    ///
    /// If the id is an empty text, or if a benchmark calls this.
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(&mut self, id: ID, input: &I, f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.add(id.into_benchmark_id(), input, f);
        self
    }

    /// Ends the group, like dropping it.
    pub fn finish(self) {}

    fn add<F, I: ?Sized>(&self, id: BenchmarkId, input: &I, mut f: F)
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        let address = address_of_body::<F, I, M>();
        self.add_body(address, id, input, &mut |bencher, input| body(&mut f, bencher, input));
    }

    /// Adds a benchmark whose [`body`] has this address.
    pub(crate) fn add_body<I: ?Sized>(
        &self,
        address: usize,
        id: BenchmarkId,
        input: &I,
        body: &mut dyn FnMut(&mut Bencher<'_, M>, &I),
    ) {
        let measurement = &self.criterion.measurement;
        let run = |probe: &mut Probe<'_>| {
            if !measurement.__is_wall_time() {
                let measured = type_name::<M>();
                return probe
                    .refuse(format!("bench_diff measures wall-clock time, and this measures `{measured}`"));
            }
            if let Some(throughput) = &self.throughput {
                let (bytes, items) = throughput.work();
                probe.throughput(bytes, items);
            }
            body(&mut Bencher { probe: probe.reborrow(), measurement }, input);
        };
        with_cases(|cases| cases.add_named(&id.in_group(&self.name), address, run));
    }
}

/// The code of a single benchmark, by which two revisions are compared. It is never inlined into the target,
/// which contains all benchmarks.
#[inline(never)]
pub(crate) fn body<F, I: ?Sized, M: Measurement>(f: &mut F, bencher: &mut Bencher<'_, M>, input: &I)
where
    F: FnMut(&mut Bencher<'_, M>, &I),
{
    f(bencher, input);
}

/// The address of the [`body`] of a benchmark.
pub(crate) fn address_of_body<F, I: ?Sized, M: Measurement>() -> usize
where
    F: FnMut(&mut Bencher<'_, M>, &I),
{
    body::<F, I, M> as fn(&mut F, &mut Bencher<'_, M>, &I) as usize
}
