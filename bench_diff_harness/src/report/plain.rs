//! Text of others as plain text: what a function printed or returned may hold anything.

/// The text without escape sequences, and without the characters that are no text.
pub(super) fn plain(text: &str) -> String {
    let text = anstream::adapter::strip_str(text).to_string().replace("\r\n", "\n");
    let is_text =
        |c: &char| matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().filter(is_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_control_characters_are_left_out() {
        let text = "\u{1b}[1m\u{1b}[31mred\u{1b}[0m\r\n\tnext\u{0}\u{8}\u{7f}\u{85}\u{ffff} \u{fc}";
        assert_eq!(plain(text), "red\n\tnext \u{fc}");
    }
}
