fn push(numbers: &[u64]) -> u64 {
    let mut vector = release::ArrayVec::<u64, 128>::new();
    numbers.iter().for_each(|number| vector.push(*number));
    vector[vector.len() - 1]
}

fn collect(numbers: &[u64]) -> usize {
    numbers.iter().copied().filter(|number| number % 3 > 0).collect::<release::ArrayVec<u64, 128>>().len()
}

fn insert_and_remove(numbers: &[u64]) -> u64 {
    let mut vector = release::ArrayVec::<u64, 128>::new();
    numbers.iter().for_each(|number| vector.insert(vector.len() / 2, *number));
    vector.remove(3) + vector.swap_remove(4)
}

fn drain(numbers: &[u64]) -> u64 {
    let mut vector = release::ArrayVec::<u64, 128>::new();
    vector.try_extend_from_slice(numbers).unwrap();
    vector.drain(3..20).sum()
}

fn string(text: &str) -> usize {
    let mut string = release::ArrayString::<512>::new();
    string.push_str(text);
    string.truncate(1);
    string.push('ß');
    string.len()
}
