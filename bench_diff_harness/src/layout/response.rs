//! Response files, which hold the arguments of a linker if a command line would be too long.

/// The words in a response file, separated by blanks. A backslash quotes the next character, and quotes keep
/// everything between them.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(rest.next()),
            (_, Some(end)) if character == end => quote = None,
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_file_holds_words() {
        assert_eq!(words("-o \"a b\"\n'c\"d' e\\ f\\\\ \"\" g"), ["-o", "a b", "c\"d", "e f\\", "", "g"]);
        assert_eq!(words(" \n "), [""; 0]);
    }
}
