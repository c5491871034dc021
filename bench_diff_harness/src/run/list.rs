//! The pairs of a program, as a process of it lists them: `args` are code of the user, which the run does
//! not call.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::end;
use super::protocol::{ListedRecord, Request};
use super::started::{Started, folder};
use crate::plan::{ListedPair, Listing, OtherPair};
use crate::register::attributes;
use crate::settings::TimeLimit;
use crate::system::executable;

/// Has processes list the pairs, each for no longer than this, and with digests of args if they are shown.
/// Where one ends at an attribute, the next one goes on behind that.
///
/// # Errors
///
/// That no process can be started, or that two pairs have one name.
pub(crate) fn list(timeout: Option<&TimeLimit>, shows_args: bool) -> Result<Listing, String> {
    let attributes = attributes();
    let mut listing = Listing::default();
    if attributes.is_empty() {
        return Ok(listing);
    }
    let all = all_in(&executable::path()?, timeout, shows_args)?;
    for (place, (entry, records)) in attributes.iter().zip(all).enumerate() {
        match records {
            Ok(records) => {
                listing.pairs.extend(records.into_iter().map(|record| record.of(place, entry)));
            }
            Err(reason) => {
                listing.pairs.push(ListedPair::unknown(entry, reason));
                listing.fatal.push(place);
            }
        }
    }
    refuse_twins(&listing.pairs)?;
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
/// If the functions cannot be listed; the text says why.
pub(crate) fn functions_of(program: &Path, timeout: Option<&TimeLimit>) -> Result<Functions, String> {
    let mut functions = Functions::default();
    for (place, records) in all_in(program, timeout, true)?.into_iter().enumerate() {
        match records {
            Ok(records) => {
                functions.pairs.extend(records.into_iter().map(|record| record.of_other(place)));
            }
            Err(reason) => functions.unknown.push(reason),
        }
    }
    Ok(functions)
}

/// The pairs that processes of this program list for each attribute, or the reason that they cannot.
fn all_in(
    program: &Path,
    timeout: Option<&TimeLimit>,
    shows_args: bool,
) -> Result<Vec<Result<Vec<ListedRecord>, String>>, String> {
    let folder = folder()?;
    let mut all = Vec::new();
    loop {
        let request = Request { without: (0..all.len()).collect(), shows_args, ..Request::default() };
        let Started { process, mut reader, mut output, folder: _folder } =
            Started::new(program, &folder, request, Stdio::null())?;
        let end = match timeout {
            None => process.ended_within(Duration::MAX).map_or(Ok(()), end::result),
            Some(limit) => {
                process.ended_within(limit.time).map_or_else(|| Err(end::too_late(limit)), end::result)
            }
        };
        // A process that took too long goes with its value.
        drop(process);
        output.show(output.length());
        let mut count = None;
        while let Some(Ok(line)) = reader.line() {
            count = count.or(line.attributes);
            all.extend(line.pairs.map(Ok));
        }
        let reason = end.err().unwrap_or_else(|| end::with_code(0));
        match count {
            // It is no process of a bench.
            None => return Err(reason),
            Some(count) if all.len() >= count => return Ok(all),
            Some(_) => all.push(Err(format!("while its `args` were listed: {reason}"))),
        }
    }
}

fn refuse_twins(pairs: &[ListedPair]) -> Result<(), String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        if let Some(first) = seen.insert(&pair.name, place) {
            return Err(format!(
                "two pairs are named `{}`: {} and {}; \
                 give one of them another name with `#[bench_diff(name = \"...\")]`",
                pair.name, pairs[first].location, pair.location
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, listing};

    #[test]
    fn one_name_twice_shows_both_places() {
        let error =
            refuse_twins(&listing(&[entry("a", 10, equal), entry("a", 20, equal)]).pairs).unwrap_err();
        assert!(error.contains("`a`: benches/sorting.rs:10 and benches/sorting.rs:20"), "{error}");
        assert!(error.contains("name ="), "{error}");
    }
}
