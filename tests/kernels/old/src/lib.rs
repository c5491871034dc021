//! Twenty-four small functions of the kinds that people measure, built twice from this one file: as the old
//! release and as the new one. Nothing differs between the two but where a linker puts them.

use std::collections::{BTreeMap, HashMap};

/// Numbers without a pattern, the same in every process.
#[must_use]
pub fn numbers(count: usize) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(|_| next()).collect()
}

/// This many of the first thousand numbers, and more of more.
fn part(numbers: &[u64], of_thousand: usize) -> &[u64] {
    &numbers[..numbers.len() * of_thousand / 1000]
}

/// A sum.
#[inline(never)]
pub fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number))
}

/// A product of two vectors of floats.
#[inline(never)]
pub fn dot(numbers: &[u64]) -> u64 {
    let product = |(a, b): (&u64, &u64)| (*a >> 40) as f64 * (*b >> 40) as f64;
    numbers.iter().zip(numbers.iter().rev()).map(product).sum::<f64>() as u64
}

/// Bubble sort, of the first few.
#[inline(never)]
pub fn bubble(numbers: &[u64]) -> u64 {
    let mut sorted = part(numbers, 96).to_vec();
    for end in (1..sorted.len()).rev() {
        for index in 0..end {
            if sorted[index] > sorted[index + 1] {
                sorted.swap(index, index + 1);
            }
        }
    }
    sorted[0]
}

/// The sort of the standard library.
#[inline(never)]
pub fn sort(numbers: &[u64]) -> u64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// Insertion sort, of the first few.
#[inline(never)]
pub fn insertion(numbers: &[u64]) -> u64 {
    let mut sorted = part(numbers, 128).to_vec();
    for end in 1..sorted.len() {
        let mut index = end;
        while index > 0 && sorted[index - 1] > sorted[index] {
            sorted.swap(index - 1, index);
            index -= 1;
        }
    }
    sorted[0]
}

/// FNV-1a of the bytes.
#[inline(never)]
pub fn fnv(numbers: &[u64]) -> u64 {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A cyclic redundancy check, bit by bit.
#[inline(never)]
pub fn crc(numbers: &[u64]) -> u64 {
    let mut register = u32::MAX;
    for number in part(numbers, 200) {
        register ^= *number as u32;
        for _ in 0..8 {
            register = (register >> 1) ^ (0xedb8_8320 & (register & 1).wrapping_neg());
        }
    }
    u64::from(!register)
}

/// The sieve of Eratosthenes, up to four times the count.
#[inline(never)]
pub fn sieve(numbers: &[u64]) -> u64 {
    let limit = 4 * numbers.len();
    let mut is_composite = vec![false; limit];
    let mut primes = 0;
    for number in 2..limit {
        if !is_composite[number] {
            primes += 1;
            for multiple in (number * number..limit).step_by(number) {
                is_composite[multiple] = true;
            }
        }
    }
    primes
}

/// The lengths of the walks of Collatz.
#[inline(never)]
pub fn collatz(numbers: &[u64]) -> u64 {
    let length = |start: u64| {
        let (mut number, mut steps) = (start % 1000 + 1, 0);
        while number != 1 {
            number = if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 };
            steps += 1;
        }
        steps
    };
    part(numbers, 60).iter().map(|number| length(*number)).sum()
}

/// A count of bits by branches.
#[inline(never)]
pub fn bits(numbers: &[u64]) -> u64 {
    let mut count = 0;
    for number in part(numbers, 100) {
        let mut rest = *number;
        while rest != 0 {
            if rest & 1 == 1 {
                count += 1;
            }
            rest >>= 1;
        }
    }
    count
}

fn text(numbers: &[u64]) -> String {
    let letter =
        |number: &u64| if number.is_multiple_of(6) { ' ' } else { char::from(b'a' + (number % 26) as u8) };
    numbers.iter().map(letter).collect()
}

/// A count of words.
#[inline(never)]
pub fn words(numbers: &[u64]) -> u64 {
    text(numbers).split_whitespace().map(|word| word.len() as u64 % 3).sum()
}

/// Numbers as text.
#[inline(never)]
pub fn fmt(numbers: &[u64]) -> u64 {
    part(numbers, 50).iter().map(|number| format!("{number:x}-{number}").len() as u64).sum()
}

/// Numbers from text.
#[inline(never)]
pub fn parse(numbers: &[u64]) -> u64 {
    let parsed = |number: &u64| (number % 100_000).to_string().parse::<u64>().unwrap_or_default();
    part(numbers, 100).iter().map(parsed).fold(0, u64::wrapping_add)
}

/// A map in order.
#[inline(never)]
pub fn btree(numbers: &[u64]) -> u64 {
    let mut map = BTreeMap::new();
    for number in part(numbers, 200) {
        *map.entry(number % 97).or_insert(0_u64) += 1;
    }
    map.values().max().copied().unwrap_or_default()
}

/// A map by hashes.
#[inline(never)]
pub fn hash(numbers: &[u64]) -> u64 {
    let mut map: HashMap<u64, u64, std::hash::BuildHasherDefault<std::hash::DefaultHasher>> =
        HashMap::default();
    for number in part(numbers, 200) {
        *map.entry(number % 97).or_default() += 1;
    }
    map.values().max().copied().unwrap_or_default()
}

/// The distance of Levenshtein between two short texts.
#[inline(never)]
pub fn lev(numbers: &[u64]) -> u64 {
    let (a, b) = part(numbers, 80).split_at(part(numbers, 80).len() / 2);
    let mut row: Vec<u64> = (0..=b.len() as u64).collect();
    for (index, x) in a.iter().enumerate() {
        let mut diagonal = index as u64;
        row[0] = diagonal + 1;
        for (column, y) in b.iter().enumerate() {
            let substituted = diagonal + u64::from(x % 4 != y % 4);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

/// A product of matrices.
#[inline(never)]
pub fn matrix(numbers: &[u64]) -> u64 {
    const SIDE: usize = 12;
    let element = |row: usize, column: usize| numbers[(row * SIDE + column) % numbers.len()] >> 48;
    let mut trace = 0_u64;
    for row in 0..SIDE {
        for column in 0..SIDE {
            let product: u64 = (0..SIDE).map(|inner| element(row, inner) * element(inner, column)).sum();
            trace = trace.wrapping_add(product);
        }
    }
    trace
}

/// Characters of one and of two bytes.
#[inline(never)]
pub fn utf8(numbers: &[u64]) -> u64 {
    let letter = |number: &u64| if number & 3 == 0 { 'ß' } else { 's' };
    let text: String = part(numbers, 500).iter().map(letter).collect();
    text.chars().filter(|character| !character.is_ascii()).count() as u64
}

/// Binary searches.
#[inline(never)]
pub fn binary(numbers: &[u64]) -> u64 {
    let sorted: Vec<u64> = (0..512).map(|index| index * (u64::MAX / 512)).collect();
    part(numbers, 200).iter().map(|number| sorted.partition_point(|edge| edge < number) as u64).sum()
}

/// A generator of random numbers.
#[inline(never)]
pub fn xorshift(numbers: &[u64]) -> u64 {
    let mut state = numbers[0] | 1;
    for _ in 0..numbers.len() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

/// Runs of equal values.
#[inline(never)]
pub fn rle(numbers: &[u64]) -> u64 {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in part(numbers, 600) {
        let value = number & 1;
        match runs.last_mut() {
            Some((last, length)) if *last == value => *length += 1,
            _ => runs.push((value, 1)),
        }
    }
    runs.iter().map(|(_, length)| length * length).sum()
}

/// The tokens of a text.
#[inline(never)]
pub fn tokens(numbers: &[u64]) -> u64 {
    let text = text(part(numbers, 300));
    let mut counts = [0_u64; 3];
    for character in text.chars() {
        match character {
            ' ' => counts[0] += 1,
            'a' | 'e' | 'i' | 'o' | 'u' => counts[1] += 1,
            _ => counts[2] += 1,
        }
    }
    counts[0] * 10_000 + counts[1] * 100 + counts[2]
}

/// Hexadecimal digits, from a table.
#[inline(never)]
pub fn hex(numbers: &[u64]) -> u64 {
    static DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digits = |number: &u64| {
        number.to_be_bytes().map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
    };
    let text: Vec<[[u8; 2]; 8]> = part(numbers, 300).iter().map(digits).collect();
    text.iter().flatten().flatten().fold(0, |sum, digit| (sum * 31 + u64::from(*digit)) & 0xffff_ffff)
}

/// A machine that goes from state to state by a table, in which words lie across the lines of a cache.
#[inline(never)]
pub fn states(numbers: &[u64]) -> u64 {
    static NEXT: [u8; 91] = {
        let mut next = [0; 91];
        let mut index = 0;
        while index < next.len() {
            next[index] = (index * 89 % 251) as u8;
            index += 1;
        }
        next
    };
    numbers.iter().fold(0, |state: u64, number| {
        let start = (state ^ number) as usize % (NEXT.len() - 8);
        let word: [u8; 8] = NEXT[start..start + 8].try_into().unwrap_or_default();
        state.rotate_left(5) ^ u64::from_le_bytes(word)
    })
}
