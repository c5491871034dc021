//! How long a run waits for another one, and what it reports meanwhile.

use std::time::{Duration, Instant};

use crate::system::holder::Holder;
use crate::system::text::counted;

/// The longest times that a run waits for one lock holder. In a long queue, it waits for many holders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For a holder that makes progress, or does not report any.
    pub(super) longest: Duration,
    /// For a holder that may hang.
    pub(super) doubtful: Duration,
    /// Without a step for this time, a holder may hang.
    pub(super) step: Duration,
}

impl Patience {
    pub(crate) const OF_RUNS: Self = Self {
        longest: Duration::from_secs(10 * 60),
        doubtful: Duration::from_secs(60),
        step: Duration::from_secs(10),
    };
}

/// The wait of a run.
pub(super) struct Wait {
    patience: Patience,
    seen: Option<Seen>,
    has_said_whom: bool,
}

/// A holder as it was last seen.
struct Seen {
    holder: Holder,
    /// When it was first seen.
    since: Instant,
    /// When it was first seen at this step.
    since_step: Instant,
    has_said_doubt: bool,
}

impl Wait {
    pub(super) fn new(patience: Patience) -> Self {
        Self { patience, seen: None, has_said_whom: false }
    }

    /// Records the current holder, and reports any news about it.
    ///
    /// # Errors
    ///
    /// If the run has waited long enough.
    pub(super) fn look(
        &mut self,
        holder: Holder,
        is_orphan: bool,
        now: Instant,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let Patience { longest, doubtful, step } = self.patience;
        let former = self.seen.take().filter(|seen| !holder.is_other_than(&seen.holder));
        let mut seen = former.unwrap_or_else(|| Seen {
            holder: holder.clone(),
            since: now,
            since_step: now,
            has_said_doubt: false,
        });
        if holder != seen.holder {
            (seen.holder, seen.since_step) = (holder, now);
        }
        let (waited, idle) = (now - seen.since, now - seen.since_step);
        let doubt = if is_orphan {
            Some((waited, "runs on although the process that started it has ended".to_owned()))
        } else {
            (seen.holder.has_steps() && idle >= step)
                .then(|| (idle, format!("has made no progress for {} s", idle.as_secs())))
        };
        let name = seen.holder.name();
        match doubt {
            Some((time, doubt)) => {
                let way_out = seen.holder.way_out();
                if time >= doubtful || waited >= longest {
                    return Err(format!("{name} {doubt}; {MEANWHILE}{way_out}"));
                }
                if !seen.has_said_doubt {
                    (self.has_said_whom, seen.has_said_doubt) = (true, true);
                    say(&format!(
                        "{name}, which measures on this machine, {doubt}: waiting for up to {}{way_out}",
                        minutes(doubtful)
                    ));
                }
            }
            None if waited >= longest => {
                return Err(format!("{name} still measures after {}; {MEANWHILE}", minutes(longest)));
            }
            None if !self.has_said_whom => {
                self.has_said_whom = true;
                let longest = minutes(longest);
                say(&format!("waiting for {name}, which measures on this machine, for up to {longest}"));
            }
            None => {}
        }
        self.seen = Some(seen);
        Ok(())
    }
}

const MEANWHILE: &str = "this run measures at the same time, which adds noise";

fn minutes(time: Duration) -> String {
    counted((time.as_secs() / 60) as usize, "minute")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message, and the second at which it is reported.
    type Message = (u64, String);

    /// The messages about holders that are seen at these seconds, and when the wait ends.
    fn messages(seen: impl Iterator<Item = (u64, Holder, bool)>) -> (Vec<Message>, Option<Message>) {
        let (mut wait, start, mut messages) = (Wait::new(Patience::OF_RUNS), Instant::now(), Vec::new());
        for (second, holder, is_orphan) in seen {
            let now = start + Duration::from_secs(second);
            let end = wait.look(holder, is_orphan, now, &mut |text| messages.push((second, text.to_owned())));
            if let Err(end) = end {
                return (messages, Some((second, end)));
            }
        }
        (messages, None)
    }

    const WHO: &str = "process 7 (bench sorting)";
    const MEASURES: &str = "process 7 (bench sorting), which measures on this machine,";

    #[test]
    fn a_holder_with_progress_has_ten_minutes() {
        let (reported, end) =
            messages((0..).map(|second| (second, Holder::of(WHO, &second.to_string()), false)));
        assert_eq!(reported, [(0, format!("waiting for {MEASURES} for up to 10 minutes"))]);
        assert_eq!(end.unwrap(), (600, format!("{WHO} still measures after 10 minutes; {MEANWHILE}")));
        // A holder that compiles first, or that runs an older version, reports no progress.
        let (reported, end) = messages((0..).map(|second| (second, Holder::of(WHO, ""), false)));
        assert_eq!((reported.len(), end.unwrap().0), (1, 600));
        let (reported, end) = messages((0..).map(|second| (second, Holder::default(), false)));
        assert!(reported[0].1.starts_with("waiting for another process, which measures "), "{reported:?}");
        assert_eq!(end.unwrap().0, 600);
    }

    #[test]
    fn a_holder_without_progress_is_reported_within_seconds_and_has_a_minute() {
        // It makes steps until second 100.
        let holder = |second: u64| Holder::of(WHO, &second.min(100).to_string());
        let (reported, end) = messages((0..).map(|second| (second, holder(second), false)));
        let hangs =
            format!("{MEASURES} has made no progress for 10 s: waiting for up to 1 minute; `kill 7` ends it");
        assert_eq!(reported[1..], [(110, hangs)]);
        let over = format!("{WHO} has made no progress for 60 s; {MEANWHILE}; `kill 7` ends it");
        assert_eq!(end.unwrap(), (160, over));
    }

    #[test]
    fn an_orphan_is_reported_immediately_and_has_a_minute() {
        let (reported, end) =
            messages((0..).map(|second| (second, Holder::of(WHO, &second.to_string()), second >= 5)));
        let orphan = "runs on although the process that started it has ended";
        let hangs = format!("{MEASURES} {orphan}: waiting for up to 1 minute; `kill 7` ends it");
        assert_eq!(reported[1..], [(5, hangs)]);
        assert_eq!(end.unwrap(), (60, format!("{WHO} {orphan}; {MEANWHILE}; `kill 7` ends it")));
    }

    #[test]
    fn the_next_holder_has_its_own_time() {
        let holder = |second: u64| Holder::of(if second < 50 { WHO } else { "process 8 (bench b)" }, "1");
        let (reported, end) = messages((0..).map(|second| (second, holder(second), false)));
        assert_eq!(reported.iter().map(|(second, _)| *second).collect::<Vec<_>>(), [0, 10, 60]);
        assert_eq!(end.unwrap().0, 110);
    }
}
