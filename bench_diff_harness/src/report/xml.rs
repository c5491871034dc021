//! An XML document with each element on its own line. The libraries for it also read XML, which takes longer
//! to compile than any other dependency of the harness.

use std::fmt::{Display, Write};

use super::escape::escaped;

const INDENT: usize = 4;

/// The attributes of an element, in their order.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// A document in the making.
pub(super) struct Xml {
    text: String,
    /// The number of open elements.
    depth: usize,
}

impl Xml {
    pub(super) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 }
    }

    /// Adds an element with the elements that `content` adds.
    pub(super) fn element(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        content: &mut dyn FnMut(&mut Self),
    ) {
        self.line(&format!("<{name}{}>", shown(attributes)));
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    /// Adds an element with this text, whose blanks are kept.
    pub(super) fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.line(&format!("<{name}{}>{}</{name}>", shown(attributes), escaped(text)));
    }

    /// Adds an element without content.
    pub(super) fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.line(&format!("<{name}{}/>", shown(attributes)));
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = INDENT * self.depth);
    }
}

impl From<Xml> for String {
    fn from(xml: Xml) -> Self {
        xml.text
    }
}

fn shown(attributes: Attributes<'_>) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(&value.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stand_within_each_other() {
        let mut xml = Xml::new();
        xml.element("all", &[("count", &2)], &mut |all| {
            all.text("one", &[], " a < b\n \"c\" ");
            all.element("two", &[("name", &"'x' & \"y\""), ("at", &1.5)], &mut |two| two.empty("three", &[]));
        });
        let text = String::from(xml);
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<all count=\"2\">\n    \
             <one> a &lt; b\n &quot;c&quot; </one>\n    \
             <two name=\"&#39;x&#39; &amp; &quot;y&quot;\" at=\"1.5\">\n        <three/>\n    </two>\n</all>\n"
        );
        let read = roxmltree::Document::parse(&text).unwrap();
        let one = read.descendants().find(|node| node.has_tag_name("one")).unwrap();
        assert_eq!(one.text(), Some(" a < b\n \"c\" "));
        let two = read.descendants().find(|node| node.has_tag_name("two")).unwrap();
        assert_eq!(two.attribute("name"), Some("'x' & \"y\""));
    }
}
