//! The top of the page: what happened in a sentence, and the pairs that need attention.

use std::fmt::Write;

use bench_diff_system::order::sort_by_key;

use crate::html::{anchor, name};
use crate::record::{FailedGate, Outcome, PairRecord};
use crate::sink::WholeRun;
use crate::text::pair::PairText;
use crate::text::safe::escaped;
use crate::text::{explain, overall, phrase};

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
pub(crate) fn outcomes(pairs: &[PairRecord]) -> Vec<(Outcome, usize)> {
    let count = |outcome| pairs.iter().filter(|pair| pair.outcome() == outcome).count();
    let mut outcomes = OUTCOMES.map(|outcome| (outcome, count(outcome))).to_vec();
    outcomes.retain(|(_, count)| *count > 0);
    outcomes
}

/// The position of a pair in the table: failures come first, functions of unchanged machine code last.
pub(crate) fn attention(pair: &PairRecord) -> usize {
    let needing = OUTCOMES.iter().position(|outcome| *outcome == pair.outcome());
    let needing = needing.filter(|_| pair.outcome().is_shown_at_the_end());
    needing.unwrap_or(OUTCOMES.len() + usize::from(pair.is_same_code()))
}

/// If there are more than this many, only the table shows the rest, closed.
pub(crate) const MOST: usize = 12;

pub(crate) fn markup(run: &WholeRun) -> String {
    let look = needing_a_look(&run.pairs);
    let failed = look.iter().filter(|pair| pair.outcome() == Outcome::Fail).count();
    let counts = run.counts();
    let mut facts = overall::found(&run.start).to_vec();
    facts.extend(overall::matched(&run.start));
    facts.extend(run.unjudged());
    // With several failures, the headline has the counts.
    let (headline, others) = match look.split_first() {
        Some((only, others)) if failed == 1 => {
            facts.insert(0, counts);
            (sentence(run, only), others)
        }
        _ => (escaped(&counts), &look[..]),
    };
    let facts = escaped(&facts.join("\n")).replace("\n", "<br>");
    format!(
        "<header><h1>{}</h1><p class=counts>{headline}</p>{}{}{}</header>",
        escaped(&run.title()),
        shares(&run.pairs),
        if facts.is_empty() { facts } else { format!("<p class=q>{facts}</p>") },
        list(run, others)
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

/// The pairs that did not pass, those first that need attention most.
fn needing_a_look(pairs: &[PairRecord]) -> Vec<&PairRecord> {
    let mut look: Vec<&PairRecord> =
        pairs.iter().filter(|pair| pair.outcome().is_shown_at_the_end()).collect();
    sort_by_key(&mut look, |pair| attention(pair));
    look
}

/// A sentence for each of these pairs.
fn list(run: &WholeRun, pairs: &[&PairRecord]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let item = |pair: &&PairRecord| format!("<li class={}>{}", pair.outcome().name(), sentence(run, pair));
    let mut items: String = pairs.iter().take(MOST).map(item).collect();
    if pairs.len() > MOST {
        let _ = write!(items, "<li>and {} more in the table", pairs.len() - MOST);
    }
    format!("<ul class=look>{items}</ul>")
}

/// What happened to a pair, with a link to it.
fn sentence(run: &WholeRun, pair: &PairRecord) -> String {
    let text = PairText::of(pair);
    let what = match (pair.failed_gate(), text, &pair.gate) {
        (Some(FailedGate::Ratio), Some(text), Some(gate)) => {
            let change = text.change();
            let change = match &pair.against {
                Some(old) if run.start.against.is_some() => format!("got {change} since {old}"),
                Some(baseline) => format!("is {change} than {baseline}"),
                None => format!("is {change}"),
            };
            format!("{change} (limit: {})", phrase::short_limit(gate))
        }
        _ => {
            let why = explain::cause(pair).or_else(|| text.map(PairText::summary));
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            phrase::verdict(pair) + &why
        }
    };
    format!("<a href=\"#{}\">{}</a> {}", anchor(pair), name(pair), escaped(&what))
}
