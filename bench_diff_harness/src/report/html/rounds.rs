//! What each round says: a dot for each, the program as linked before them, the zone and the interval behind
//! them.

use super::svg::{self, Panel, Scale};
use super::{Room, ticks};
use crate::record::{GateRecord, PairRecord};
use crate::report::{numbers, phrase};

/// The program as linked is drawn at the edge where it is farther than this from all that is usual.
const FAR: f64 = 0.3;

/// The contrast of a candidate that takes no time, which is the bound where it may take none.
const NOTHING: f64 = -20.0;

/// The plot; none of a pair that was judged by the duos of one process.
pub(super) fn plot(record: &PairRecord, room: Room) -> Option<String> {
    let rounds = record.rounds.as_ref()?;
    let contrasts = &rounds.contrasts;
    let linked = record.layouts.as_ref().and_then(|layouts| layouts.linked).map(f64::ln);
    let bounds = record.gate.iter().flat_map(zones).flatten().filter(|bound| *bound > NOTHING);
    // What is far from the rest would squeeze it.
    let [least, most] = rounds.usual(record.ratio?.ln());
    let is_near = |contrast: &f64| (least..=most).contains(contrast);
    let is_in_sight = |contrast: &f64| (least - FAR..=most + FAR).contains(contrast);
    let near = contrasts.iter().copied().filter(is_near).chain(linked.filter(is_in_sight));
    let y = Scale::vertical(svg::range(near.chain(bounds).chain([0.0]), 0.08)?);
    // The program as linked stands where the round before the first one would.
    let first = if linked.is_some() { -0.5 } else { 0.5 };
    let x = Scale::horizontal([first, contrasts.len() as f64 + 0.5]);
    let place = |(index, contrast): (usize, f64)| [x.place(index as f64 + 1.0), y.place(contrast)];

    let mut marks = background(record, &y);
    let (_, dots) = svg::thinned(contrasts, room.rounds);
    let (inside, beyond): (Vec<_>, Vec<_>) = dots.partition(|(_, contrast)| y.holds(*contrast));
    marks += &svg::path("k", &svg::dots(inside.into_iter().map(place)));
    for (index, contrast) in beyond {
        let at = place((index, contrast));
        let title = format!("{} {}: {} %", phrase::unit(record), index + 1, change(contrast));
        marks += &svg::beyond(contrast < y.low, at, &title);
    }
    if let Some(linked) = linked {
        let (at, title) = (x.place(0.0), format!("as linked: {} %", change(linked)));
        marks += &if y.holds(linked) {
            format!("<use href=#linked x={at} y={} />", y.place(linked))
        } else {
            svg::beyond(linked < y.low, [at, y.place(linked)], &title)
        };
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

fn change(ln: f64) -> String {
    numbers::change(ln.exp_m1() * 100.0)
}

fn caption(contrasts: &[f64], linked: Option<f64>) -> String {
    let ends = svg::range(contrasts.iter().copied(), 0.0).unwrap_or_default().map(change);
    let linked = linked.map(|ln| format!(", as linked {} %", change(ln))).unwrap_or_default();
    let [low, high] = ends;
    format!("{}, from {low} to {high} %{linked}", contrasts.len())
}
