//! Which function is called first in a process.

use bench_diff_core::Seed;

/// The function that chance lets go first: it finds the memory, the caches and the predictors of a fresh
/// process as they are, and the other one finds what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    Candidate,
    Baseline,
}

impl First {
    pub(crate) fn by(seed: Seed) -> Self {
        if seed.candidate_is_first() { Self::Candidate } else { Self::Baseline }
    }

    /// The other function.
    pub(in crate::call) fn other(self) -> Self {
        match self {
            Self::Candidate => Self::Baseline,
            Self::Baseline => Self::Candidate,
        }
    }

    /// What candidate and baseline get of two, of which one was made before the other.
    pub(super) fn share<T>(self, earlier: T, later: T) -> (T, T) {
        match self {
            Self::Candidate => (earlier, later),
            Self::Baseline => (later, earlier),
        }
    }

    /// What candidate and baseline return, called one after the other.
    pub(in crate::call) fn call<C, B>(
        self,
        candidate: impl FnOnce() -> C,
        baseline: impl FnOnce() -> B,
    ) -> (C, B) {
        match self {
            Self::Candidate => {
                let candidate = candidate();
                (candidate, baseline())
            }
            Self::Baseline => {
                let baseline = baseline();
                (candidate(), baseline)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn chance_lets_one_function_go_first() {
        let called = |first: First| {
            let order = RefCell::new(String::new());
            let results = first.call(|| order.borrow_mut().push('c'), || order.borrow_mut().push('b'));
            assert_eq!(results, ((), ()));
            order.into_inner()
        };
        assert_eq!((called(First::Candidate), called(First::Baseline)), ("cb".to_owned(), "bc".to_owned()));
        assert_eq!((First::Candidate.share(1, 2), First::Baseline.share(1, 2)), ((1, 2), (2, 1)));
        let candidates = (0..1000).filter(|seed| First::by(Seed(*seed)) == First::Candidate).count();
        assert!((400..600).contains(&candidates), "{candidates}");
    }
}
