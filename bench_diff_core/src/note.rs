//! Remarks on a judgement.

use std::fmt;
use std::time::Duration;

use crate::units::with_blank;

/// Something that a reader of a judgement should know, present only where it matters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// Both functions are one piece of code, so that their ratio is 1 whatever was measured.
    OneFunction,
    /// Far more contrasts than usual are so far out that the judge counts only their direction.
    ManyOutliers {
        /// Their share; 0.13 of normal noise.
        share: f64,
    },
    /// Neighbouring duos resemble each other, so the difference of the functions changed while they were
    /// measured.
    Correlated {
        /// The correlation of each clipped contrast with the next.
        autocorrelation: f64,
    },
    /// One function suffers more than the other from running after the other one (Hills & Armitage 1979, "The
    /// two-period cross-over clinical trial"). No order of the slots removes it.
    CarryOver {
        /// The cost to the candidate of running after the baseline instead of after itself, less what the
        /// baseline pays for running after the candidate, on the scale of logarithms.
        difference: f64,
    },
    /// Undecided because calling takes too much of the time of a call: it hides so much of a difference that
    /// what was measured may come from functions that keep the gate and from functions that break it.
    TooShort {
        /// The function whose calls are too short: the baseline where the gate is against being slower, the
        /// candidate where it is against being faster.
        which: Which,
        /// The time of a call of it, in nanoseconds.
        call: f64,
        /// The part of it that may be the cost of calling, in nanoseconds.
        overhead: f64,
        /// The time of a call that this gate needs, in nanoseconds.
        needed: f64,
    },
    /// A function takes no longer than one that does nothing.
    Empty {
        /// Which of the two.
        which: Which,
    },
    /// Undecided because rounds lie too far from each other.
    RoundsDiffer {
        /// The rounds that there were.
        rounds: usize,
        /// Between what nine of ten of them lie, on the scale of logarithms.
        low: f64,
        /// The other end.
        high: f64,
        /// Set if they were all that there may be; else the time ended them.
        all: bool,
    },
    /// Undecided because the candidate lies between what passes and what fails, as far as rounds tell.
    InsideZoneOfRounds {
        /// The rounds that there were.
        rounds: usize,
    },
    /// The tail is undecided.
    TailUndecided {
        /// The rounds that there were.
        rounds: usize,
        /// The slow calls in them, of both functions.
        slow_calls: u64,
        /// The rounds of this kind that would decide it, as far as these tell; none where they point nowhere.
        needed: Option<usize>,
    },
    /// Undecided because of the noise.
    TooNoisy {
        /// The [`max_time`](crate::Plan::max_time) that decides a pair like this in 95 % of runs.
        needed: Duration,
    },
    /// Undecided because the candidate lies between what passes and what fails.
    InsideZone {
        /// The [`max_time`](crate::Plan::max_time) that decides a pair like this in 95 % of runs.
        needed: Duration,
    },
}

/// One of the functions of a pair, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The candidate.
    Candidate,
    /// The baseline.
    Baseline,
    /// Both of them.
    Both,
    /// The only one, where there is no baseline.
    Only,
}

impl Note {
    /// Returns whether it says what would decide a pair that is undecided.
    #[must_use]
    pub fn says_what_is_needed(&self) -> bool {
        matches!(
            self,
            Self::TooNoisy { .. }
                | Self::InsideZone { .. }
                | Self::RoundsDiffer { .. }
                | Self::InsideZoneOfRounds { .. }
                | Self::TailUndecided { .. }
        )
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OneFunction => f.write_str("both functions are the same machine code, so their ratio is 1"),
            Self::ManyOutliers { share } => write!(
                f,
                "{:.0} % of the duos are outliers, where 13 % are usual: the machine is busy, or a function has two speeds",
                100.0 * share
            ),
            Self::Correlated { autocorrelation } => write!(
                f,
                "neighboring duos are correlated ({autocorrelation:.2}): the ratio changed during the run"
            ),
            Self::CarryOver { difference } => {
                let (sufferer, other) =
                    if difference > 0.0 { ("candidate", "baseline") } else { ("baseline", "candidate") };
                write!(
                    f,
                    "running after the other function costs the {sufferer} {:.1} % more than the {other}: the ratio \
                     is that of alternating calls",
                    100.0 * difference.abs().exp_m1()
                )
            }
            Self::TooShort { which, call, overhead, needed } => write!(
                f,
                "do more work in one call, or allow a wider margin: this gate needs calls of at least {needed:.1} ns, and \
                 one of the {} takes {call:.1} ns, up to {overhead:.1} ns of it the cost of calling",
                match which {
                    Which::Candidate => "candidate",
                    Which::Baseline | Which::Both | Which::Only => "baseline",
                }
            ),
            Self::Empty { which } => {
                let functions = match which {
                    Which::Candidate => "the candidate takes",
                    Which::Baseline => "the baseline takes",
                    Which::Both => "candidate and baseline take",
                    Which::Only => "it takes",
                };
                write!(
                    f,
                    "do more work in one call: {functions} no longer than a function that does nothing, so the compiler \
                     removed the work (see std::hint::black_box), or the processor overlaps it with the next call"
                )
            }
            Self::RoundsDiffer { rounds, low, high, all } => {
                let [low, high] = [low, high].map(|end| 100.0 * end.exp_m1());
                let more = if all { "more rounds" } else { "a longer max_time" };
                write!(
                    f,
                    "{rounds} rounds did not decide: nine of ten saw a change from {low:+.1} % to {high:+.1} %; {more} \
                     or a wider margin may decide"
                )
            }
            Self::InsideZoneOfRounds { rounds } => write!(
                f,
                "{rounds} rounds did not decide: the ratio is so close to the margin that a pass and a failure are both \
                 right; another margin may decide"
            ),
            Self::TailUndecided { rounds, slow_calls, needed } => {
                write!(f, "{rounds} rounds with {slow_calls} slow calls did not decide its tail")?;
                match needed {
                    Some(needed) => {
                        write!(f, "; about {needed} rounds like these would: raise max_rounds and max_time")
                    }
                    None => f.write_str(", and more of them may not either: another max_tail may"),
                }
            }
            Self::TooNoisy { needed } => {
                let needed = with_blank(&format!("{needed:.1?}"));
                write!(
                    f,
                    "there was too much noise to decide in time: max_time = {needed} is enough in 95 % of runs"
                )
            }
            Self::InsideZone { needed } => write!(
                f,
                "the ratio is so close to the margin that a pass and a failure are both right: another margin decides, \
                 or max_time = {} in 95 % of runs",
                with_blank(&format!("{needed:.1?}"))
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences() {
        let needed = Duration::from_millis(4210);
        for (note, start) in [
            (Note::OneFunction, "both functions are the same machine code, so their ratio is 1"),
            (Note::ManyOutliers { share: 0.414 }, "41 % of the duos are outliers"),
            (Note::Correlated { autocorrelation: 0.456 }, "neighboring duos are correlated (0.46)"),
            (
                Note::CarryOver { difference: 0.02 },
                "running after the other function costs the candidate 2.0 % more than the baseline",
            ),
            (
                Note::CarryOver { difference: -0.02 },
                "running after the other function costs the baseline 2.0 % more than the candidate",
            ),
            (
                Note::TooShort { which: Which::Baseline, call: 1.9, overhead: 1.6, needed: 2.4 },
                "do more work in one call, or allow a wider margin: this gate needs calls of at least 2.4 ns, and one of \
                 the baseline takes 1.9 ns, up to 1.6 ns of it the cost of calling",
            ),
            (
                Note::Empty { which: Which::Candidate },
                "do more work in one call: the candidate takes no longer than a function that does nothing, so the \
                 compiler removed the work (see std::hint::black_box), or the processor overlaps it with the next call",
            ),
            (
                Note::Empty { which: Which::Baseline },
                "do more work in one call: the baseline takes no longer",
            ),
            (
                Note::Empty { which: Which::Both },
                "do more work in one call: candidate and baseline take no longer",
            ),
            (
                Note::TailUndecided { rounds: 12, slow_calls: 31, needed: Some(60) },
                "12 rounds with 31 slow calls did not decide its tail; about 60 rounds like these would",
            ),
            (
                Note::TailUndecided { rounds: 12, slow_calls: 0, needed: None },
                "12 rounds with 0 slow calls did not decide its tail, and more of them",
            ),
            (
                Note::RoundsDiffer { rounds: 40, low: -0.01, high: 0.05, all: true },
                "40 rounds did not decide: nine of ten saw a change from -1.0 % to +5.1 %; more rounds or a wider margin",
            ),
            (Note::TooNoisy { needed }, "there was too much noise to decide in time: max_time = 4.2 s is"),
            (
                Note::InsideZone { needed },
                "the ratio is so close to the margin that a pass and a failure are both right",
            ),
        ] {
            assert!(note.to_string().starts_with(start), "{note}");
        }
    }
}
