// Code that is never called: what else has changed in a program between two of its builds. `PADDING` says how much.

#[inline(never)]
fn padding<const N: usize>(numbers: &[u64]) -> u64 {
    numbers.iter().fold(N as u64, |sum, number| sum.rotate_left(7) ^ number.wrapping_mul(N as u64 + 3))
}

#[used]
static KEPT: &[fn(&[u64]) -> u64] = match PADDING {
    0 => &[],
    1 => &[padding::<1>, padding::<11>],
    2 => &[padding::<2>, padding::<12>, padding::<22>],
    3 => &[padding::<3>, padding::<13>, padding::<23>, padding::<33>],
    _ => &[padding::<9>],
};
