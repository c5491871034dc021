//! The duplication of inputs.

use std::marker::PhantomData;

/// A type of input.
#[derive(Debug)]
pub struct Kind<I>(pub PhantomData<I>);

/// A way to duplicate an input.
pub trait Duplicate<I> {
    /// True if inputs can be duplicated.
    const CAN_DUPLICATE: bool = true;
    /// True if duplication only copies bytes.
    const IS_COPY: bool = false;

    /// Returns a duplicate, if possible.
    fn duplicate(input: &I) -> Option<I>;
}

/// Duplication by `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct ByCopy;

/// Duplication by `Clone`.
#[derive(Clone, Copy, Debug)]
pub struct ByClone;

/// No duplication: each input is made from scratch.
#[derive(Clone, Copy, Debug)]
pub struct Never;

impl<I: Copy> Duplicate<I> for ByCopy {
    const IS_COPY: bool = true;

    fn duplicate(input: &I) -> Option<I> {
        Some(*input)
    }
}

impl<I: Clone> Duplicate<I> for ByClone {
    fn duplicate(input: &I) -> Option<I> {
        Some(input.clone())
    }
}

impl<I> Duplicate<I> for Never {
    const CAN_DUPLICATE: bool = false;

    fn duplicate(_: &I) -> Option<I> {
        None
    }
}

impl<I: Copy> Kind<I> {
    /// Returns the cheapest way for this type.
    #[must_use]
    pub fn how(&self) -> ByCopy {
        ByCopy
    }
}

/// A type that is not `Copy`.
pub trait CloneKind {
    /// See [`Kind::how`].
    fn how(&self) -> ByClone;
}

impl<I: Clone> CloneKind for Kind<I> {
    fn how(&self) -> ByClone {
        ByClone
    }
}

/// A type that is not `Clone`.
pub trait OtherKind {
    /// See [`Kind::how`].
    fn how(&self) -> Never;
}

impl<I> OtherKind for &Kind<I> {
    fn how(&self) -> Never {
        Never
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Single(u8);

    #[test]
    fn the_type_decides() {
        let (copy, clone, single) =
            (Kind(PhantomData::<u8>), Kind(PhantomData::<Box<u8>>), Kind(PhantomData::<Single>));
        fn duplicate<I, H: Duplicate<I>>(_: H, input: &I) -> Option<I> {
            H::duplicate(input)
        }
        assert_eq!(duplicate(copy.how(), &7), Some(7));
        assert_eq!(duplicate(clone.how(), &Box::new(7)), Some(Box::new(7)));
        assert_eq!(duplicate((&single).how(), &Single(7)), None);
    }
}
