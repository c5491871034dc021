//! Remarks on a judgement.

use std::fmt;
use std::time::Duration;

/// Something that the reader of a judgement should know. A note is present only if it matters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// Both functions have identical machine code, so their ratio is 1 whatever was measured.
    OneFunction,
    /// Undecided because the cost of calling is a large part of each call. It hides so much of a difference
    /// that the measurement fits both functions that keep the gate and functions that break it.
    TooShort {
        /// The function whose calls are too short: the baseline if the gate is against being slower, the
        /// candidate if it is against being faster.
        which: Which,
        /// The time of one of its calls, in nanoseconds.
        call: f64,
        /// The part of that time that may be the cost of calling, in nanoseconds.
        overhead: f64,
        /// The time of a call that the gate needs, in nanoseconds.
        needed: f64,
    },
    /// A function takes no longer than an empty one.
    Empty {
        /// The function.
        which: Which,
    },
    /// Undecided because the contrasts scatter too much.
    Differ {
        /// The number of contrasts.
        count: usize,
        /// The kind of evidence: `rounds` or `measurements`.
        of: &'static str,
        /// The lower end of the range of the contrasts, on the scale of logarithms: without the smallest and
        /// the largest 5 %, rounded down, so that fewer than 20 contrasts all count.
        low: f64,
        /// The upper end.
        high: f64,
        /// What may still decide.
        needed: Needed,
    },
    /// The typical call keeps the gate, but the mean of all calls does not.
    OnAverage {
        /// ln(mean call of the candidate / mean call of the baseline).
        change: f64,
    },
}

/// What may decide a pair whose contrasts scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// A longer [`max_time`](crate::Plan::max_time).
    MoreTime,
    /// More [rounds](crate::Plan::max_rounds).
    MoreRounds,
    /// This `max_time`, if further contrasts are like those so far.
    Time(Duration),
    /// Another limit: with rounds like those so far, the maximum number of rounds does not decide.
    Limit,
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoreTime => f.write_str("a longer max_time or a wider limit may decide"),
            Self::MoreRounds => f.write_str("more rounds or a wider limit may decide"),
            Self::Time(time) => {
                write!(f, "max_time = {:.1} s may decide, or a wider limit", time.as_secs_f64())
            }
            Self::Limit => f.write_str("more time may not decide, but a wider limit may"),
        }
    }
}

/// One of the functions of a pair, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The candidate.
    Candidate,
    /// The baseline.
    Baseline,
    /// Both.
    Both,
    /// The only function, which has no baseline.
    Only,
}

impl Note {
    /// Returns whether the note says that more rounds, more time or another limit may decide the pair.
    #[must_use]
    pub fn says_what_is_needed(&self) -> bool {
        matches!(self, Self::Differ { .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OneFunction => {
                f.write_str("both functions have identical machine code, so their ratio is 1")
            }
            Self::TooShort { which, call, overhead, needed } => write!(
                f,
                "do more work in one call, or set a wider limit: this limit needs calls of at least {needed:.1} ns, and a \
                 call of the {} takes {call:.1} ns, up to {overhead:.1} ns of it overhead of the call",
                match which {
                    Which::Candidate => "candidate",
                    Which::Baseline | Which::Both | Which::Only => "baseline",
                }
            ),
            Self::Empty { which } => {
                let functions = match which {
                    Which::Candidate => "the candidate takes",
                    Which::Baseline => "the baseline takes",
                    Which::Both => "both functions take",
                    Which::Only => "it takes",
                };
                write!(
                    f,
                    "do more work in one call: {functions} no longer than a function that does nothing, so the compiler \
                     removed the work (see std::hint::black_box), or the processor overlaps it with the next call"
                )
            }
            Self::Differ { count, of, low, high, needed } => {
                let [low, high] = [low, high].map(|end| 100.0 * end.exp_m1());
                write!(
                    f,
                    "undecided after {count} {of}: 90 % of them measured between {low:+.1} % and {high:+.1} %; {needed}"
                )
            }
            Self::OnAverage { change } => {
                let which = if change > 0.0 { "longer" } else { "less" };
                write!(
                    f,
                    "calls take {:.0} % {which} on average, but a typical call does not: a few calls are much slower than \
                     the others",
                    100.0 * change.exp_m1().abs()
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences() {
        for (note, start) in [
            (Note::OneFunction, "both functions have identical machine code, so their ratio is 1"),
            (
                Note::TooShort { which: Which::Baseline, call: 1.9, overhead: 1.6, needed: 2.4 },
                "do more work in one call, or set a wider limit: this limit needs calls of at least 2.4 ns, and a call of \
                 the baseline takes 1.9 ns, up to 1.6 ns of it overhead of the call",
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
            (Note::Empty { which: Which::Both }, "do more work in one call: both functions take no longer"),
            (
                Note::OnAverage { change: 0.4055 },
                "calls take 50 % longer on average, but a typical call does not: a few calls are much slower",
            ),
            (
                Note::Differ { count: 40, of: "rounds", low: -0.01, high: 0.05, needed: Needed::MoreRounds },
                "undecided after 40 rounds: 90 % of them measured between -1.0 % and +5.1 %; more rounds or a wider limit",
            ),
        ] {
            assert!(note.to_string().starts_with(start), "{note}");
        }
    }
}
