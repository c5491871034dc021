//! Settings with a few values: where functions lie, and when something is done.

use bench_diff_system::words;

use crate::settings::environment::Environment;

words! {
    /// The layouts of the bench binary in which the rounds of a pair run.
    #[derive(Default)]
    pub enum Layouts {
        /// Each round in its own layout if the bench binary can be linked again, else in it as linked.
        #[default]
        Auto = "auto",
        /// Each round in its own layout; it is an error if the bench binary cannot be linked again.
        All = "all",
        /// In the bench binary as linked, so that the addresses are a part of the ratio.
        Linked = "linked",
        /// In one process, whose duos are judged one by one.
        None = "none",
    }
}

words! {
    /// When to color the output, or to report to a job.
    #[derive(Default)]
    pub(crate) enum When {
        /// Whenever it makes sense: colors on a terminal that has them, reports in a job.
        #[default]
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

impl When {
    /// Returns whether to do it now, given whether it makes sense now.
    pub(crate) fn is_now(self, makes_sense: bool) -> bool {
        self == Self::Always || self == Self::Auto && makes_sense
    }

    /// When to color the output, by the usual environment variables.
    pub(super) fn colors(environment: &Environment) -> Self {
        let forced = |name: &str| environment.get(name).is_some_and(|value| value != "0");
        if environment.get("NO_COLOR").is_some() {
            Self::Never
        } else if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") {
            Self::Always
        } else if environment.get("CLICOLOR").is_some_and(|value| value == "0") {
            Self::Never
        } else {
            // A wrong value is for cargo to report.
            let cargo = environment.get("CARGO_TERM_COLOR");
            cargo.and_then(|value| Self::read(value).ok()).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::When;

    #[test]
    fn only_auto_asks_whether_it_makes_sense() {
        let is_now = |when: When| [true, false].map(|makes_sense| when.is_now(makes_sense));
        assert_eq!(
            [When::Auto, When::Always, When::Never].map(is_now),
            [[true, false], [true; 2], [false; 2]]
        );
    }
}
