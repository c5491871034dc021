fn insert(numbers: &[u64]) -> usize {
    numbers.iter().map(|number| (number % 50, number)).collect::<release::IndexMap<_, _>>().len()
}

fn get(numbers: &[u64]) -> u64 {
    let map: release::IndexMap<u64, u64> = numbers.iter().map(|number| (number % 50, *number)).collect();
    (0..50).filter_map(|key| map.get(&key)).fold(0, |sum, number| sum ^ number)
}

fn remove(numbers: &[u64]) -> usize {
    let mut map: release::IndexMap<u64, u64> = numbers.iter().map(|number| (*number, 1)).collect();
    numbers.iter().step_by(3).for_each(|number| drop(map.swap_remove(number)));
    map.shift_remove(&numbers[1]);
    map.len()
}

fn sort(numbers: &[u64]) -> u64 {
    let mut map: release::IndexMap<u64, u64> = numbers.iter().map(|number| (*number, 1)).collect();
    map.sort_unstable_keys();
    *map.get_index(3).unwrap().0
}

fn union(numbers: &[u64]) -> usize {
    let (left, right) = numbers.split_at(60);
    let [left, right] = [left, right].map(|part| part.iter().copied().collect::<release::IndexSet<u64>>());
    left.union(&right).count()
}
