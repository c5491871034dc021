//! Noise processes: what a machine adds to the logarithm of every slot, whichever function runs in it.

use std::f64::consts::TAU;

use crate::random::Random;

/// The noise processes in which the level has to hold, with what each one stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Noise {
    /// Independent and normal: the textbook.
    Independent,
    /// An autoregression with a memory of a hundred slots: frequency scaling, a neighbour that comes and
    /// goes.
    LongMemory,
    /// An autoregression with a memory of two slots, as long as a duo, which correlates the halves of a duo.
    ShortMemory,
    /// Equally strong in every octave of frequency: no memory is long enough.
    Pink,
    /// A level that is drawn anew once in a hundred slots: moves between cores.
    Steps,
    /// A sinus with a period close to the four slots of a duo.
    Sinus,
    /// A timer that fires once in this many slots. Near 4 and its multiples it resonates with the duos.
    Tick { period: f64 },
    /// Half as slow again for twenty slots at a time: preemption, garbage collection.
    Bursts,
    /// One slot in fifty with an outlier that has a mean but no variance.
    Spikes,
    /// Student's t with 1.5 degrees of freedom, which has no variance.
    Heavy,
}

impl Noise {
    /// The processes under which the level is tested.
    pub(crate) const ALL: [Self; 11] = [
        Self::Independent,
        Self::LongMemory,
        Self::ShortMemory,
        Self::Pink,
        Self::Steps,
        Self::Sinus,
        Self::Tick { period: 4.02 },
        Self::Tick { period: 8.1 },
        Self::Bursts,
        Self::Spikes,
        Self::Heavy,
    ];

    /// A word that makes a coin of its own for every process.
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    /// The noise of one slot after the other, in the order of time.
    pub(crate) fn slots(self, mut random: Random) -> Box<dyn FnMut() -> f64> {
        match self {
            Self::Independent => Box::new(move || random.normal(0.02)),
            Self::LongMemory => Box::new(autoregression(random, 0.99, 0.06, 0.02)),
            Self::ShortMemory => Box::new(autoregression(random, 0.6, 0.02, 0.01)),
            Self::Pink => Box::new(pink(random)),
            Self::Steps => Box::new(steps(random)),
            Self::Sinus => Box::new(sinus(random)),
            Self::Tick { period } => Box::new(tick(random, period)),
            Self::Bursts => Box::new(bursts(random)),
            Self::Spikes => Box::new(spikes(random)),
            Self::Heavy => Box::new(move || 0.01 * random.student(1.5)),
        }
    }
}

/// AR(1) of this memory and this spread, with independent noise on top.
fn autoregression(mut random: Random, memory: f64, stdev: f64, own: f64) -> impl FnMut() -> f64 {
    let innovation = stdev * (1.0 - memory * memory).sqrt();
    let mut level = random.normal(stdev);
    move || {
        level = memory * level + random.normal(innovation);
        level + random.normal(own)
    }
}

/// The sum of levels that last 1, 2, 4, ... slots (Voss, after Gardner 1978), the longest of them longer than
/// a run.
fn pink(mut random: Random) -> impl FnMut() -> f64 {
    const OCTAVES: usize = 13;
    let stdev = 0.06 / (OCTAVES as f64).sqrt();
    let mut levels = [(); OCTAVES].map(|()| random.normal(stdev));
    let mut time = 0_usize;
    move || {
        time += 1;
        // The levels change in turn: every second slot the first one, every fourth the second one.
        let octave = time.trailing_zeros() as usize;
        levels[octave.min(OCTAVES - 1)] = random.normal(stdev);
        levels.iter().sum::<f64>() + random.normal(0.02)
    }
}

fn steps(mut random: Random) -> impl FnMut() -> f64 {
    let mut level = random.normal(0.1);
    move || {
        if random.chance(0.01) {
            level = random.normal(0.1);
        }
        level + random.normal(0.02)
    }
}

fn sinus(mut random: Random) -> impl FnMut() -> f64 {
    let mut turns = random.uniform();
    move || {
        turns += 1.0 / 4.05;
        0.02 * (TAU * turns).sin() + random.normal(0.02)
    }
}

fn tick(mut random: Random, period: f64) -> impl FnMut() -> f64 {
    let mut until_tick = period * random.uniform();
    move || {
        until_tick -= 1.0;
        let fires = until_tick < 0.0;
        if fires {
            until_tick += period;
        }
        let disturbance = if fires { 0.05 } else { 0.0 };
        disturbance + random.normal(0.01)
    }
}

fn bursts(mut random: Random) -> impl FnMut() -> f64 {
    const BEGINS: f64 = 0.005;
    const ENDS: f64 = 0.05;
    let mut in_burst = random.chance(BEGINS / (BEGINS + ENDS));
    move || {
        in_burst ^= random.chance(if in_burst { ENDS } else { BEGINS });
        let disturbance = if in_burst { 0.4 } else { 0.0 };
        disturbance + random.normal(0.02)
    }
}

fn spikes(mut random: Random) -> impl FnMut() -> f64 {
    move || {
        let spike = if random.chance(0.02) { (0.5 * random.pareto(1.5)).ln_1p() } else { 0.0 };
        spike + random.normal(0.01)
    }
}
