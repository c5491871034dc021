fn of_text(text: &str) -> usize {
    release::UnicodeWidthStr::width(text)
}

fn of_text_in_east_asia(text: &str) -> usize {
    release::UnicodeWidthStr::width_cjk(text)
}

fn of_characters(text: &str) -> usize {
    text.chars().filter_map(release::UnicodeWidthChar::width).sum()
}

fn of_characters_in_east_asia(text: &str) -> usize {
    text.chars().filter_map(release::UnicodeWidthChar::width_cjk).sum()
}
