//! The anchors of pairs: what stands behind the `#` of a link to one.

use std::collections::HashSet;

/// Names that the page itself uses.
const TAKEN: &str = "pass fail inconclusive error measured grid ends zero shares linked pairs search count";

/// An anchor for each of these names, in their order: letters and digits stay what they are, so that a link
/// can be written by hand.
pub(super) fn anchors<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: HashSet<String> = TAKEN.split(' ').map(str::to_owned).collect();
    let mut free = |name: &str| {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() || "_-.:/".contains(c) { c } else { '-' }).collect();
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let anchor = [plain.clone()].into_iter().chain(numbered).find(|anchor| !taken.contains(anchor));
        let anchor = anchor.unwrap_or(plain);
        taken.insert(anchor.clone());
        anchor
    };
    names.map(&mut free).collect()
}

#[cfg(test)]
mod tests {
    use super::anchors;

    #[test]
    fn an_anchor_is_the_name_as_far_as_a_link_can_hold_it() {
        let names = ["sort::unstable/100", "a<u8>", "a(u8)", "größe", "pass", "x y\""];
        let expected = ["sort::unstable/100", "a-u8-", "a-u8--2", "größe", "pass-2", "x-y-"];
        assert_eq!(anchors(names.into_iter()), expected);
    }

    #[test]
    fn equal_names_have_anchors_of_their_own() {
        assert_eq!(anchors(["a", "a", "a-2", "a"].into_iter()), ["a", "a-2", "a-2-2", "a-3"]);
    }
}
