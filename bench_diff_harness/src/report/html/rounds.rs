//! What each round says: a dot for each, the program as linked before them, the zone and the interval behind
//! them.

use super::svg::{self, Panel, Scale};
use super::{Room, ticks};
use crate::record::{GateRecord, PairRecord};
use crate::report::{numbers, phrase};

/// The contrast of a candidate that takes no time, which is the bound where it may take none.
const NOTHING: f64 = -20.0;

/// The plot; none of a pair that was judged by the duos of one process.
pub(super) fn plot(record: &PairRecord, room: Room) -> Option<String> {
    let contrasts = &record.rounds.as_ref()?.contrasts;
    let linked = record.layouts.as_ref().and_then(|layouts| layouts.linked).map(f64::ln);
    let bounds = record.gate.iter().flat_map(zones).flatten().filter(|bound| *bound > NOTHING);
    let shown = contrasts.iter().copied().chain(linked).chain(bounds).chain([0.0]);
    let y = Scale::vertical(svg::range(shown, 0.08)?);
    // The program as linked stands where the round before the first one would.
    let first = if linked.is_some() { -0.5 } else { 0.5 };
    let x = Scale::horizontal([first, contrasts.len() as f64 + 0.5]);
    let place = |(index, contrast): (usize, f64)| [x.place(index as f64 + 1.0), y.place(contrast)];

    let mut marks = background(record, &y);
    let (_, dots) = svg::thinned(contrasts, room.rounds);
    marks += &svg::path("k", &svg::dots(dots.map(place)));
    if let Some(linked) = linked {
        marks += &format!("<use href=#linked x={} y={} />", x.place(0.0), y.place(linked));
    }
    let title = if phrase::unit(record) == "layout" { "Layouts" } else { "Rounds" };
    let y_ticks = ticks::changes([y.low, y.high], 4);
    Some(
        Panel { title, caption: caption(contrasts, linked), x: (x, Vec::new()), y: (y, y_ticks), marks }
            .markup(),
    )
}

/// The zone, the interval and the line where both functions are as fast.
pub(super) fn background(record: &PairRecord, y: &Scale) -> String {
    let mut marks: String = record.gate.iter().flat_map(zones).map(|zone| svg::band("z", y, zone)).collect();
    if let Some(interval) = record.interval {
        let low = interval.low.map_or(f64::NEG_INFINITY, f64::ln);
        let high = interval.high.map_or(f64::INFINITY, f64::ln);
        marks += &svg::band("i", y, [low, high]);
    }
    if y.holds(0.0) {
        marks += &format!("<use href=#zero y={} />", y.place(0.0));
    }
    marks
}

/// The zones of a gate, each from its lower bound to its higher one.
pub(super) fn zones(gate: &GateRecord) -> Vec<[f64; 2]> {
    let faster = gate.lo2.zip(gate.hi2).map(|(lo, hi)| [hi.min(lo), hi.max(lo)]);
    let slower = [gate.lo.min(gate.hi), gate.lo.max(gate.hi)];
    [Some(slower), faster].into_iter().flatten().collect()
}

fn caption(contrasts: &[f64], linked: Option<f64>) -> String {
    let change = |ln: f64| numbers::change(ln.exp_m1() * 100.0);
    let ends = svg::range(contrasts.iter().copied(), 0.0).unwrap_or_default().map(change);
    let linked = linked.map(|ln| format!(", as linked {} %", change(ln))).unwrap_or_default();
    let [low, high] = ends;
    format!("{}, from {low} to {high} %{linked}", contrasts.len())
}
