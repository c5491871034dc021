//! The four programs of a round: what lies where in them, and what becomes of one that fails.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use serde_json::Value;

use super::{LAYOUTS, TWICE_AS_JSON, make_executable};
use crate::fixture::{PLACES, Ran, WIDE};
use crate::home::Home;

impl Home {
    /// Runs a fixture whose programs are linked by a script, once its build is kept. The script has the call
    /// in its arguments, and the program of a round in `$program` after that.
    fn run_linked_by(&self, bench: &str, executable: &str, after: &str) -> Ran {
        let line = format!("{TWICE_AS_JSON} --max-rounds 8");
        let run = || self.run_in(executable, &line, &[LAYOUTS]);
        if !self.folder(bench).exists() {
            run().ends_with(101);
        }
        for call in ["link.json", "joined.json"] {
            let path = self.build_of(bench).join(call);
            let Ok(text) = fs::read(&path) else { continue };
            let mut link: Value = serde_json::from_slice(&text).unwrap();
            let script = self.path().join(call).with_extension("sh");
            let real = self.path().join(call).with_extension("real");
            if !real.exists() {
                fs::write(&real, link["linker"].as_str().unwrap()).unwrap();
            }
            let linker = fs::read_to_string(&real).unwrap();
            let text = format!(
                "#!/bin/sh\n'{linker}' \"$@\" || exit\nfor program; do case \"$program\" in\n\
                 *.script) ;;\n*/layout-*) {after};;\nesac; done\n"
            );
            fs::write(&script, text).unwrap();
            make_executable(&script);
            link["linker"] = script.to_str().unwrap().into();
            fs::write(&path, link.to_string()).unwrap();
        }
        run()
    }

    /// The programs of its first round that is linked and not tried out.
    fn programs_linked_by(&self, bench: &str, executable: &str) -> ([PathBuf; 4], Ran) {
        let copy = format!(
            "case \"$program\" in */layout-[1-9]-*) cp \"$program\" '{}';; esac",
            self.path().display()
        );
        let ran = self.run_linked_by(bench, executable, &copy);
        let of_round =
            |round| [0, 16, 32, 48].map(|place| self.path().join(format!("layout-{round}-{place}")));
        // A refused way of linking has taken the number of a round.
        let linked = (1..10).map(of_round).find(|programs| programs.iter().all(|program| program.exists()));
        (linked.unwrap(), ran)
    }
}

/// The places modulo 64 of what these sections hold, by name and program.
fn places(programs: &[PathBuf; 4], sections: &[&str], kind: SymbolKind) -> Vec<(String, [u64; 4])> {
    let mut places: BTreeMap<(String, usize), Vec<u64>> = BTreeMap::new();
    for program in programs {
        let bytes = fs::read(program).unwrap();
        let program = object::File::parse(&*bytes).unwrap();
        let mut of_a_name: BTreeMap<&str, usize> = BTreeMap::new();
        for symbol in program.symbols() {
            let section = symbol.section_index().map(|index| program.section_by_index(index).unwrap());
            let is_meant = section.is_some_and(|section| sections.contains(&section.name().unwrap()));
            if is_meant && symbol.kind() == kind && symbol.size() > 0 {
                let name = symbol.name().unwrap();
                let number = of_a_name.entry(name).or_default();
                places.entry((name.to_owned(), *number)).or_default().push(symbol.address() % 64);
                // Of one name there may be several, in the same order in each program.
                *number += 1;
            }
        }
    }
    places.into_iter().map(|((name, _), places)| (name, places.try_into().unwrap())).collect()
}

/// Checks that every function lies at each of four places once.
fn assert_balanced(programs: &[PathBuf; 4]) {
    let functions = places(programs, &[".text"], SymbolKind::Text);
    let (count, others) = unbalanced(&functions);
    assert!(count > 1000 && others.is_empty(), "{count}: {others:?}");
}

/// The number of functions, and the names of those that do not lie at each of four places once.
fn unbalanced(places: &[(String, [u64; 4])]) -> (usize, Vec<&str>) {
    let is_balanced = |at: &[u64; 4]| {
        let moved: HashSet<u64> = at.iter().map(|place| (place + 64 - at[0]) % 64).collect();
        moved == HashSet::from([0, 16, 32, 48])
    };
    let names = places.iter().filter(|(_, at)| !is_balanced(at)).map(|(name, _)| name.as_str());
    (places.len(), names.collect())
}

const DATA: [&str; 4] = [".rodata", ".data.rel.ro", ".data", ".bss"];

#[test]
fn every_function_lies_at_four_places_in_a_round_whose_programs_have_no_run() {
    let Some(home) = Home::with_build() else { return };
    let (programs, ran) = home.programs_linked_by("places", PLACES);
    ran.ends_with(101);
    assert_balanced(&programs);
    let data = places(&programs, &DATA, SymbolKind::Data);
    let is_wide = |name: &str| {
        let (_, at) = data.iter().find(|(other, _)| other == name).unwrap();
        at.iter().all(|place| place % 32 == 0)
    };
    let (count, others) = unbalanced(&data);
    assert!(count > 200 && others.iter().all(|name| is_wide(name)), "{count}: {others:?}");
    assert!(others.len() < count / 20, "{count}: {others:?}");
    // One order of all functions.
    let apart = |program: &Path| {
        let bytes = fs::read(program).unwrap();
        let program = object::File::parse(&*bytes).unwrap();
        let address = |start: &str| {
            let mut symbols = program.symbols();
            symbols.find(|symbol| symbol.name().unwrap().starts_with(start)).unwrap().address()
        };
        address("main").wrapping_sub(address("bench_diff_no_run"))
    };
    let orders: HashSet<u64> = programs.iter().map(|program| apart(program)).collect();
    assert_eq!(orders.len(), 1, "{orders:?}");
    assert!(!orders.contains(&apart(&home.path().join("layout-2-0"))));

    // Reports, settings and layouts are for the run alone.
    let [whole, cut] = [Path::new(PLACES), &programs[0]].map(|program| {
        let bytes = fs::read(program).unwrap();
        let program = object::File::parse(&*bytes).unwrap();
        program.section_by_name(".text").unwrap().size()
    });
    assert!(cut * 3 < whole * 2, "{cut} bytes of {whole}");
    let ran = home.run_in_layouts(programs[0].to_str().unwrap(), "--list").ends_with(2);
    ran.complains("error: this binary is one layout of a run");
}

/// As where joining fails.
#[test]
fn the_compiler_links_by_lld_what_cannot_be_joined() {
    let Some(home) = Home::with_build() else { return };
    fs::remove_file(home.build().join("joined.json")).unwrap();
    let (programs, ran) = home.programs_linked_by("places", PLACES);
    ran.ends_with(101);
    assert_balanced(&programs);
}

#[test]
fn code_that_asks_for_a_wide_boundary_keeps_no_other_from_being_moved() {
    let Some(home) = Home::with_linker() else { return };
    let (programs, ran) = home.programs_linked_by("wide", WIDE);
    ran.ends_with(101);
    let functions = places(&programs, &[".text"], SymbolKind::Text);
    let of = |wide: &str| functions.iter().find(|(name, _)| name == wide).unwrap().1;
    assert_eq!(of("bench_diff_wide"), [0; 4]);
    // As those of the programs: the places of a round are in this order.
    assert_eq!(of("bench_diff_half"), [0, 0, 32, 32]);
    let (count, others) = unbalanced(&functions);
    assert!(count > 1000 && others == ["bench_diff_half", "bench_diff_wide"], "{count}: {others:?}");
}

#[test]
fn a_round_that_fails_in_its_second_program_or_is_of_another_build_is_an_error() {
    let Some(home) = Home::with_build() else { return };
    let started = home.path().join("started");
    // A program of a round is now a script that counts its starts, the second of which fails.
    let fail = format!(
        "mv \"$program\" \"$program.real\"; {{ echo '#!/bin/sh'; \
         echo '[ \"$1\" = --bench-diff-try-out ] && exit 0; echo >> \"{started}\"; [ $(wc -l < \"{started}\") = 2 ] && exit 7'; \
         echo \"exec '$program.real' \\\"\\$@\\\"\"; }} > \"$program\"; chmod +x \"$program\"",
        started = started.display()
    );
    let ran = home.run_linked_by("places", PLACES, &fail).ends_with(3);
    let record = &ran.records()[0];
    assert_eq!(record["outcome"], "error", "{record}");
    assert!(record["reason"].as_str().unwrap().contains("with code 7"), "{record}");
    assert_eq!(fs::read_to_string(started).unwrap().lines().count(), 2);

    // Its rounds would be of two builds.
    let objects = home.build().join("objects");
    let touch = format!("case \"$program\" in */layout-2-*) touch '{}'/*;; esac", objects.display());
    let ran = home.run_linked_by("places", PLACES, &touch).ends_with(3);
    let record = &ran.records()[0];
    assert_eq!(record["outcome"], "error", "{record}");
    assert!(record["reason"].as_str().unwrap().contains("was rebuilt during the run"), "{record}");
}
