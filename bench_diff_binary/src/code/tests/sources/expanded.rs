//! A state machine, expanded twice from one source; another function calls one of the two.

macro_rules! machine {
    ($module:ident, $entry:ident) => {
        mod $module {
            pub fn next(state: usize, byte: u8, out: &mut Vec<u8>) -> usize {
                const TABLE: [usize; 5] = [3, 1, 4, 1, 5];
                match (state % 8, byte) {
                    (0, b'a'..=b'z') => out.extend([byte, 1]),
                    (1, b'0'..=b'9') => out.insert(TABLE[state / 3], byte),
                    (2, b' ') => out.truncate(TABLE[state / 5]),
                    (3, _) => out.extend_from_slice(&[byte; 9]),
                    (4, b'\\') => drop(out.remove(TABLE[state / 9])),
                    (5, _) => out.extend(byte.to_string().bytes().rev()),
                    (6, _) => out.dedup(),
                    _ => out.push(TABLE[state / 7] as u8),
                }
                TABLE[out.len() % 9]
            }
        }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn $entry(bytes: &[u8]) -> usize {
            let mut out = Vec::new();
            bytes.iter().fold(0, |state, byte| $module::next(state, *byte, &mut out))
        }
    };
}
machine!(one, machine_1);
machine!(other, machine_2);
#[inline(never)]
#[unsafe(no_mangle)]
fn unrelated(n: usize) -> usize {
    other::next(n, 7, &mut vec![9; n])
}
fn main() {
    let bytes = std::hint::black_box([7; 99]);
    println!("{}", machine_1(&bytes) + machine_2(&bytes) + unrelated(9));
}
