fn encode(bytes: &[u8]) -> String {
    release::encode(bytes)
}

fn encode_upper(bytes: &[u8]) -> String {
    release::encode_upper(bytes)
}

fn encode_to_slice(bytes: &[u8]) -> [u8; 64] {
    let mut out = [0; 64];
    release::encode_to_slice(&bytes[..32], &mut out).unwrap();
    out
}

fn decode(digits: &str) -> Vec<u8> {
    release::decode(digits).unwrap()
}

fn decode_to_slice(digits: &str) -> [u8; 32] {
    let mut out = [0; 32];
    release::decode_to_slice(&digits[..64], &mut out).unwrap();
    out
}
