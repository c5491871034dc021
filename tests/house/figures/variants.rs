//! Variants of the measured functions, which cost the same, are different and many.

#[path = "../../benches/layouts/changes.rs"]
mod changes;

use std::collections::BTreeSet;

use changes::{KEPT, SOURCE, changed};

fn functions(source: &str) -> Vec<&str> {
    source.split("#[inline(never)]\npub fn ").skip(1).filter_map(|part| part.split('(').next()).collect()
}

#[test]
fn every_function_of_every_variant_is_changed_in_several_ways_but_those_that_are_kept() {
    let variants: BTreeSet<String> = (1..=20).map(changed).collect();
    assert_eq!(variants.len(), 20);
    for variant in &variants {
        let names = functions(variant);
        for name in functions(SOURCE) {
            assert!(names.contains(&name), "{name} is gone");
            let entry = format!("pub fn {name}(numbers: &[u64]) -> u64 {{\n    if numbers.");
            let through = format!("    {name}_with(numbers, ");
            let is_changed = variant.contains(&entry) || variant.contains(&through);
            assert_eq!(is_changed, !KEPT.contains(&name), "{name}");
        }
        assert!(variant.contains("_with(numbers, "), "no argument that nobody uses");
        assert!(variant.matches("return cold(").count() > 24, "few checks");
    }
}
