//! Escapes foreign text for HTML and XML. There is no other way for it into these documents.

use bench_diff_system::text::lines;

/// Escapes a text for use between tags or in a quoted attribute. Invisible characters become visible escapes.
pub(super) fn escaped(text: &str) -> String {
    let signs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    signs.iter().fold(lines(text).into_owned(), |text, (sign, name)| text.replace(sign, name))
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escaped("<script>alert('x')</script> & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        );
        assert_eq!(escaped("a\u{202e}b\u{1b}[1m\u{0}"), "a\\u{202e}b\\u{1b}[1m\\u{0}");
        assert_eq!(escaped("größe/数数\nnext"), "größe/数数\nnext");
    }
}
