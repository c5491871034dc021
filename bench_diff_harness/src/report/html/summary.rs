//! The top of the page: the number of pairs with each outcome, and the pairs that need attention.

use std::fmt::Write;

use super::table::anchor;
use crate::record::{Outcome, PairRecord};
use crate::report::escape::escaped;
use crate::report::pair_text::PairText;
use crate::report::whole_run::WholeRun;
use crate::report::{count, explain, phrase, sides};

/// The outcomes, from the one that needs attention most.
const OUTCOMES: [Outcome; 6] = [
    Outcome::Fail,
    Outcome::Error,
    Outcome::Inconclusive,
    Outcome::Pass,
    Outcome::Measured,
    Outcome::Ignored,
];

/// The outcomes that occur, in that order, with the number of pairs.
pub(super) fn outcomes(pairs: &[PairRecord]) -> Vec<(Outcome, usize)> {
    let count = |outcome| pairs.iter().filter(|pair| pair.outcome() == outcome).count();
    let mut outcomes = OUTCOMES.map(|outcome| (outcome, count(outcome))).to_vec();
    outcomes.retain(|(_, count)| *count > 0);
    outcomes
}

/// If there are more than this many, only the table shows the rest.
const MOST: usize = 12;

/// The name of the run.
pub(super) fn title(run: &WholeRun) -> String {
    run.titles().join(", ")
}

/// The outcome, in words.
pub(super) fn counts(run: &WholeRun) -> String {
    count::judged(&run.end) + &count::besides(run)
}

pub(super) fn markup(run: &WholeRun) -> String {
    let mut facts = sides::found(&run.start).to_vec();
    facts.extend(sides::matched(&run.start));
    facts.extend(run.facts());
    format!(
        "<header><h1>{}</h1><p class=counts>{}</p>{}<p class=q>{}</p>{}</header>",
        escaped(&title(run)),
        escaped(&counts(run)),
        shares(&run.pairs),
        escaped(&facts.join("\n")).replace("\n", "<br>"),
        needing_a_look(run)
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
fn needing_a_look(run: &WholeRun) -> String {
    let mut items = Vec::new();
    for outcome in &OUTCOMES[..3] {
        for pair in run.pairs.iter().filter(|pair| pair.outcome() == *outcome) {
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
