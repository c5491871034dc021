//! The work of one call, shown as a rate.

use std::any::Any;

use crate::work::{AsCountUInt, Count, Counts, Work};

/// A kind of work, and its amount in one call.
pub trait Counter: Sized + Any + Work {}

/// A value that can be converted to a [`Counter`]: a counter, or a number of items.
pub trait IntoCounter {
    /// The counter that it is converted to.
    type Counter: Counter;

    /// Converts it.
    fn into_counter(self) -> Self::Counter;
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;

    fn into_counter(self) -> C {
        self
    }
}

macro_rules! count_with {
    ($($integer:ty)*) => {
        $(
            impl AsCountUInt for $integer {
                fn as_count(&self) -> Count {
                    *self as Count
                }
            }

            impl IntoCounter for $integer {
                type Counter = ItemsCount;

                fn into_counter(self) -> ItemsCount {
                    ItemsCount::new(self)
                }
            }
        )*
    };
}

count_with!(u8 u16 u32 u64 usize);

macro_rules! counters {
    ($($(#[$doc:meta])* $counter:ident: |$count:ident| $counts:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $counter {
                count: Count,
            }

            impl $counter {
                /// The counter if each call works on this many.
                pub fn new<N: AsCountUInt>(count: N) -> Self {
                    Self::from(count)
                }
            }

            impl Work for $counter {
                fn counts(&self) -> Counts {
                    let $count = self.count;
                    $counts
                }
            }

            impl Counter for $counter {}

            impl<N: AsCountUInt> From<N> for $counter {
                fn from(count: N) -> Self {
                    Self { count: count.as_count() }
                }
            }
        )*
    };
}

counters! {
    /// The bytes that one call works on.
    BytesCount: |count| Counts { bytes: Some(count), ..Counts::default() };
    /// The chars that one call works on.
    CharsCount: |count| Counts { chars: Some(count), ..Counts::default() };
    /// The cycles of one call. They are not shown.
    CyclesCount: |_count| Counts::default();
    /// The items that one call works on.
    ItemsCount: |count| Counts { items: Some(count), ..Counts::default() };
}

impl BytesCount {
    /// The size of a type.
    #[must_use]
    pub const fn of<T>() -> Self {
        Self::of_many::<T>(1)
    }

    /// The size of `n` values of type `T`.
    ///
    /// # Panics
    ///
    /// If the size overflows 64 bits.
    #[must_use]
    pub const fn of_many<T>(n: usize) -> Self {
        match (size_of::<T>() as Count).checked_mul(n as Count) {
            Some(count) => Self { count },
            None => panic!("overflow"),
        }
    }

    /// The size of a value.
    pub fn of_val<T: ?Sized>(value: &T) -> Self {
        Self { count: size_of_val(value) as Count }
    }

    /// The size of the items of an iterator, in bytes.
    ///
    /// # Panics
    ///
    /// If it overflows 64 bits.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(iterator: I) -> Self {
        Self::of_many::<T>(iterator.into_iter().count())
    }

    /// The bytes of a string.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::of_val(text.as_ref())
    }

    /// The bytes of a slice.
    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(slice: &S) -> Self {
        Self::of_val(slice.as_ref())
    }
}

macro_rules! bytes_of {
    ($($ty:ident)*) => {
        /// Sizes of `n` numbers of one type.
        impl BytesCount {
            $(
                #[doc = concat!("The size of `n` numbers of type `", stringify!($ty), "`.")]
                #[must_use]
                pub const fn $ty(n: usize) -> Self {
                    Self::of_many::<$ty>(n)
                }
            )*
        }
    };
}

bytes_of!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);

impl CharsCount {
    /// The chars of a string.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::new(text.as_ref().chars().count())
    }
}

impl ItemsCount {
    /// The items of an iterator.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(iterator: I) -> Self {
        Self::new(iterator.into_iter().count())
    }
}

/// The units of bytes. It has no effect: rates always use powers of 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BytesFormat {
    /// Powers of 1000.
    #[default]
    Decimal,
    /// Powers of 1024.
    Binary,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_count_their_units() {
        assert_eq!(BytesCount::of_str("für").counts().bytes, Some(4));
        assert_eq!(CharsCount::of_str(&"für".to_owned()).counts().chars, Some(3));
        assert_eq!(BytesCount::of_slice(&vec![1_u16, 2]), BytesCount::u16(2));
        assert_eq!(BytesCount::of_iter(0..3_u32), BytesCount::from(12_u8));
        assert_eq!(ItemsCount::of_iter("für".chars()), ItemsCount::from(&&3_usize));
        assert_eq!(7_u8.into_counter().counts(), Counts { items: Some(7), ..Counts::default() });
        assert_eq!(CyclesCount::new(7_u64).counts(), Counts::default());
    }
}
