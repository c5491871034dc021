//! Where the code of a call lies.
//!
//! The compiler merges functions of equal machine code into one: two that do the same, each inlined into a
//! call of its own, are the same call in the end.

use std::hint::black_box;

/// The address of a call of a function without a parameter.
pub(super) fn address_0<F: Fn() -> R, R>(_: &F) -> usize {
    #[inline(never)]
    fn call<F: Fn() -> R, R>(function: &F) -> R {
        function()
    }
    let call: fn(&F) -> R = call::<F, R>;
    // Else the compiler compares the names of two functions that it merges later on.
    black_box(call as usize)
}

/// The address of a call of a function of one parameter.
pub(super) fn address_1<F: Fn(&A) -> R, A, R>(_: &F) -> usize {
    #[inline(never)]
    fn call<F: Fn(&A) -> R, A, R>(function: &F, parameter: &A) -> R {
        function(parameter)
    }
    let call: fn(&F, &A) -> R = call::<F, A, R>;
    black_box(call as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_where_it_is() {
        let (one, two) = (|| black_box(1), || black_box(2));
        assert_eq!(address_0(&one), address_0(&one));
        assert_ne!(address_0(&one), address_0(&two));
        let (add, double) = (|x: &u64| black_box(*x) + 1, |x: &u64| black_box(*x) * 2);
        assert_eq!(address_1(&add), address_1(&add));
        assert_ne!(address_1(&add), address_1(&double));
    }
}
