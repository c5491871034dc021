fn of_64_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(*number).len()).sum()
}

fn of_32_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(*number as i32).len()).sum()
}

fn of_8_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(*number as u8).len()).sum()
}

fn of_128_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(u128::from(*number) << 50).len()).sum()
}
