fn graphemes(text: &str) -> usize {
    release::UnicodeSegmentation::graphemes(text, true).count()
}

fn graphemes_from_behind(text: &str) -> usize {
    release::UnicodeSegmentation::grapheme_indices(text, true).rev().count()
}

fn words(text: &str) -> usize {
    release::UnicodeSegmentation::unicode_words(text).count()
}

fn bounds_of_words(text: &str) -> usize {
    release::UnicodeSegmentation::split_word_bounds(text).count()
}

fn sentences(text: &str) -> usize {
    release::UnicodeSegmentation::unicode_sentences(text).count()
}
