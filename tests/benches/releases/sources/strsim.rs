fn levenshtein(text: &str) -> usize {
    release::levenshtein(&text[..40], &text[6..50])
}

fn damerau_levenshtein(text: &str) -> usize {
    release::damerau_levenshtein(&text[..40], &text[6..50])
}

fn osa_distance(text: &str) -> usize {
    release::osa_distance(&text[..40], &text[6..50])
}

fn jaro_winkler(text: &str) -> f64 {
    release::jaro_winkler(&text[..40], &text[6..50])
}

fn hamming(text: &str) -> usize {
    release::hamming(text, text).unwrap_or(0)
}
