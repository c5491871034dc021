fn draw(numbers: &[u64]) -> u64 {
    let mut generator = release::Rng::with_seed(numbers[0]);
    (0..100).fold(0, |sum, _| sum ^ generator.u64(..))
}

fn range(numbers: &[u64]) -> usize {
    let mut generator = release::Rng::with_seed(numbers[0]);
    (1..100).fold(0, |sum, end| sum + generator.usize(..end))
}

fn shuffle(numbers: &[u64]) -> u64 {
    let mut shuffled = numbers.to_vec();
    release::Rng::with_seed(7).shuffle(&mut shuffled);
    shuffled[0]
}

fn float(numbers: &[u64]) -> f64 {
    let mut generator = release::Rng::with_seed(numbers[0]);
    (0..100).fold(0.0, |sum, _| sum + generator.f64())
}

fn character(numbers: &[u64]) -> String {
    let mut generator = release::Rng::with_seed(numbers[0]);
    (0..20).map(|_| generator.alphanumeric()).collect()
}

fn fill(bytes: &[u8]) -> Vec<u8> {
    let mut filled = bytes.to_vec();
    release::Rng::with_seed(7).fill(&mut filled);
    filled
}
