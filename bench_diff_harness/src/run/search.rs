//! The search of a process for the pairs that the run requests.

use crate::plan::{Names, PairKey, digest};

/// The visits of one attribute, in which a process looks for pairs.
///
/// Names of a front end may differ from process to process, as with the time in a name. A pair with both the
/// name and the position that the run knows is the requested one. If there is none, all names have to be
/// known first, so the attribute is visited once more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    attribute: usize,
    by: By,
    /// The names of the pairs that this visit has met so far, and the digest of the last one.
    met: Names,
    name: u64,
}

/// By what a requested pair is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum By {
    #[default]
    NameAndIndex,
    Name,
    Index,
}

impl Search {
    /// Begins a visit of this attribute.
    pub(super) fn begin(&mut self, attribute: usize) {
        let by = if attribute == self.attribute { self.by } else { By::default() };
        *self = Self { attribute, by, ..Self::default() };
    }

    /// Takes the next pair of the visit, which has this name.
    pub(super) fn meet(&mut self, name: &str) {
        self.met.add(name);
        self.name = digest(name);
    }

    /// Returns whether the last pair is the one with this key.
    pub(super) fn is_at(&self, key: PairKey) -> bool {
        let [is_name, is_index] = [key.name == self.name, key.index + 1 == self.met.count];
        key.attribute == self.attribute
            && match self.by {
                By::NameAndIndex => is_name && (is_index || !key.is_named_by_front_end()),
                By::Name => is_name,
                By::Index => is_index,
            }
    }

    /// Returns whether the last pair, which is the one with this key, has another name in this process.
    pub(super) fn is_renamed(&self, key: PairKey) -> bool {
        key.name != self.name
    }

    /// Returns whether another visit may find the pair with this key, after one that met all pairs of its
    /// attribute. If these are as many as in the process that listed them, and have other names, they are the
    /// same pairs.
    pub(super) fn goes_on(&mut self, key: PairKey) -> bool {
        if self.by != By::NameAndIndex || !key.is_named_by_front_end() {
            return false;
        }
        self.by = if key.names.are_renamed(self.met) { By::Index } else { By::Name };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the pairs that one process lists, as a front end names them.
    fn keys(names: &[&str]) -> Vec<PairKey> {
        let all = Names::of(names.iter().copied());
        let key = |(index, name)| PairKey { attribute: 1, name: digest(name), index, names: all };
        names.iter().copied().enumerate().map(key).collect()
    }

    /// The names of the pairs with these keys in another process, each with whether it is called renamed, if
    /// their attribute has these names in the visits of that process.
    fn found<'n>(keys: &[PairKey], visits: &[&[&'n str]]) -> Vec<Option<(&'n str, bool)>> {
        let found = |key: &PairKey| {
            let mut search = Search::default();
            for visit in visits {
                search.begin(1);
                for name in *visit {
                    search.meet(name);
                    if search.is_at(*key) {
                        return Some((*name, search.is_renamed(*key)));
                    }
                }
                if !search.goes_on(*key) {
                    break;
                }
            }
            None
        };
        keys.iter().map(found).collect()
    }

    #[test]
    fn names_that_differ_are_found_by_their_order() {
        let listed = keys(&["a", "at 1", "b", "at 2"]);
        let renamed: &[&str] = &["a", "at 3", "b", "at 4"];
        let again: &[&str] = &["a", "at 5", "b", "at 6"];
        let expected = [("a", false), ("at 5", true), ("b", false), ("at 6", true)];
        assert_eq!(found(&listed, &[renamed, again]), expected.map(Some));
        // The name of one pair in this process is that of another one in the run.
        let counted: &[&str] = &["2", "3"];
        assert_eq!(found(&keys(&["1", "2"]), &[counted, counted]), [Some(("2", true)), Some(("3", true))]);
    }

    #[test]
    fn names_in_another_order_are_the_same() {
        let other: &[&str] = &["b", "a"];
        assert_eq!(found(&keys(&["a", "b"]), &[other, other]), [Some(("a", false)), Some(("b", false))]);
    }

    #[test]
    fn a_name_that_is_new_or_gone_is_found_by_no_order() {
        let listed = keys(&["a", "b"]);
        for seen in [&["new", "a", "b"][..], &["b"], &["a", "new", "other"]] {
            let expected = ["a", "b"].map(|name| seen.contains(&name).then_some((name, false)));
            assert_eq!(found(&listed, &[seen, seen]), expected, "{seen:?}");
        }
    }

    #[test]
    fn names_of_the_attribute_are_found_by_no_order() {
        let own = keys(&["a/1"]).into_iter().map(|key| PairKey { names: Names::default(), ..key });
        assert_eq!(found(&own.collect::<Vec<_>>(), &[&["a/2"], &["a/2"]]), [None]);
    }
}
