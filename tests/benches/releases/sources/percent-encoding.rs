fn encode(text: &str) -> String {
    release::utf8_percent_encode(text, release::NON_ALPHANUMERIC).to_string()
}

fn encode_controls(bytes: &[u8]) -> String {
    release::percent_encode(bytes, release::CONTROLS).collect()
}

fn decode(text: &str) -> String {
    release::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn decode_bytes(bytes: &[u8]) -> Vec<u8> {
    release::percent_decode(bytes).collect()
}
