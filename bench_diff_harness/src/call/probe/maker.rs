//! The makers of inputs, and digests of what they made, to find out whether two binaries have the same
//! inputs.

use crate::system::words::words;

words! {
    /// The option that makes a part of the functions' input.
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

/// A maker that the functions of a probe use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) maker: Maker,
    /// The address of its code.
    pub(crate) code: usize,
    /// The digest of its value, if it was requested and the value can be shown.
    pub(crate) digest: Option<u64>,
}

/// The makers of a pair, except `args`.
pub(crate) type Makers = [Option<Made>; 2];

impl Made {
    /// Makes a value to show it, if that is requested.
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

/// Makes an input. The code of each maker begins here, since this function is compiled for each of them.
#[inline(never)]
fn call<I>(make: impl FnOnce() -> I) -> I {
    make()
}
