//! The outputs of functions.

use std::convert::Infallible;
use std::hint::black_box;

/// An output that may be a `Result`.
#[derive(Debug)]
pub struct Output<T>(pub T);

impl<T, E> Output<Result<T, E>> {
    /// Returns the value to compare: the `Ok` value of a `Result`, or else the output itself.
    ///
    /// # Errors
    ///
    /// The `Err` of the function.
    pub fn into_result(self) -> Result<T, E> {
        self.0
    }
}

/// An output that is not a `Result`.
pub trait PlainOutput {
    /// The output.
    type Value;

    /// See [`Output::into_result`].
    ///
    /// # Errors
    ///
    /// Never.
    fn into_result(self) -> Result<Self::Value, Infallible>;
}

impl<T> PlainOutput for Output<T> {
    type Value = T;

    fn into_result(self) -> Result<T, Infallible> {
        Ok(self.0)
    }
}

/// Stands for an output that cannot be kept until the slot is over. It has no `==`, since the output no
/// longer exists.
#[derive(Debug)]
pub struct Discarded;

/// Drops an output that cannot be kept until the slot is over.
pub fn discard<T>(output: T) -> Discarded {
    drop(black_box(output));
    Discarded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_result_can_be_an_error() {
        assert_eq!(Output("7".parse::<u8>()).into_result(), Ok(7));
        assert!(Output("x".parse::<u8>()).into_result().is_err());
        assert_eq!(Output(Some(7)).into_result(), Ok(Some(7)));
        assert_eq!(Output(()).into_result(), Ok(()));
    }
}
