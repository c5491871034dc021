//! The makers of inputs: what they made, for those that want to know whether two programs have the same.

use crate::system::words::words;

words! {
    /// The option that makes a part of what functions work on.
    #[derive(Hash)]
    pub enum Maker {
        /// The values of `args`.
        Args = "args",
        /// The state of `setup_once`.
        SetupOnce = "setup_once",
        /// The input of `setup`.
        Setup = "setup",
    }
}

/// A maker of the functions of a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) maker: Maker,
    /// The address of its code.
    pub(crate) code: usize,
    /// The digest of what it makes, where that was asked for and can be shown.
    pub(crate) digest: Option<u64>,
}

/// The makers of a pair, without `args`.
pub(crate) type Makers = [Option<Made>; 2];

impl Made {
    /// Has something made and shown, if that is asked for.
    pub(super) fn of<I, M: FnOnce() -> I>(
        maker: Maker,
        make: M,
        digest: impl FnOnce(&I) -> Option<u64>,
        is_shown: bool,
    ) -> Self {
        let call: fn(M) -> I = call;
        let digest = if is_shown { digest(&call(make)) } else { None };
        Self { maker, code: call as usize, digest }
    }
}

/// Makes an input: the code of each maker begins here, compiled for it.
#[inline(never)]
fn call<I>(make: impl FnOnce() -> I) -> I {
    make()
}
