//! Response files, which hold the arguments of a linker if a command line would be too long.

/// The bytes that mark a text in UTF-16. rustc writes such files for the linkers of Windows.
const MARK: [u8; 2] = [0xff, 0xfe];

/// The arguments in a response file.
pub(super) fn arguments(bytes: &[u8]) -> Vec<String> {
    let Some(wide) = bytes.strip_prefix(&MARK) else { return words(&String::from_utf8_lossy(bytes)) };
    let units: Vec<u16> = wide.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    String::from_utf16_lossy(&units).lines().map(unquoted).collect()
}

/// The words of a text, separated by blanks. A backslash quotes the next character, and quotes keep
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

/// The argument on a line of a response file for Windows. rustc puts it in quotes and escapes only quotes in
/// it: a backslash in a path stays a single backslash.
fn unquoted(line: &str) -> String {
    let inner = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    inner.replace("\\\"", "\"")
}

/// A response file with these arguments for a linker of Windows.
pub(super) fn for_windows(arguments: &[String]) -> Vec<u8> {
    let lines: String = arguments.iter().map(|argument| format!("{}\n", quoted(argument))).collect();
    MARK.into_iter().chain(lines.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

fn quoted(argument: &str) -> String {
    if !argument.contains([' ', '\t', '"']) {
        return argument.to_owned();
    }
    // A backslash at the end would escape the closing quote.
    let end = if argument.ends_with('\\') { "\\" } else { "" };
    format!("\"{}{end}\"", argument.replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_file_holds_words() {
        assert_eq!(words("-o \"a b\"\n'c\"d' e\\ f\\\\ \"\" g"), ["-o", "a b", "c\"d", "e f\\", "", "g"]);
        assert_eq!(arguments(b" \n "), [""; 0]);
    }

    #[test]
    fn a_response_file_for_windows_holds_lines() {
        let text = "\"/OUT:C:\\my bench\\a.exe\"\n\"C:\\lib\\\"\n\"/D\\\"a\\\"\"\n\"\u{e4}\"\n";
        let bytes: Vec<u8> = MARK.into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let read = ["/OUT:C:\\my bench\\a.exe", "C:\\lib\\", "/D\"a\"", "\u{e4}"];
        assert_eq!(arguments(&bytes), read);
        assert_eq!(arguments(&for_windows(&read.map(str::to_owned))), read);
        let quoted = for_windows(&["C:\\my lib\\".to_owned()]);
        assert_eq!(arguments(&quoted), ["C:\\my lib\\\\"], "the same folder");
    }
}
