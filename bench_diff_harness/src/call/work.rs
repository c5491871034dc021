//! The work of one call, which reports show as a rate.

use std::fmt::Display;

/// The work of one call, as given in the attribute of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Work {
    pub(crate) bytes: Option<u64>,
    pub(crate) items: Option<u64>,
}

impl Work {
    /// Checks the values of `bytes` and `items`.
    ///
    /// # Errors
    ///
    /// If one of the two is less than 1 or more than 2^64 - 1.
    pub(crate) fn new(bytes: Option<Amount>, items: Option<Amount>) -> Result<Self, String> {
        let checked =
            |option, amount: Option<Amount>| amount.map(|amount| amount.checked(option)).transpose();
        Ok(Self { bytes: checked("bytes", bytes)?, items: checked("items", items)? })
    }

    /// These amounts; 0 means that there is none.
    pub(crate) fn unless_zero(bytes: Option<u64>, items: Option<u64>) -> Self {
        let [bytes, items] = [bytes, items].map(|amount| amount.filter(|amount| *amount > 0));
        Self { bytes, items }
    }
}

/// A number of bytes or items from 1 to 2^64 - 1, or the text of a number outside this range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount(Result<u64, String>);

impl Amount {
    fn checked(self, option: &str) -> Result<u64, String> {
        self.0.map_err(|number| {
            let most = u64::MAX;
            format!("`{option}` is {number}, but the work of one call must be between 1 and {most}")
        })
    }
}

/// The amount of a number.
pub fn amount<N: WholeNumber>(number: N) -> Amount {
    let whole = number.try_into().ok().filter(|number| *number > 0);
    Amount(whole.ok_or_else(|| number.to_string()))
}

/// The amount that a closure returns for an input.
pub fn amount_of<I: ?Sized, N: WholeNumber>(input: &I, function: impl FnOnce(&I) -> N) -> Amount {
    amount(function(input))
}

/// The amount of a path, which names a number or a function of the input.
pub fn amount_by_path<I: ?Sized, M>(input: &I, path: impl NumberOrFunction<I, M>) -> Amount {
    path.amount(input)
}

/// Makes an input of the type that this function takes: a value or a reference.
pub fn input_1<A, T>(_: impl Fn(A) -> T, input: impl FnOnce() -> A) -> A {
    input()
}

/// The same for a function that takes a state before the input.
pub fn input_2<S, A, T>(_: impl Fn(S, A) -> T, input: impl FnOnce() -> A) -> A {
    input()
}

/// The integers.
#[diagnostic::on_unimplemented(
    message = "`bytes` and `items` take whole numbers, and this is `{Self}`",
    label = "not a whole number"
)]
pub trait WholeNumber: Copy + Display + TryInto<u64> {}

macro_rules! are_whole_numbers {
    ($($integer:ty)*) => {
        $(impl WholeNumber for $integer {})*
    };
}

are_whole_numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// A number, or a function that returns one for an input; `M` distinguishes the two.
#[diagnostic::on_unimplemented(
    message = "`bytes` and `items` take a whole number, or a function of `&{I}` that returns one",
    label = "neither a whole number nor a function of `&{I}`"
)]
pub trait NumberOrFunction<I: ?Sized, M> {
    /// Returns the amount for this input.
    fn amount(self, input: &I) -> Amount;
}

impl<I: ?Sized, N: WholeNumber> NumberOrFunction<I, ()> for N {
    fn amount(self, _: &I) -> Amount {
        amount(self)
    }
}

impl<I: ?Sized, N: WholeNumber, F: FnOnce(&I) -> N> NumberOrFunction<I, (N,)> for F {
    fn amount(self, input: &I) -> Amount {
        amount_of(input, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(bytes: &[u8]) -> usize {
        bytes.len()
    }

    #[test]
    fn a_path_is_a_number_or_a_function() {
        const SIZE: u32 = 7;

        let input: &[u8] = &[1, 2, 3];
        assert_eq!(amount_by_path(input, SIZE), amount(7));
        assert_eq!(amount_by_path(input, length), amount(3));
        assert_eq!(amount_by_path(input, <[u8]>::len), amount(3));
        assert_eq!(amount_of(input, |bytes| bytes.len() * 2), amount(6));
    }

    #[test]
    fn an_input_has_the_type_that_the_function_takes() {
        let made = vec![1, 2, 3];
        assert_eq!(amount_of(input_1(length, || &*made), <[u8]>::len), amount(3));
        fn with_state(_: &str, bytes: &mut [u8]) {
            bytes.reverse();
        }
        let mut made = made;
        let input = input_2(with_state, || &mut made);
        assert_eq!(amount_by_path(input, length), amount(3));
    }

    #[test]
    fn work_is_at_least_1_and_fits_into_64_bits() {
        let work = |bytes| Work::new(Some(bytes), None);
        assert_eq!(work(amount(1_i8)), Ok(Work { bytes: Some(1), items: None }));
        assert_eq!(Work::new(None, Some(amount(u64::MAX))), Ok(Work { bytes: None, items: Some(u64::MAX) }));
        let range = "but the work of one call must be between 1 and 18446744073709551615";
        assert_eq!(work(amount(0_usize)), Err(format!("`bytes` is 0, {range}")));
        assert_eq!(work(amount(-4_i64)), Err(format!("`bytes` is -4, {range}")));
        assert_eq!(
            Work::new(None, Some(amount(1_u128 << 64))),
            Err(format!("`items` is 18446744073709551616, {range}"))
        );
    }
}
