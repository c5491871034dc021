fn put(numbers: &[u64]) -> usize {
    use release::BufMut as _;
    let mut buffer = release::BytesMut::with_capacity(64);
    numbers.iter().for_each(|number| buffer.put_u64(*number));
    buffer.len()
}

fn get(bytes: &[u8]) -> u64 {
    use release::Buf as _;
    let mut rest = bytes;
    let mut sum = 0;
    while rest.remaining() >= 8 {
        sum ^= rest.get_u64_le();
    }
    sum
}

fn split(bytes: &[u8]) -> usize {
    let mut all = release::Bytes::copy_from_slice(bytes);
    let head = all.split_to(30);
    head.slice(3..9).len() + all.clone().len()
}

fn freeze(bytes: &[u8]) -> usize {
    let mut buffer = release::BytesMut::from(bytes);
    buffer.extend_from_slice(bytes);
    buffer.freeze().len()
}
