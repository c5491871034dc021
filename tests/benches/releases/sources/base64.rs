fn encode(bytes: &[u8]) -> String {
    use release::Engine as _;
    release::engine::general_purpose::STANDARD.encode(bytes)
}

fn encode_without_padding(bytes: &[u8]) -> String {
    use release::Engine as _;
    release::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(digits: &str) -> Vec<u8> {
    use release::Engine as _;
    release::engine::general_purpose::STANDARD.decode(digits).unwrap()
}

fn display(bytes: &[u8]) -> String {
    release::display::Base64Display::new(bytes, &release::engine::general_purpose::STANDARD).to_string()
}
