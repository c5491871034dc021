//! The pairs of this program, as a process of it lists them: `args` are code of the user, which the run does
//! not call.

use std::collections::HashMap;
use std::time::Duration;

use super::end;
use super::protocol::{Line, ListedRecord};
use super::started::{Started, folder};
use crate::plan::{ListedPair, Listing};
use crate::register::attributes;
use crate::settings::TimeLimit;
use crate::system::executable;

/// Has processes list the pairs, each for no longer than this. Where one ends at an attribute, the next one
/// goes on behind that.
///
/// # Errors
///
/// That no process can be started, or that two pairs have one name.
pub(crate) fn list(timeout: Option<&TimeLimit>) -> Result<Listing, String> {
    let attributes = attributes();
    let mut listing = Listing::default();
    if attributes.is_empty() {
        return Ok(listing);
    }
    let (program, folder) = (executable::path()?, folder()?);
    let mut place = 0;
    while place < attributes.len() {
        let before: Vec<usize> = (0..place).collect();
        let started = Started::new(&program, &folder, &before, None)?;
        let (listed, end) = hear(started, timeout);
        for (entry, records) in attributes[place..].iter().zip(listed) {
            listing.pairs.extend(records.into_iter().map(|record| record.of(entry)));
            place += 1;
        }
        if let Some(entry) = attributes.get(place) {
            let reason = end.err().unwrap_or_else(|| end::with_code(0));
            let reason = format!("while its `args` were listed: {reason}");
            listing.pairs.push(ListedPair::unknown(entry, reason));
            listing.fatal.push(place);
            place += 1;
        }
    }
    refuse_twins(&listing.pairs)?;
    Ok(listing)
}

/// The pairs of the next attributes, as far as a process came, and how it ended.
fn hear(
    Started { process, mut listener, mut output, folder: _folder }: Started,
    timeout: Option<&TimeLimit>,
) -> (Vec<Vec<ListedRecord>>, Result<(), String>) {
    let end = match timeout {
        None => process.ended_within(Duration::MAX).map_or(Ok(()), end::result),
        Some(limit) => {
            process.ended_within(limit.time).map_or_else(|| Err(end::too_late(limit)), end::result)
        }
    };
    drop(process);
    output.show(output.length());
    let mut listed = Vec::new();
    while let Some(Ok(Line::Listed { pairs })) = listener.line() {
        listed.push(pairs);
    }
    (listed, end)
}

/// The pairs of an attribute, as they are listed.
#[cfg(test)]
pub(crate) fn listed(
    entry: &crate::register::PairEntry,
    pairs: &[crate::register::RegisteredPair],
) -> Vec<ListedPair> {
    pairs.iter().map(|pair| ListedRecord::new(entry, pair).of(entry)).collect()
}

fn refuse_twins(pairs: &[ListedPair]) -> Result<(), String> {
    let mut seen: HashMap<&str, &ListedPair> = HashMap::with_capacity(pairs.len());
    for pair in pairs {
        if let Some(first) = seen.insert(&pair.name, pair) {
            return Err(format!(
                "two pairs are named `{}`: {} and {}; \
                 give one of them another name with `#[bench_diff(name = \"...\")]`",
                pair.name, first.location, pair.location
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
