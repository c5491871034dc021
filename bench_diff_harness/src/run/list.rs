//! The pairs of a program, as a process of it lists them: `args` are code of the user, which the run does
//! not call.

use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

use super::fault::{Fault, of_end};
use super::protocol::{ListedRecord, Request};
use super::started::Started;
use crate::plan::{ListedPair, Listing, OtherPair};
use crate::register::{Location, PairEntry};
use crate::settings::{ManifestSettings, TimeLimit};
use crate::system::executable::Executable;
use crate::system::temporary::TempFolder;

/// Has processes list the pairs of these attributes, each for no longer than this, and with digests of args
/// if they are shown. Where one ends at an attribute, the next one goes on behind that. Pairs have the
/// settings of the manifest.
///
/// # Errors
///
/// That no process can be started, or that two pairs have one name.
pub(crate) fn list(
    attributes: &[PairEntry],
    manifest: &ManifestSettings,
    timeout: Option<&TimeLimit>,
    shows_args: bool,
) -> Result<Listing, String> {
    let mut listing = Listing::default();
    if attributes.is_empty() {
        return Ok(listing);
    }
    let all = all_in(&Executable::this()?, timeout, shows_args)?;
    for (place, (entry, records)) in attributes.iter().zip(all).enumerate() {
        match records {
            Ok(records) => {
                listing.pairs.extend(records.into_iter().map(|record| record.of(place, entry, manifest)));
            }
            Err(fault) => {
                listing.pairs.push(ListedPair::unknown(entry, format!("{WHILE_LISTED}{fault}")));
            }
        }
    }
    tell_twins_apart(&mut listing.pairs)?;
    Ok(listing)
}

/// The functions of a program that may be another one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Functions {
    /// In the order of the source.
    pub(crate) pairs: Vec<OtherPair>,
    /// The reasons that some attributes have none.
    pub(crate) unknown: Vec<String>,
}

/// The functions of this program, without those of attributes of which it cannot tell.
///
/// # Errors
///
/// If the functions cannot be listed, and that is not the doing of their own `args`; the text says why.
pub(crate) fn functions_of(program: &Executable, timeout: Option<&TimeLimit>) -> Result<Functions, String> {
    let mut functions = Functions::default();
    let all = all_in(program, timeout, true)?;
    let count = all.len();
    for (place, records) in all.into_iter().enumerate() {
        match records {
            Ok(records) => {
                functions.pairs.extend(records.into_iter().map(|record| record.of_other(place)));
            }
            Err(fault) => {
                let reason = format!("{WHILE_LISTED}{fault}");
                let without = (0..count).filter(|other| *other != place).collect();
                let request = Request { without, ..Request::default() };
                let again = || Lines::of(program, request, timeout).map(|lines| lines.fault);
                if !fault.is_own_end() || !again()?.is_some_and(|fault| fault.is_own_end()) {
                    return Err(format!("bench_diff cannot list the functions of the other side: {reason}"));
                }
                functions.unknown.push(reason);
            }
        }
    }
    Ok(functions)
}

const WHILE_LISTED: &str = "while its `args` were listed: ";

/// What one process lists.
struct Lines {
    /// The number of attributes of the program; none where it is no program of a bench.
    count: Option<usize>,
    /// The pairs of the attributes that were asked for, up to the first that has none.
    pairs: Vec<Vec<ListedRecord>>,
    /// Why that one has none.
    fault: Option<Fault>,
}

impl Lines {
    /// The lines of a process of this program that leaves out these attributes.
    fn of(program: &Executable, request: Request, timeout: Option<&TimeLimit>) -> Result<Self, String> {
        let folder = TempFolder::of_run()?;
        let left_out = request.without.len();
        let Started { process, mut reader, mut output, folder: _folder } =
            Started::new(program, &folder, request, Stdio::null())?;
        let end = match timeout {
            None => process.ended_within(Duration::MAX).map_or(Ok(()), of_end),
            Some(limit) => process.ended_within(limit.time).map_or_else(|| Err(Fault::late(limit)), of_end),
        };
        // A process that took too long goes with its value.
        drop(process);
        output.show(output.length());
        let (mut count, mut pairs) = (None, Vec::new());
        while let Some(Ok(line)) = reader.line() {
            count = count.or(line.attributes);
            pairs.extend(line.pairs);
        }
        let is_whole = count.is_some_and(|count| left_out + pairs.len() >= count);
        let fault = (!is_whole).then(|| end.err().unwrap_or(Fault::Exited(0)));
        Ok(Self { count, pairs, fault })
    }
}

/// The pairs that processes of this program list for each attribute, or why a process ended at it.
fn all_in(
    program: &Executable,
    timeout: Option<&TimeLimit>,
    shows_args: bool,
) -> Result<Vec<Result<Vec<ListedRecord>, Fault>>, String> {
    let mut all = Vec::new();
    loop {
        let request = Request { without: (0..all.len()).collect(), shows_args, ..Request::default() };
        let Lines { count, pairs, fault } = Lines::of(program, request, timeout)?;
        all.extend(pairs.into_iter().map(Ok));
        match (fault, count) {
            (None, _) => return Ok(all),
            (Some(fault), None) => return Err(fault.to_string()),
            (Some(fault), Some(_)) => all.push(Err(fault)),
        }
    }
}

/// Numbers pairs of one name that may share it, and refuses others.
fn tell_twins_apart(pairs: &mut [ListedPair]) -> Result<(), String> {
    let mut seen: HashMap<String, Location> = HashMap::new();
    for pair in pairs {
        let mut number = 1;
        while let Some(first) = seen.get(&pair.name) {
            if !pair.may_share_name {
                return Err(format!(
                    "two pairs are named `{}`: {first} and {}; \
                     give one of them another name with `#[bench_diff(name = \"...\")]`",
                    pair.name, pair.location
                ));
            }
            number += 1;
            pair.name = format!("{}#{number}", pair.label);
        }
        seen.insert(pair.name.clone(), pair.location);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, listing};
    use crate::register::Cases;

    #[test]
    fn one_name_twice_shows_both_places() {
        let mut pairs = listing(&[entry("a", 10, equal), entry("a", 20, equal)]).pairs;
        let error = tell_twins_apart(&mut pairs).unwrap_err();
        assert!(error.contains("`a`: benches/sorting.rs:10 and benches/sorting.rs:20"), "{error}");
        assert!(error.contains("name ="), "{error}");
    }

    #[test]
    fn names_that_a_bench_gives_are_numbered() {
        let twice =
            |cases: &mut Cases<'_>| ["x", "x"].iter().for_each(|name| cases.add_named(name, 0, |_| {}));
        let mut pairs = listing(&[entry("a", 10, twice), entry("b", 20, twice)]).pairs;
        tell_twins_apart(&mut pairs).unwrap();
        let names: Vec<_> = pairs.iter().map(|pair| (pair.name.as_str(), pair.own_name.as_str())).collect();
        assert_eq!(names, [("x", "x"), ("x#2", "x#2"), ("x#3", "x"), ("x#4", "x#2")]);
        let mut pairs = listing(&[entry("a", 10, equal), entry("a", 20, equal).may_share_names()]).pairs;
        tell_twins_apart(&mut pairs).unwrap();
        let names: Vec<_> = pairs.iter().map(|pair| (pair.name.as_str(), pair.own_name.as_str())).collect();
        assert_eq!(names, [("a", "a"), ("a#2", "a")]);
    }
}
