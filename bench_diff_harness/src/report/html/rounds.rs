//! What each round says: a dot for each, the program as linked before them, the zone and the interval behind them.

use super::svg::{self, Panel, Scale};
use super::{Room, escape::escaped, ticks};
use crate::record::{GateRecord, PairRecord};
use crate::report::{numbers, phrase};
use crate::system::text::counted;

/// The plot; none of a pair that was judged by the duos of one process.
pub(super) fn plot(record: &PairRecord, room: Room) -> Option<String> {
    let contrasts = &record.rounds.as_ref()?.contrasts;
    let linked = record.layouts.as_ref().and_then(|layouts| layouts.linked).map(f64::ln);
    let bounds = record.gate.iter().flat_map(zones).flatten();
    let shown = contrasts.iter().copied().chain(linked).chain(bounds).chain([0.0]);
    let y = Scale::vertical(svg::range(shown, 0.08)?);
    // The program as linked stands where the round before the first one would.
    let first = if linked.is_some() { -0.5 } else { 0.5 };
    let x = Scale::horizontal([first, contrasts.len() as f64 + 0.5]);
    let place = |(index, contrast): (usize, f64)| [x.place(index as f64 + 1.0), y.place(contrast)];

    let mut marks = background(record, &y);
    let (_, dots) = svg::thinned(contrasts, room.part(4));
    marks += &svg::path("k", &svg::dots(dots.map(place)));
    if let Some(linked) = linked {
        marks += &format!("<use href=#linked x={} y={} />", x.place(0.0), y.place(linked));
    }
    let unit = phrase::unit(record);
    let mut words = ticks::counted(unit, contrasts.len());
    if linked.is_some() {
        words.truncate(1);
        words.insert(0, ticks::Tick { value: 0.0, text: "linked".to_owned() });
        if contrasts.len() < 12 {
            words[1].text = "1".to_owned();
        }
        words.push(ticks::Tick { value: contrasts.len() as f64, text: contrasts.len().to_string() });
    }
    let title = if unit == "layout" { "Layouts" } else { "Rounds" };
    let y_ticks = ticks::changes([y.low, y.high], 4);
    Some(
        Panel { title, caption: caption(contrasts, linked, unit), x: (x, words), y: (y, y_ticks), marks }
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
        let at = y.place(0.0);
        marks += &svg::path("o", &format!("M{} {at}H{}", svg::LEFT, svg::RIGHT));
    }
    marks
}

/// The zones of a gate, each from its lower bound to its higher one.
pub(super) fn zones(gate: &GateRecord) -> Vec<[f64; 2]> {
    let faster = gate.lo2.zip(gate.hi2).map(|(lo, hi)| [hi.min(lo), hi.max(lo)]);
    let slower = [gate.lo.min(gate.hi), gate.lo.max(gate.hi)];
    [Some(slower), faster].into_iter().flatten().collect()
}

fn caption(contrasts: &[f64], linked: Option<f64>, unit: &str) -> String {
    let change = |ln: f64| numbers::change(ln.exp_m1() * 100.0);
    let ends = svg::range(contrasts.iter().copied(), 0.0).unwrap_or_default().map(change);
    let linked = linked.map(|ln| format!("; as linked {} %", change(ln))).unwrap_or_default();
    let [low, high] = ends;
    escaped(&format!("{}, from {low} to {high} %{linked}", counted(contrasts.len(), unit)))
}
