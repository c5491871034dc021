fn one_byte(bytes: &[u8]) -> Option<usize> {
    release::memchr(b'\n', bytes)
}

fn last_byte(bytes: &[u8]) -> Option<usize> {
    release::memrchr(b'\n', bytes)
}

fn two_bytes(bytes: &[u8]) -> Option<usize> {
    release::memchr2(b'\n', b'\t', bytes)
}

fn count(bytes: &[u8]) -> usize {
    release::memchr_iter(b'\n', bytes).count()
}

fn word(bytes: &[u8]) -> Option<usize> {
    release::memmem::find(bytes, b"needle")
}
