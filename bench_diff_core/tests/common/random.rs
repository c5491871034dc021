//! Random numbers for the noise, from a generator that is unrelated to the one of the coin.

use std::f64::consts::TAU;

use bench_diff_core::stats::standard_normal;

/// xoshiro256++ (Blackman & Vigna 2021).
pub(crate) struct Random([u64; 4]);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // The first outputs of neighbouring seeds are alike until the state is well mixed.
        let mut random = Self([seed, 0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0]);
        (0..32).for_each(|_| _ = random.next());
        random
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let output = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        output
    }

    /// Uniform on (0, 1], so that it has a logarithm.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.uniform() <= probability
    }

    /// Normal around 0.
    pub(crate) fn normal(&mut self, stdev: f64) -> f64 {
        stdev * standard_normal(|| self.uniform())
    }

    /// Student's t (Bailey 1994); it has no variance up to 2 degrees of freedom.
    pub(crate) fn student(&mut self, df: f64) -> f64 {
        let radius = (df * (self.uniform().powf(-2.0 / df) - 1.0)).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    #[allow(dead_code, reason = "the tests of rounds have no use for it")]
    /// Pareto of the second kind (Lomax 1954): from 0 up, without a mean for a shape up to 1.
    pub(crate) fn pareto(&mut self, shape: f64) -> f64 {
        self.uniform().powf(-1.0 / shape) - 1.0
    }
}
