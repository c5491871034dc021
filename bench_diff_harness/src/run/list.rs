//! The pairs of a bench binary, listed by a child process: `args` are the user's code, which the run itself
//! does not call.

use std::process::Stdio;
use std::time::Duration;

use bench_diff_system::executable::Executable;
use bench_diff_system::temporary::TempFolder;

use super::fault::Fault;
use super::protocol::{Line, ListedRecord, Request};
use super::started::Started;
use crate::plan::{ListedPair, Listing, OtherPair};
use crate::register::{Location, Names, PairEntry, name_of};
use crate::settings::{ManifestSettings, TimeLimit};

/// Lets child processes list the pairs of these attributes. The timeout applies to each process. If a process
/// ends at an attribute, the next process goes on after that attribute. The pairs get the settings of the
/// manifest.
///
/// # Errors
///
/// If no process can be started, or two pairs have the same name.
pub(crate) fn list(
    attributes: &[PairEntry],
    manifest: &ManifestSettings,
    timeout: Option<&TimeLimit>,
) -> Result<Listing, String> {
    if attributes.is_empty() {
        return Ok(Listing::default());
    }
    let all = all_in(&Executable::this()?, &TempFolder::of_run()?, timeout)?;
    listing_of(attributes, all, manifest)
}

/// The pairs of these attributes, given what processes list for each.
fn listing_of(
    attributes: &[PairEntry],
    all: Vec<Result<Vec<ListedRecord>, Fault>>,
    manifest: &ManifestSettings,
) -> Result<Listing, String> {
    let mut listing = Listing::default();
    let mut names = Names::default();
    for (index, (entry, records)) in attributes.iter().zip(all).enumerate() {
        match records {
            Ok(records) => {
                if records.is_empty() {
                    listing.without_pairs.push(format!("{} ({})", name_of(entry), entry.location));
                }
                for (key, record) in ListedRecord::with_keys(index, records) {
                    let name = names.of(&record.label);
                    if name != record.name && !key.is_named_by_front_end() && !record.is_unlisted {
                        return Err(named_twice(&listing.pairs, &record.name, entry.location));
                    }
                    listing.pairs.push(record.of(key, entry, name, manifest));
                }
            }
            Err(fault) => {
                let (name, reason) = (names.of(&name_of(entry)), format!("{WHILE_LISTED}{fault}"));
                listing.pairs.push(ListedPair::unknown(entry, name, reason));
            }
        }
    }
    Ok(listing)
}

/// The functions of a bench binary, which may be the old one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Functions {
    /// In the order of the source.
    pub(crate) pairs: Vec<OtherPair>,
    /// Why others are not known.
    pub(crate) unknown: Vec<String>,
}

/// The functions of this binary, and why it cannot list the others.
///
/// # Errors
///
/// If the functions cannot be listed for another reason than their own `args`.
pub(crate) fn functions_of(program: &Executable, timeout: Option<&TimeLimit>) -> Result<Functions, String> {
    let mut functions = Functions::default();
    let folder = TempFolder::of_run()?;
    let all = all_in(program, &folder, timeout)?;
    let count = all.len();
    for (index, records) in all.into_iter().enumerate() {
        match records {
            Ok(records) => {
                for (key, record) in ListedRecord::with_keys(index, records) {
                    match record.of_other(key) {
                        Ok(pair) => functions.pairs.push(pair),
                        Err(why) => functions.unknown.push(why),
                    }
                }
            }
            Err(fault) => {
                let reason = format!("{WHILE_LISTED}{fault}");
                let without = (0..count).filter(|other| *other != index).collect();
                let request = Request { without, ..Request::default() };
                let again = || Lines::of(program, &folder, request, timeout).map(|lines| lines.fault);
                if !fault.is_own_end() || !again()?.is_some_and(|fault| fault.is_own_end()) {
                    return Err(format!(
                        "bench_diff cannot list the functions of the old revision: {reason}"
                    ));
                }
                functions.unknown.push(reason);
            }
        }
    }
    Ok(functions)
}

const WHILE_LISTED: &str = "while its `args` were listed: ";

/// The lines of one listing process.
struct Lines {
    /// The number of attributes in the binary; `None` if it is not a bench binary.
    count: Option<usize>,
    /// The pairs of the requested attributes, up to the first one that could not be listed.
    pairs: Vec<Vec<ListedRecord>>,
    /// Why that one could not be listed.
    fault: Option<Fault>,
}

impl Lines {
    /// Lists the pairs with a process of this binary that leaves out some attributes.
    fn of(
        program: &Executable,
        folder: &TempFolder,
        request: Request,
        timeout: Option<&TimeLimit>,
    ) -> Result<Self, Fault> {
        let left_out = request.without.len();
        let Started { process, mut reader, mut output, folder: _folder } =
            Started::new(program, folder, request, Stdio::null())?;
        let end = process.ended_within(timeout.map_or(Duration::MAX, |limit| limit.time));
        let end = end.unwrap_or_else(|| timeout.map(Fault::late).map_or(Ok(()), Err));
        // If the process took too long, this ends it.
        drop(process);
        output.show(output.length());
        let (mut count, mut pairs) = (None, Vec::new());
        while let Some(Ok(line)) = reader.line() {
            match line {
                Line::Attributes(attributes) => count = Some(attributes),
                Line::Pairs(of_attribute) => pairs.push(of_attribute),
                _ => {}
            }
        }
        let end = reader.explained(end);
        let mut is_whole = count.is_some_and(|count| left_out + pairs.len() >= count);
        if is_whole && matches!(end, Err(Fault::Exited(_))) {
            // The last attribute is blamed, which may be a `main` that is written by hand.
            is_whole = pairs.pop().is_none();
        }
        let fault = (!is_whole).then(|| end.err().unwrap_or(Fault::Exited(0)));
        Ok(Self { count, pairs, fault })
    }
}

/// For each attribute, the pairs that processes of this binary list, or why a process ended at it.
fn all_in(
    program: &Executable,
    folder: &TempFolder,
    timeout: Option<&TimeLimit>,
) -> Result<Vec<Result<Vec<ListedRecord>, Fault>>, Fault> {
    let mut all = Vec::new();
    loop {
        let request = Request { without: (0..all.len()).collect(), ..Request::default() };
        let Lines { count, pairs, fault } = Lines::of(program, folder, request, timeout)?;
        all.extend(pairs.into_iter().map(Ok));
        match (fault, count) {
            (None, _) => return Ok(all),
            (Some(fault), None) => return Err(fault.without_any_answer()),
            (Some(fault), Some(_)) => all.push(Err(fault)),
        }
    }
}

/// The error about a pair here whose name one of the pairs before it has.
fn named_twice(pairs: &[ListedPair], name: &str, location: Location) -> String {
    let first = pairs.iter().find(|pair| pair.name == name).map_or(location, |pair| pair.location);
    format!(
        "two pairs are named `{name}`: {first} and {location}; \
         give one of them another name with `#[bench_diff(name = \"...\")]`"
    )
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Gate;

    use super::*;
    use crate::fixture::{entry, equal};
    use crate::plan::digest;
    use crate::register::{Cases, cases_of};
    use crate::settings::defaults;

    /// The pairs of these attributes under these settings of the manifest.
    fn pairs(attributes: &[PairEntry], manifest: &str) -> Result<Vec<ListedPair>, String> {
        let records = |entry| cases_of(entry).iter().map(|case| ListedRecord::new(entry, case)).collect();
        let all = attributes.iter().map(|entry| Ok(records(entry))).collect();
        let manifest = ManifestSettings::parse(manifest)?;
        listing_of(attributes, all, &manifest).map(|listing| listing.pairs)
    }

    #[test]
    fn an_error_about_equal_names_shows_both_locations() {
        let error = pairs(&[entry("a", 10, equal), entry("a", 20, equal)], "").unwrap_err();
        assert!(error.contains("`a`: benches/sorting.rs:10 and benches/sorting.rs:20"), "{error}");
        assert!(error.contains("name ="), "{error}");
    }

    #[test]
    fn what_an_old_side_could_not_list_is_none_of_its_functions() {
        let breaks_off = entry("files", 10, |cases| {
            cases.add(|_| {});
            panic!("no file");
        });
        let records = cases_of(&breaks_off).iter().map(|case| ListedRecord::new(&breaks_off, case)).collect();
        let listed = ListedRecord::with_keys(0, records).map(|(key, record)| record.of_other(key));
        let [Ok(pair), Err(why)] = &listed.collect::<Vec<_>>()[..] else { panic!("one pair and one error") };
        assert_eq!((&*pair.name, &pair.unmeasurable), ("files", &None));
        assert!(why.starts_with("`files`: panicked at ") && why.ends_with("no file"), "{why}");
    }

    #[test]
    fn equal_names_from_a_bench_are_numbered() {
        let twice =
            |cases: &mut Cases<'_>| ["x", "x"].iter().for_each(|name| cases.add_named(name, 0, |_| {}));
        let names = |attributes: &[PairEntry]| {
            let pairs = pairs(attributes, "").unwrap();
            pairs.into_iter().map(|pair| (pair.name, pair.key.name)).collect::<Vec<_>>()
        };
        let expected = [("x", "x"), ("x#2", "x#2"), ("x#3", "x"), ("x#4", "x#2")];
        assert_eq!(
            names(&[entry("a", 10, twice), entry("b", 20, twice)]),
            expected.map(|(name, key)| (name.to_owned(), digest(key)))
        );
        let failing = |cases: &mut Cases<'_>| {
            cases.add_named("a", 0, |_| {});
            panic!("no file");
        };
        assert_eq!(
            names(&[entry("a", 10, failing)]),
            ["a", "a#2"].map(|name| (name.to_owned(), digest("a")))
        );
        let same = [entry("a", 10, equal), entry("a", 20, equal).may_share_names()];
        assert_eq!(names(&same), ["a", "a#2"].map(|name| (name.to_owned(), digest("a"))));
        let settings = "[[package.metadata.bench_diff.settings]]\nname = \"a#2\"\nmax_slowdown = \"50%\"\n";
        let gates = pairs(&same, settings).unwrap().into_iter().map(|pair| pair.gate);
        assert_eq!(gates.collect::<Vec<_>>(), [defaults::GATE, Gate::MaxSlowdown(0.5)]);
    }
}
