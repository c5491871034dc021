//! The features of the package of a bench: each side has its own defaults, and beside them what is on here
//! and no default.

use std::collections::{BTreeSet, HashMap};

/// The features of a package, and what each of them turns on.
pub(super) type Features = HashMap<String, Vec<String>>;

const DEFAULT: &str = "default";

/// The features of the other side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The arguments of cargo that turn them on.
    pub(super) arguments: Vec<String>,
    /// Which of the features that both sides have are on in one of them alone: `feature simd: off there, on
    /// here`.
    pub(super) differ: Vec<String>,
}

/// Chooses the features of the other side, which has these, where those that are `on` are on here.
pub(super) fn chosen(on: &[&str], here: &Features, there: &Features) -> Chosen {
    let by_default = if on.contains(&DEFAULT) { turned_on(here, &[DEFAULT]) } else { BTreeSet::new() };
    // A feature that is new has no code there.
    let is_asked = |name: &&str| !by_default.contains(name) && there.contains_key(*name);
    let mut asked: Vec<&str> = on.iter().copied().filter(is_asked).collect();
    let mut arguments = vec![format!("--features={}", asked.join(","))];
    // Where there are no defaults here, nobody can have left them out.
    if on.contains(&DEFAULT) || !here.contains_key(DEFAULT) {
        asked.push(DEFAULT);
    } else {
        arguments.push("--no-default-features".to_owned());
    }
    let on_there = turned_on(there, &asked);
    let word = |is_on| if is_on { "on" } else { "off" };
    let mut of_both: Vec<&str> =
        there.keys().filter(|name| here.contains_key(*name)).map(|name| &**name).collect();
    of_both.sort_unstable();
    let differ = of_both.into_iter().filter(|name| *name != DEFAULT).filter_map(|name| {
        let [is_on_there, is_on_here] = [on_there.contains(name), on.contains(&name)];
        let differs = is_on_there != is_on_here;
        differs.then(|| format!("feature {name}: {} there, {} here", word(is_on_there), word(is_on_here)))
    });
    Chosen { arguments, differ: differ.collect() }
}

/// These features, and all that they turn on.
fn turned_on<'a>(features: &'a Features, names: &[&str]) -> BTreeSet<&'a str> {
    let mut on = BTreeSet::new();
    let mut next: Vec<&str> = names.to_vec();
    while let Some(name) = next.pop() {
        if let Some((name, more)) = features.get_key_value(name)
            && on.insert(&**name)
        {
            // A feature of a dependency turns that on.
            next.extend(more.iter().map(|name| name.split_once('/').map_or(&**name, |(name, _)| name)));
        }
    }
    on
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(list: &[(&str, &[&str])]) -> Features {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        list.iter().map(|(name, more)| ((*name).to_owned(), owned(more))).collect()
    }

    /// The arguments of the features that the other side has then, and what differs.
    fn of(on: &[&str], here: &Features, there: &Features) -> (String, Vec<String>) {
        let Chosen { arguments, differ } = chosen(on, here, there);
        (arguments.join(" "), differ)
    }

    #[test]
    fn what_was_asked_for_is_on_in_both() {
        let std = ["alloc", "dep:x", "serde/std", "weak?/std"];
        let optional: [(&str, &[&str]); 4] =
            [("alloc", &[]), ("simd", &[]), ("serde", &["dep:serde"]), ("weak", &[])];
        let same = features(&[&[("default", &["std"][..]), ("std", &std)][..], &optional].concat());
        let on = ["alloc", "default", "serde", "simd", "std"];
        assert_eq!(of(&on, &same, &same), ("--features=simd".to_owned(), vec![]));
        assert_eq!(
            of(&["alloc"], &same, &same),
            ("--features=alloc --no-default-features".to_owned(), vec![])
        );
        assert_eq!(of(&on, &same, &features(&[])), ("--features=".to_owned(), vec![]));
        assert_eq!(of(&[], &features(&[]), &features(&[])), ("--features=".to_owned(), vec![]));
    }

    #[test]
    fn each_side_has_its_own_defaults() {
        let plain = features(&[("default", &[]), ("simd", &[])]);
        let fast = features(&[("default", &["simd"]), ("simd", &[])]);
        let none = "--features=".to_owned();
        let differs = |words: &str| (none.clone(), vec![words.to_owned()]);
        assert_eq!(of(&["default", "simd"], &fast, &plain), differs("feature simd: off there, on here"));
        assert_eq!(of(&["default"], &plain, &fast), differs("feature simd: on there, off here"));
        // Its defaults are on although there are none here.
        assert_eq!(of(&[], &features(&[]), &fast), (none.clone(), vec![]));
        assert_eq!(of(&[], &features(&[("simd", &[])]), &fast), differs("feature simd: on there, off here"));
    }
}
