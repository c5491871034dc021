//! Chooses the features of a bench's package. Each side has its own default features; the other features that
//! are on in the running bench are turned on in both.

use std::collections::{HashMap, HashSet};

/// The features of a package, and what each of them turns on.
pub(super) type Features = HashMap<String, Vec<String>>;

const DEFAULT: &str = "default";

/// What is built of the old side.
pub(super) struct Selection {
    /// The arguments that make cargo select it.
    pub(super) arguments: Vec<String>,
    /// The features that are on in the running bench and do not exist in the old package.
    pub(super) lacking: Vec<String>,
}

/// Selects in the old side the features that are `on` in this one.
pub(super) fn selected(on: &[&str], new: &Features, old: &Features) -> Selection {
    let by_default = if on.contains(&DEFAULT) { turned_on(new, &[DEFAULT]) } else { HashSet::new() };
    // A new feature has no code in the old revision.
    let wanted = on.iter().filter(|name| !by_default.contains(*name)).map(|name| (*name).to_owned());
    let (wanted, lacking): (Vec<String>, _) = wanted.partition(|name| old.contains_key(name));
    let mut arguments = vec![format!("--features={}", wanted.join(","))];
    // Without default features in this side, the user cannot have turned them off.
    if !on.contains(&DEFAULT) && new.contains_key(DEFAULT) {
        arguments.push("--no-default-features".to_owned());
    }
    Selection { arguments, lacking }
}

/// These features, and all features that they turn on.
fn turned_on<'a>(features: &'a Features, names: &[&str]) -> HashSet<&'a str> {
    let mut on = HashSet::new();
    let mut next: Vec<&str> = names.to_vec();
    while let Some(name) = next.pop() {
        if let Some((name, more)) = features.get_key_value(name)
            && on.insert(&**name)
        {
            // A feature of an optional dependency turns that dependency on.
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

    #[test]
    fn requested_features_are_on_in_both() {
        let of = |on: &[&str], new: &Features, old: &Features| selected(on, new, old).arguments.join(" ");
        let std = ["alloc", "dep:x", "serde/std", "weak?/std"];
        let optional: [(&str, &[&str]); 4] =
            [("alloc", &[]), ("simd", &[]), ("serde", &["dep:serde"]), ("weak", &[])];
        let same = features(&[&[("default", &["std"][..]), ("std", &std)][..], &optional].concat());
        let on = ["alloc", "default", "serde", "simd", "std"];
        assert_eq!(of(&on, &same, &same), "--features=simd");
        assert_eq!(of(&["alloc"], &same, &same), "--features=alloc --no-default-features");
        assert_eq!(of(&on, &same, &features(&[])), "--features=");
        assert_eq!(selected(&["serde", "simd"], &same, &features(&[("serde", &[])])).lacking, ["simd"]);
        assert_eq!(of(&[], &features(&[]), &features(&[])), "--features=");
        // Each side has its own defaults.
        let fast = features(&[("default", &["simd"]), ("simd", &[])]);
        assert_eq!(of(&["default", "simd"], &fast, &same), "--features=");
        assert_eq!(of(&[], &features(&[("simd", &[])]), &fast), "--features=");
    }
}
