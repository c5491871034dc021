fn hash(bytes: &[u8]) -> u32 {
    release::hash(bytes)
}

fn in_chunks(bytes: &[u8]) -> u32 {
    let mut hasher = release::Hasher::new();
    bytes.chunks(17).for_each(|chunk| hasher.update(chunk));
    hasher.finalize()
}

fn combined(bytes: &[u8]) -> u32 {
    let mut hasher = release::Hasher::new_with_initial(7);
    let other = release::Hasher::new_with_initial_len(bytes.len() as u32, 99);
    hasher.combine(&other);
    hasher.finalize()
}
