//! The top of the page: the number of pairs with each outcome, and the pairs that need a look.

use std::fmt::Write;

use super::table::anchor;
use crate::record::{Outcome, PairRecord};
use crate::report::escape::escaped;
use crate::report::pair_text::PairText;
use crate::report::run_so_far::RunSoFar;
use crate::report::{count, explain, phrase, sides};

/// The outcomes in the order of what they ask of a reader.
const OUTCOMES: [Outcome; 6] = [
    Outcome::Fail,
    Outcome::Error,
    Outcome::Inconclusive,
    Outcome::Pass,
    Outcome::Measured,
    Outcome::Ignored,
];

/// The outcomes that there are, in that order, and how many pairs have each.
pub(super) fn outcomes(pairs: &[PairRecord]) -> Vec<(Outcome, usize)> {
    let count = |outcome| pairs.iter().filter(|pair| pair.outcome() == outcome).count();
    let mut outcomes = OUTCOMES.map(|outcome| (outcome, count(outcome))).to_vec();
    outcomes.retain(|(_, count)| *count > 0);
    outcomes
}

/// More than this many are left to the table.
const MOST: usize = 12;

/// The name of the run.
pub(super) fn title(so_far: &RunSoFar) -> String {
    so_far.titles().join(", ")
}

/// The outcome, in words.
pub(super) fn counts(so_far: &RunSoFar) -> String {
    count::judged(&so_far.counts()) + &count::besides(so_far)
}

pub(super) fn markup(so_far: &RunSoFar) -> String {
    let mut facts = sides::found(&so_far.start).to_vec();
    facts.extend(sides::matched(&so_far.start));
    facts.extend(so_far.facts());
    format!(
        "<header><h1>{}</h1><p class=counts>{}</p>{}<p class=q>{}</p>{}</header>",
        escaped(&title(so_far)),
        escaped(&counts(so_far)),
        shares(&so_far.pairs),
        escaped(&facts.join("\n")).replace("\n", "<br>"),
        needing_a_look(so_far)
    )
}

/// The outcomes as parts of a bar.
fn shares(pairs: &[PairRecord]) -> String {
    let mut bar = "<div class=bar aria-hidden=true>".to_owned();
    for (outcome, count) in outcomes(pairs) {
        let name = outcome.name();
        let _ = write!(bar, "<span class={name} style=\"flex:{count}\">{}</span>", outcome.shown());
    }
    bar + "</div>"
}

/// The pairs that did not pass, with links to them.
fn needing_a_look(so_far: &RunSoFar) -> String {
    let mut items = Vec::new();
    for outcome in &OUTCOMES[..3] {
        for pair in so_far.pairs.iter().filter(|pair| pair.outcome() == *outcome) {
            let (name, anchor, why) = (escaped(&pair.name), anchor(pair), escaped(&why(pair)));
            items.push(format!("<li class={}><a href=\"#{anchor}\">{name}</a> {why}", outcome.name()));
        }
    }
    if items.is_empty() {
        return String::new();
    }
    let more = items.len().saturating_sub(MOST);
    items.truncate(MOST);
    if more > 0 {
        items.push(format!("<li>and {more} more in the table"));
    }
    format!("<h2>To look at</h2><ul class=look>{}</ul>", items.concat())
}

/// In one line.
fn why(pair: &PairRecord) -> String {
    let word = phrase::verdict(pair, usize::MAX);
    let summary = || PairText::of(pair).map(PairText::summary);
    match explain::cause(pair).map(str::to_owned).or_else(summary) {
        Some(why) => format!("{word}: {why}"),
        None => word,
    }
}
