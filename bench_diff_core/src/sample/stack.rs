//! The offset of the stack on which the functions run.
//!
//! Environment variables and the names of files decide whether the stack of a function shares a cache line, a
//! page or an alias with something else (Mytkowicz, Diwan, Hauswirth & Sweeney 2009, "Producing Wrong Data
//! Without Doing Anything Obviously Wrong!"). A fixed offset would be a bias. A new one for every block turns
//! it into noise, which averages out (Curtsinger & Berger 2013, "Stabilizer").

use std::hint::black_box;
use std::mem::MaybeUninit;

/// The bits of an offset. 256 grains are a page of 4 KiB, after which the pattern repeats.
const BITS: u32 = 8;

/// Runs `work` with the stack shifted by this many grains modulo a page. A grain is 16 bytes, the alignment
/// of a stack.
pub(crate) fn with_offset(grains: u64, work: &mut dyn FnMut()) {
    shifted(BITS, grains, work);
}

/// Uses one frame per bit, with its room if the bit is set and with one grain otherwise. Apart from that, the
/// frames are equally large.
fn shifted(bits: u32, grains: u64, work: &mut dyn FnMut()) {
    let Some(bit) = bits.checked_sub(1) else { return work() };
    let frame = match bit {
        _ if grains >> bit & 1 == 0 => frame::<16>,
        0 => frame::<{ 16 + 16 }>,
        1 => frame::<{ 32 + 16 }>,
        2 => frame::<{ 64 + 16 }>,
        3 => frame::<{ 128 + 16 }>,
        4 => frame::<{ 256 + 16 }>,
        5 => frame::<{ 512 + 16 }>,
        6 => frame::<{ 1024 + 16 }>,
        _ => frame::<{ 2048 + 16 }>,
    };
    frame(bit, grains, work);
}

#[inline(never)]
fn frame<const ROOM: usize>(bits: u32, grains: u64, work: &mut dyn FnMut()) {
    let mut room = [const { MaybeUninit::<u8>::uninit() }; ROOM];
    black_box(&mut room);
    shifted(bits, grains, work);
    // The room is still in use, so the compiler cannot turn the call above into a tail call.
    black_box(&mut room);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The address of a local variable in code that runs with this offset.
    fn address(grains: u64) -> usize {
        let mut address = 0;
        with_offset(grains, &mut || {
            let local = 0_u8;
            address = (&raw const *black_box(&local)).addr();
        });
        address
    }

    #[test]
    fn each_offset_is_a_different_address() {
        let places: BTreeSet<usize> = (0..256).map(address).collect();
        assert_eq!(places.len(), 256);
        let reach = places.last().unwrap() - places.first().unwrap();
        assert_eq!(reach, 255 * 16);
        assert_eq!(address(256), address(0));
    }
}
