//! A comparison whose speed depends on inlining: inlined into its callers, it does nothing, since no caller
//! asks for any turns. Anywhere else it is too large for the compiler to inline it across units of code
//! generation.

pub mod weights {
    macro_rules! turns {
        ($word:ident: $($turn:literal)*) => {
            $($word = ($word ^ $word.rotate_left($turn)).wrapping_mul(2 * $turn + 1);)*
        };
    }

    pub fn weight(number: u64, turns: u64) -> u64 {
        let mut word = number;
        for _ in 0..turns {
            turns!(word: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30);
            turns!(word: 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58);
        }
        word
    }
}

pub mod sorting {
    use super::weights::weight;

    #[inline(never)]
    pub fn sorted(numbers: &mut [u64]) {
        numbers.sort_by(|a, b| weight(*a, 0).cmp(&weight(*b, 0)));
    }
}
