//! The plot of the rounds: a dot for each, the binary as linked before them, the limit and the interval
//! behind them.

use super::limits::{Limit, limits};
use super::svg::{self, Panel, Scale};
use super::ticks;
use crate::record::{Figures, PairRecord};
use crate::report::numbers;
use crate::report::pair_text::PairText;

/// The distance from the usual rounds beyond which the binary as linked is drawn at the edge.
const FAR: f64 = 0.3;

/// The plot; `None` for a pair that was judged by the duos of one process.
pub(super) fn plot(text: PairText<'_>) -> Option<String> {
    let PairText { record, figures } = text;
    let rounds = figures.rounds.as_ref()?;
    let contrasts = &rounds.contrasts;
    let linked = figures.layouts.as_ref().and_then(|layouts| layouts.linked).map(f64::ln);
    let mut in_sight = vec![0.0];
    in_sight.extend(limits(record.gate.as_ref()).into_iter().flat_map(Limit::in_sight));
    // Outliers would squeeze the rest.
    let [least, most] = rounds.usual(figures.ratio.ln());
    in_sight.extend(contrasts.iter().filter(|contrast| (least..=most).contains(contrast)));
    in_sight.extend(linked.filter(|linked| (least - FAR..=most + FAR).contains(linked)));
    let y = Scale::vertical(svg::range(&in_sight, 0.08)?);
    // The binary as linked is drawn like a round before the first one.
    let first = if linked.is_some() { -0.5 } else { 0.5 };
    let x = Scale::horizontal([first, contrasts.len() as f64 + 0.5]);

    let (mut dots, mut arrows) = (Vec::new(), String::new());
    for (index, &contrast) in contrasts.iter().enumerate() {
        let at = [x.place(index as f64 + 1.0), y.place(contrast)];
        if y.holds(contrast) {
            dots.push(at);
        } else {
            let title = format!("{} {}: {} %", text.unit(), index + 1, change(contrast));
            arrows += &svg::beyond(contrast < y.low, at, &title);
        }
    }
    let mut marks = [background(record, &y), svg::path("k", &svg::dots(&dots)), arrows].concat();
    if let Some(linked) = linked {
        let (at, title) = (x.place(0.0), format!("as linked: {} %", change(linked)));
        marks += &if y.holds(linked) {
            format!("<use href=#linked x={at} y={} />", y.place(linked))
        } else {
            svg::beyond(linked < y.low, [at, y.place(linked)], &title)
        };
    }
    let title = if text.unit() == "layout" { "Layouts" } else { "Rounds" };
    let y_ticks = ticks::changes([y.low, y.high], 4);
    let caption = caption(contrasts, linked);
    Some(Panel { title, caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// The limit with its zone, the interval, and the line at which both functions are equally fast.
pub(super) fn background(record: &PairRecord, y: &Scale) -> String {
    let mut marks = String::new();
    let limits = limits(record.gate.as_ref());
    for Limit { zone, .. } in &limits {
        marks += &svg::band("z", y, *zone);
    }
    if let Some(Figures { interval, .. }) = record.figures() {
        let low = interval.low.map_or(f64::NEG_INFINITY, f64::ln);
        let high = interval.high.map_or(f64::INFINITY, f64::ln);
        marks += &svg::band("i", y, [low, high]);
    }
    let lines = limits.iter().map(|limit| ("bound", limit.at)).chain([("zero", 0.0)]);
    for (line, at) in lines.filter(|(_, at)| y.holds(*at)) {
        marks += &format!("<use href=#{line} y={} />", y.place(at));
    }
    marks
}

fn change(ln: f64) -> String {
    numbers::change(ln.exp_m1() * 100.0)
}

fn caption(contrasts: &[f64], linked: Option<f64>) -> String {
    let [low, high] = svg::range(contrasts, 0.0).unwrap_or_default().map(change);
    let linked = linked.map(|ln| format!(", as linked {} %", change(ln))).unwrap_or_default();
    format!("{}, from {low} to {high} %{linked}", contrasts.len())
}
