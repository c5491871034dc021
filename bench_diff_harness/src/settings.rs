//! The settings: every flag that has a twin in the environment, in one table.

use bench_diff_core::{Gate, JudgeKind};

use crate::defaults;
use crate::entry::PairOptions;
use crate::layouts::Layouts;

/// A flag with a twin in the environment.
pub(crate) struct Setting {
    /// The name of the flag.
    pub(crate) name: &'static str,
    /// What stands for its value in the help; none of a switch, which has no value.
    pub(crate) value: Option<&'static str>,
    pub(crate) heading: &'static str,
    pub(crate) help: &'static str,
    /// What goes without it, where there is something to say.
    pub(crate) default: Option<fn() -> String>,
    /// Whether an attribute says the same.
    pub(crate) in_attribute: fn(&PairOptions) -> bool,
    /// Whether a repetition of a run needs it.
    pub(crate) is_repeated: bool,
    /// The flag in short.
    pub(crate) letter: Option<char>,
}

impl Setting {
    pub(crate) const fn is_switch(&self) -> bool {
        self.value.is_none()
    }

    /// The name of the variable in the environment.
    pub(crate) fn twin(&self) -> String {
        format!("{PREFIX}{}", self.name.replace("-", "_").to_uppercase())
    }

    const fn new(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self {
            name,
            value: Some(value),
            heading: "",
            help,
            default: None,
            in_attribute: |_| false,
            is_repeated: false,
            letter: None,
        }
    }

    const fn switch(name: &'static str, help: &'static str) -> Self {
        Self { value: None, ..Self::new(name, "", help) }
    }

    /// Says how pairs are measured and judged.
    const fn judging(self) -> Self {
        Self { heading: "Measuring and judging", is_repeated: true, ..self }
    }

    /// Says how results are told.
    const fn telling(self) -> Self {
        Self { heading: "Reports", ..self }
    }

    /// Says what else is done with stored runs.
    const fn storing(self) -> Self {
        Self { heading: "Stored runs", ..self }
    }

    const fn or(self, default: fn() -> String) -> Self {
        Self { default: Some(default), ..self }
    }

    const fn attribute(self, in_attribute: fn(&PairOptions) -> bool) -> Self {
        Self { in_attribute, ..self }
    }
}

/// Variables with this prefix are settings.
pub(crate) const PREFIX: &str = "BENCH_DIFF_";

/// Every setting, in the order of the help.
pub(crate) const SETTINGS: [Setting; 28] = [
    Setting::new("judge", "NAME", "How the decision is made: sequential or welch")
        .judging()
        .or(|| defaults::JUDGE.name().to_owned())
        .attribute(|options| options.judge.is_some()),
    Setting::new("max-slowdown", "SHARE", "The gate of pairs gated by max_slowdown")
        .judging()
        .or(|| format!("{}%", defaults::GATE.margin().unwrap_or_default() * 100.0))
        .attribute(|options| matches!(options.gate, Some(Gate::MaxSlowdown(_)))),
    Setting::new("alpha", "RATE", "False failures, of one run of this binary")
        .judging()
        .or(|| defaults::ALPHA.to_string())
        .attribute(|options| options.alpha.is_some()),
    Setting::new("beta", "RATE", "False passes, of one pair")
        .judging()
        .or(|| defaults::BETA.to_string())
        .attribute(|options| options.beta.is_some()),
    Setting::new("max-time", "TIME", "sequential: after this, inconclusive")
        .judging()
        .or(|| format!("{:?}", defaults::MAX_TIME))
        .attribute(|options| options.max_time.is_some()),
    Setting::new("layouts", "LAYOUTS", "What a verdict is about: auto, all, linked or none")
        .judging()
        .or(|| Layouts::default().name().to_owned())
        .attribute(|options| options.layouts.is_some()),
    Setting::new("max-rounds", "ROUNDS", "sequential: after so many rounds, inconclusive")
        .judging()
        .or(|| defaults::MAX_ROUNDS.to_string()),
    Setting::new("slots", "SLOTS", "welch: slots of each function; an odd one is completed")
        .judging()
        .or(|| defaults::SLOTS.to_string())
        .attribute(|options| options.slots.is_some()),
    Setting::new("clock", "CLOCK", "What a slot is timed with: auto, wall or cpu")
        .judging()
        .or(|| defaults::CLOCK.name().to_owned())
        .attribute(|options| options.clock.is_some()),
    Setting::new("warmup", "TIME", "Run at least so long in every round before anything counts")
        .judging()
        .or(|| {
            let of = defaults::warmup;
            format!("{:?}, {:?} for welch", of(JudgeKind::Sequential), of(JudgeKind::Welch))
        })
        .attribute(|options| options.warmup.is_some()),
    Setting {
        is_repeated: false,
        ..Setting::new("seed", "HEX", "The seed of the coin that orders the slots")
            .judging()
            .or(|| "a new one".to_owned())
    },
    Setting::new("order", "ORDER", "coin or fixed; fixed is for study and never gates")
        .judging()
        .or(|| defaults::ORDER.name().to_owned()),
    Setting::switch("control", "Measure each baseline against itself as well, beside its pair").judging(),
    Setting::switch("isolate", "Give each pair a process of its own in every round").judging(),
    Setting::new("timeout", "TIME", "End the process of a pair that takes longer; the run goes on")
        .judging()
        .or(|| "none".to_owned()),
    Setting::switch("strict", "An inconclusive pair is a failure").judging(),
    Setting {
        is_repeated: false,
        ..Setting::switch("fail-fast", "Stop after the first pair that fails or cannot be measured").judging()
    },
    Setting::new("format", "FORMAT", "What is printed: pretty, terse, json, junit or bencher")
        .telling()
        .or(|| "pretty".to_owned()),
    Setting {
        letter: Some('v'),
        ..Setting::switch("verbose", "Show with each pair what is proven, from how much, and every note")
            .telling()
    },
    Setting::new("json", "PATH", "Write the records to a file, one JSON object a line").telling(),
    Setting::new("junit", "PATH", "Write a JUnit report").telling(),
    Setting::new("markdown", "PATH", "Write a table in markdown").telling(),
    Setting::new("csv", "PATH", "Write the raw slots").telling(),
    Setting::new("bencher", "PATH", "Write the metrics of Bencher, bencher.dev").telling(),
    Setting::new("github", "WHEN", "Annotate the source and write the step summary: auto, always or never")
        .telling()
        .or(|| "auto, where GITHUB_ACTIONS is true".to_owned()),
    Setting::new("dir", "PATH", "Where the runs of all packages are stored")
        .storing()
        .or(|| "bench_diff in the target directory".to_owned()),
    Setting::new("replay", "PATH", "Judge a stored run again, measure nothing").storing(),
    Setting::new("merge", "DIR", "Join the records below a folder into one report and one exit code")
        .storing(),
];
