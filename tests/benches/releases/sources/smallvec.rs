fn push(numbers: &[u64]) -> u64 {
    let mut vector = release::SmallVec::<[u64; 16]>::new();
    numbers.iter().for_each(|number| vector.push(*number));
    vector[vector.len() - 1]
}

fn extend(numbers: &[u64]) -> usize {
    numbers.iter().copied().filter(|number| number % 3 > 0).collect::<release::SmallVec<[u64; 16]>>().len()
}

fn from_slice(numbers: &[u64]) -> u64 {
    release::SmallVec::<[u64; 16]>::from_slice(numbers)[7]
}

fn insert_and_remove(numbers: &[u64]) -> u64 {
    let mut vector = release::SmallVec::<[u64; 16]>::new();
    numbers.iter().for_each(|number| vector.insert(vector.len() / 2, *number));
    vector.remove(3) + vector.swap_remove(4)
}

fn retain(numbers: &[u64]) -> usize {
    let mut vector = release::SmallVec::<[u64; 16]>::from_slice(numbers);
    vector.retain(|number| *number % 2 == 0);
    vector.dedup();
    vector.len()
}
