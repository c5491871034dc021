fn of_13(bytes: &[u8]) -> u64 {
    release::sip::SipHasher13::new_with_keys(7, 9).hash(bytes)
}

fn of_24(bytes: &[u8]) -> u64 {
    release::sip::SipHasher24::new_with_keys(7, 9).hash(bytes)
}

fn of_128_bits(bytes: &[u8]) -> u64 {
    release::sip128::SipHasher13::new_with_keys(7, 9).hash(bytes).h1
}

fn of_numbers(numbers: &[u64]) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = release::sip::SipHasher13::new();
    numbers.iter().for_each(|number| hasher.write_u64(*number));
    hasher.finish()
}
