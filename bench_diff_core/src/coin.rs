//! Everything that is random in a measurement, above all the coin that draws the order of every duo.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};

use crate::duo::Order;

/// The way in which the order of the duos is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderPolicy {
    /// A fair coin for every duo. It makes a verdict hold in any noise that does not depend on the coin.
    #[default]
    Coin,
    /// Always B C C B. This is for experiments only: noise with a period of about four slots then looks like
    /// a difference.
    Fixed,
}

/// The seed of a run or a pair. It is written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// A new seed, from the random keys of the standard library.
    #[must_use]
    pub fn random() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    /// The seed of the pair with this name. The same name and run seed give the same coin, whichever other
    /// pairs run.
    #[must_use]
    pub fn for_pair(self, name: &str) -> Self {
        // FNV-1a (Fowler, Noll & Vo 1991). The mixing of the generator makes up for its weak low bits.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(mix(self.0 ^ mix(hash)))
    }

    /// The seed of the warm-up. The length of the warm-up depends on time, so it must not use the coin of the
    /// counted duos.
    #[must_use]
    pub fn for_warmup(self) -> Self {
        Self(mix(!self.0))
    }

    /// The seed of a round of a pair, by its number from 0.
    #[must_use]
    pub fn for_round(self, number: usize) -> Self {
        self.for_purpose(FIRST_ROUND + number as u64)
    }

    /// The function that is prepared first: checked, called, given its inputs.
    #[must_use]
    pub fn first_calls(self) -> Order {
        Order::of(Generator(self.for_purpose(3).0).draw())
    }

    /// The seed of one more attempt. Its coins are independent of the earlier attempts.
    pub(crate) fn for_attempt(self, number: u64) -> Self {
        self.for_purpose(FIRST_ATTEMPT + number)
    }

    /// A seed for one purpose, which is independent of the seeds for other purposes.
    fn for_purpose(self, purpose: u64) -> Self {
        Self(mix(self.0 ^ mix(purpose)))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The purposes of seeds: attempts and rounds are numbered from here, above the few single purposes.
const FIRST_ATTEMPT: u64 = 1 << 16;
const FIRST_ROUND: u64 = 1 << 32;

/// Draws orders by the first bit of SplitMix64 (Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom
/// Number Generators"). The map from seed to orders is part of the record of a run and never changes.
#[derive(Clone, Debug)]
pub struct Coin {
    policy: OrderPolicy,
    generator: Generator,
}

impl Coin {
    /// The coin of this seed.
    #[must_use]
    pub fn new(policy: OrderPolicy, seed: Seed) -> Self {
        Self { policy, generator: Generator(seed.0) }
    }

    /// The order of the next duo.
    pub fn flip(&mut self) -> Order {
        let drawn = self.generator.draw();
        match self.policy {
            OrderPolicy::Coin => Order::of(drawn),
            OrderPolicy::Fixed => Order::BaselineFirst,
        }
    }
}

/// Everything that is random in a measurement. The draws for one purpose do not change those for another.
#[derive(Clone, Debug)]
pub struct Chance {
    /// The order of the slots.
    pub(crate) order: Coin,
    stack: Generator,
    stack_place: Option<u8>,
}

impl Chance {
    /// Everything that a seed decides, with this policy for the order of the slots.
    #[must_use]
    pub fn new(policy: OrderPolicy, seed: Seed) -> Self {
        let stack = Generator::new(seed.for_purpose(1));
        Self { order: Coin::new(policy, seed), stack, stack_place: None }
    }

    /// Sets the place of the stack in its cache line, in grains of 16 bytes from 0 to 3; `None` leaves it
    /// random.
    #[must_use]
    pub fn with_stack_place(self, stack_place: Option<u8>) -> Self {
        Self { stack_place, ..self }
    }

    /// Draws where the stack begins, in grains of 16 bytes.
    pub(crate) fn stack_offset(&mut self) -> u64 {
        let drawn = self.stack.draw();
        self.stack_place.map_or(drawn, |place| drawn & !3 | u64::from(place & 3))
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom Number Generators").
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// The generator of this seed.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self(seed.0)
    }

    /// The next 64 bits, uniform and independent of the previous ones.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
}

/// The output function of SplitMix64.
fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut state = 1_234_567_u64;
        let outputs = [(); 3].map(|()| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(state)
        });
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn the_coin_is_fair_and_has_no_memory() {
        let mut coin = Coin::new(OrderPolicy::Coin, Seed(7));
        let flips: Vec<bool> = (0..100_000).map(|_| coin.flip() == Order::CandidateFirst).collect();
        let heads = flips.iter().filter(|&&head| head).count();
        let changes = flips.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // 50,000 +- 5 standard deviations of 158.
        assert!((49_210..=50_790).contains(&heads), "{heads} heads");
        assert!((49_210..=50_790).contains(&changes), "{changes} changes");
    }

    #[test]
    fn the_same_seed_and_name_give_the_same_coin_and_others_do_not() {
        let orders = |seed: Seed| {
            let mut coin = Coin::new(OrderPolicy::Coin, seed);
            (0..64).map(|_| coin.flip()).collect::<Vec<_>>()
        };
        assert_eq!(orders(Seed(1).for_pair("sort")), orders(Seed(1).for_pair("sort")));
        assert_ne!(orders(Seed(1).for_pair("sort")), orders(Seed(1).for_pair("sort2")));
        assert_ne!(orders(Seed(1).for_pair("sort")), orders(Seed(2).for_pair("sort")));
        assert_ne!(orders(Seed(1)), orders(Seed(1).for_warmup()));
    }

    #[test]
    fn the_fixed_order_is_always_b_c_c_b() {
        let mut coin = Coin::new(OrderPolicy::Fixed, Seed(7));
        assert!((0..64).all(|_| coin.flip() == Order::BaselineFirst));
    }

    #[test]
    fn a_seed_is_written_as_sixteen_digits() {
        assert_eq!(Seed(0x8f3a).to_string(), "0000000000008f3a");
    }
}
