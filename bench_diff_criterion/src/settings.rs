//! Settings of Criterion without a counterpart here: they are accepted and have no effect.

/// The scale of an axis of a plot; has no effect.
#[derive(Clone, Copy, Debug, Default)]
pub enum AxisScale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic.
    Logarithmic,
}

/// The configuration of plots; has no effect.
#[derive(Clone, Debug, Default)]
pub struct PlotConfiguration(());

impl PlotConfiguration {
    /// Has no effect.
    #[must_use]
    pub fn summary_scale(self, _: AxisScale) -> Self {
        self
    }
}

/// How samples are taken; has no effect.
#[derive(Clone, Copy, Debug, Default)]
pub enum SamplingMode {
    /// Chosen by Criterion.
    #[default]
    Auto,
    /// Samples of a growing number of calls.
    Linear,
    /// Samples of one number of calls.
    Flat,
}

/// What draws plots; has no effect.
#[derive(Clone, Copy, Debug)]
pub enum PlottingBackend {
    /// Gnuplot.
    Gnuplot,
    /// The crate plotters.
    Plotters,
    /// Nothing.
    None,
}

/// Which benchmarks run; has no effect. In Criterion it is an enum of which nothing is ever matched, and one
/// variant holds a type of another crate.
#[derive(Clone, Debug)]
pub struct BenchmarkFilter(());

#[allow(non_snake_case, non_upper_case_globals, reason = "the names of variants")]
impl BenchmarkFilter {
    /// All.
    pub const AcceptAll: Self = Self(());
    /// None.
    pub const RejectAll: Self = Self(());

    /// Those that a regular expression matches.
    pub fn Regex<R>(_: R) -> Self {
        Self(())
    }

    /// The one of this name.
    #[must_use]
    pub fn Exact(_: String) -> Self {
        Self(())
    }
}

/// The use of a saved baseline; has no effect.
#[derive(Clone, Copy, Debug)]
pub enum Baseline {
    /// Compare.
    Compare,
    /// Compare where there is one.
    CompareLenient,
    /// Compare with one that has to be there.
    CompareStrict,
    /// Save.
    Save,
    /// Neither.
    Discard,
}

/// Declares methods that take the settings of Criterion and have no effect, of values or of references.
macro_rules! without_effect {
    (self: $($name:ident($($kind:ty),*))*) => {
        $(
            /// Has no effect.
            #[must_use]
            pub fn $name(self, $(_: $kind),*) -> Self {
                self
            }
        )*
    };
    (&mut self: $($name:ident($($kind:ty),*))*) => {
        $(
            /// Has no effect.
            pub fn $name(&mut self, $(_: $kind),*) -> &mut Self {
                self
            }
        )*
    };
}

/// [`without_effect!`] for the settings of a group of benchmarks.
macro_rules! group_settings_without_effect {
    ($($receiver:tt)+) => {
        $crate::settings::without_effect! { $($receiver)+:
            confidence_level(f64)
            measurement_time(std::time::Duration)
            noise_threshold(f64)
            nresamples(usize)
            plot_config($crate::PlotConfiguration)
            sample_size(usize)
            sampling_mode($crate::SamplingMode)
            significance_level(f64)
            warm_up_time(std::time::Duration)
        }
    };
}

pub(crate) use {group_settings_without_effect, without_effect};
