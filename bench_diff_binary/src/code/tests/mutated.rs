//! Changes of a program, byte by byte, each of which a walk has to notice.

use super::same::assert_alike;
use super::*;
use crate::code::harmless::file_of_location;
use crate::code::program::{Header, Target};
use crate::code::walk::Walk;

/// Pseudo-random numbers, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Returns whether two sections have equal content, so that exchanging them changes nothing.
fn are_equal(program: &Program, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|section| &program.sections[section]);
    one.header == other.header && one.bytes == other.bytes
}

/// Changes something that a walk reached, and describes the change; `None` if the change means nothing.
fn mutate(
    program: &mut Program,
    reached: &[usize],
    parts: &[Root],
    locations: &[usize],
    draw: &mut Draw,
) -> Option<String> {
    let flip = 1 << draw.below(8);
    match draw.below(10) {
        // A byte of merged data.
        0 if !parts.is_empty() => {
            let part = parts[draw.below(parts.len())];
            let length = program.sections[part.section].part(part.offset)?.len();
            let at = part.offset as usize + draw.below(length);
            program.sections[part.section].bytes[at] ^= flip;
            Some(format!("byte {at} of merged data"))
        }
        // A panic location, except its line and column, which the proof ignores.
        1 if !locations.is_empty() => {
            let section = &mut program.sections[locations[draw.below(locations.len())]];
            let what = draw.below(9);
            match what {
                0 => section.references[0].at ^= u64::from(flip),
                1 => section.references[0].addend ^= i64::from(flip),
                2 => section.references[0].kind ^= u32::from(flip),
                3 => section.header.align ^= u64::from(flip),
                6 => section.header.flags ^= u64::from(flip),
                4 => {
                    section.symbol.insert_str(0, "own");
                    section.bytes[16] ^= flip;
                }
                5 => section.bytes[16 + 4 * draw.below(2)..][..4].fill(0),
                _ => section.bytes[draw.below(16)] ^= flip,
            }
            Some(format!("a location, its part {what}"))
        }
        kind => {
            let section = reached[draw.below(reached.len())];
            let name = program.sections[section].name();
            let count = program.sections.len();
            let of = &mut program.sections[section];
            if kind < 6 {
                let at = draw.below(of.bytes.len().max(1));
                *of.bytes.get_mut(at)? ^= flip;
                return Some(format!("byte {at} of {name}"));
            }
            if kind == 6 {
                let Header { flags, align, size, .. } = &mut of.header;
                *[flags, align, size][draw.below(3)] ^= u64::from(flip);
                return Some(format!("the header of {name}"));
            }
            let index = draw.below(of.references.len().max(1));
            let before = of.references.get(index)?.clone();
            let reference = &mut of.references[index];
            let what = draw.below(5);
            match what {
                0 => reference.at ^= u64::from(flip),
                1 => reference.addend ^= i64::from(flip),
                2 => reference.kind ^= u32::from(flip),
                3 => drop(of.references.remove(index)),
                _ => {
                    let Target::Place(root) = &mut reference.to else { return None };
                    let (old, new) = (root.section, draw.below(count));
                    root.section = new;
                    let now = &program.sections[section].references[index];
                    let [file, other] = [&before, now].map(|reference| file_of_location(program, reference));
                    if are_equal(program, old, new) || file.is_some() && file == other {
                        return None;
                    }
                }
            }
            Some(format!("reference {index} of {name}, its part {what}"))
        }
    }
}

/// Makes this many changes to the code and data that a walk has reached. The next walk has to notice each
/// one.
pub(super) fn assert_seen(mutations: usize, seed: u64, options: &[&str]) {
    let options = [&["--cfg=single"], options].concat();
    let one = program(ALIKE, &options);
    let root = one.named("all_1").unwrap();
    let none = &HashSet::new();
    let called = Called { program: &one, roots: &[root], others: none, idle: none, counters: COUNTERS };
    let mut walk = Walk::new([called, called], None);
    assert!(walk.run().is_ok());
    let mut reached: Vec<usize> = walk.reached.keys().map(|pair| pair[0]).collect();
    reached.sort_unstable();
    let (mut locations, mut parts) = (Vec::new(), Vec::new());
    let of_reached = reached.iter().flat_map(|section| &one.sections[*section].references);
    for reference in of_reached {
        match reference.to {
            Target::Place(root) if file_of_location(&one, reference).is_some() => {
                locations.push(root.section);
            }
            Target::Place(root) if one.sections[root.section].is_merged() => parts.push(root),
            _ => {}
        }
    }
    for location in &locations {
        let Target::Place(file) = one.sections[*location].references[0].to else { unreachable!() };
        parts.push(file);
    }
    locations.sort_unstable();
    locations.dedup();
    parts.sort_unstable_by_key(|part| (part.section, part.offset));
    parts.dedup();
    assert!(
        reached.len() > 40 && locations.len() > 2 && parts.len() > 5,
        "{reached:?} {locations:?} {parts:?}"
    );

    let mut other = one.clone();
    assert_eq!(same(&one, root, &other, root), Ok(()));
    let mut draw = Draw(seed);
    let mut done = 0;
    while done < mutations {
        if let Some(what) = mutate(&mut other, &reached, &parts, &locations, &mut draw) {
            other.find_referrers();
            assert_ne!(same(&one, root, &other, root), Ok(()), "{what}");
            done += 1;
        }
        for (section, original) in other.sections.iter_mut().zip(&one.sections) {
            if section.bytes != original.bytes
                || section.references != original.references
                || section.header != original.header
                || section.symbol != original.symbol
            {
                section.clone_from(original);
            }
        }
    }
    other.find_referrers();
    assert_eq!(same(&one, root, &other, root), Ok(()));
}

#[test]
fn whatever_is_changed_is_seen() {
    assert_seen(500, 1, &["-Ccodegen-units=4"]);
}

/// Takes minutes.
#[test]
#[ignore = "like the test above, with 60 times as many changes"]
fn whatever_is_changed_is_seen_each_of_many_times() {
    assert_seen(10_000, 2, &["-Ccodegen-units=1"]);
    assert_seen(10_000, 3, &["-Ccodegen-units=16"]);
    assert_seen(10_000, 4, &["-Clto=fat"]);
}

/// Takes minutes.
#[test]
#[ignore = "like the test above, with 100 times as many changes"]
fn whatever_is_changed_for_aarch64_is_seen() {
    let Some([target, linker]) = for_aarch64() else { return };
    assert_alike(&[target, linker, "-Ccodegen-units=1"]);
    assert_seen(10_000, 2, &[target, linker, "-Ccodegen-units=1"]);
    assert_seen(10_000, 3, &[target, linker, "-Ccodegen-units=16"]);
}
