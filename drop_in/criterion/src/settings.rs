//! Settings of Criterion without a counterpart here. They are accepted and have no effect.

/// The scale of an axis of a plot. It has no effect.
#[derive(Clone, Copy, Debug, Default)]
pub enum AxisScale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic.
    Logarithmic,
}

/// The configuration of plots. It has no effect.
#[derive(Clone, Debug, Default)]
pub struct PlotConfiguration(());

impl PlotConfiguration {
    /// Has no effect.
    #[must_use]
    pub fn summary_scale(self, _: AxisScale) -> Self {
        self
    }
}

/// How samples are taken. It has no effect.
#[derive(Clone, Copy, Debug, Default)]
pub enum SamplingMode {
    /// Chosen by Criterion.
    #[default]
    Auto,
    /// Samples with a growing number of calls.
    Linear,
    /// Samples with the same number of calls.
    Flat,
}

/// The library that draws plots. It has no effect.
#[derive(Clone, Copy, Debug)]
pub enum PlottingBackend {
    /// Gnuplot.
    Gnuplot,
    /// The crate plotters.
    Plotters,
    /// No plots.
    None,
}

/// Declares methods that take the settings of Criterion and have no effect. `self` is passed by value or by
/// reference.
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
