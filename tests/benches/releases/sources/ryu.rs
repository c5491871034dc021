fn of_64_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(*number as f64 / 7.0).len()).sum()
}

fn of_32_bits(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format(*number as f32 / 7.0).len()).sum()
}

fn finite(numbers: &[u64]) -> usize {
    let mut buffer = release::Buffer::new();
    numbers.iter().map(|number| buffer.format_finite(*number as f64).len()).sum()
}
