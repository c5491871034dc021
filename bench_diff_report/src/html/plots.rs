//! The plots of a pair: its rounds, its duos in the order of measurement, the latencies of both functions.

use bench_diff_core::{Duo, Recording, slots_of};
use bench_diff_system::text::counted;

use crate::html::axis::{self, Limit, limits};
use crate::html::svg::{self, Panel, Scale, quantile};
use crate::record::{Figures, PairRecord};
use crate::sink::WholeRun;
use crate::text::numbers;
use crate::text::pair::PairText;
use crate::text::safe::escaped;

/// The distance from the usual rounds beyond which the binary as linked is drawn at the edge.
const FAR: f64 = 0.3;

/// The plot; `None` for a pair that was judged by the duos of one process.
pub(crate) fn rounds(text: PairText<'_>) -> Option<String> {
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
    let y_ticks = axis::changes([y.low, y.high], 4);
    let caption = caption(contrasts, linked);
    Some(Panel { title: "Rounds", caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// The limit with its zone, the interval, and the line at which both functions are equally fast.
pub(crate) fn background(record: &PairRecord, y: &Scale) -> String {
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

/// The scale shows all but this share on either side, and as much again around them. Interrupted slots would
/// hide the others, and are drawn at the edge.
const HIDDEN_DUOS: f64 = 0.1;

pub(crate) fn duos(record: &PairRecord, slots: &[Vec<Recording>], room: Room) -> Option<String> {
    let (mut contrasts, mut ends) = (Vec::new(), Vec::new());
    for round in slots {
        contrasts.extend(round.iter().flat_map(|process| &process.duos).map(Duo::contrast));
        ends.push(contrasts.len());
    }
    let y = Scale::vertical(sight(&contrasts)?);
    let x = Scale::horizontal([0.5, contrasts.len() as f64 + 0.5]);

    let mut marks = background(record, &y);
    if ends.len() <= room.corners {
        ends.pop();
        let begin = |end: &usize| format!("M{} {}V{}", x.place(*end as f64 + 0.5), svg::TOP, svg::BOTTOM);
        marks += &svg::path("g", &ends.iter().map(begin).collect::<String>());
    }
    let (stride, dots) = svg::thinned(&contrasts, room.duos);
    let dots = dots.into_iter().filter(|(_, contrast)| contrast.is_finite());
    let place = |(index, contrast): (usize, f64)| [x.place(index as f64 + 1.0), y.place(contrast)];
    marks += &svg::path("s", &svg::dots(&dots.map(place).collect::<Vec<_>>()));
    let every = if stride > 1 { format!(", 1 in {stride} shown") } else { String::new() };
    let caption = escaped(&format!("{}{every}", counted(contrasts.len(), "duo")));
    let y_ticks = axis::changes([y.low, y.high], 4);
    Some(Panel { title: "Duos over time", caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// The range of the usual values, with room around them.
fn sight(contrasts: &[f64]) -> Option<[f64; 2]> {
    let mut sorted: Vec<f64> = contrasts.iter().copied().filter(|contrast| contrast.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return None;
    }
    svg::range(&[HIDDEN_DUOS, 1.0 - HIDDEN_DUOS].map(|share| quantile(&sorted, share)), 1.0)
}

/// The share on either side that is not drawn; a tail would squeeze everything else together.
const HIDDEN_TAIL: f64 = 0.01;

/// The plot of both sides by these names.
pub(crate) fn latencies(rounds: &[Vec<Recording>], [old, new]: &[String; 2], room: Room) -> Option<String> {
    let baseline = logarithms(rounds, |duo| duo.baseline);
    let mut candidate = logarithms(rounds, |duo| duo.candidate);
    if baseline.is_empty() || candidate.is_empty() {
        return None;
    }
    let is_alone = rounds.iter().flatten().any(|process| !process.has_baseline);
    let mut curves = Vec::new();
    if is_alone {
        candidate.extend(baseline);
        candidate.sort_by(f64::total_cmp);
    } else {
        curves.push(("b", baseline));
    }
    curves.push(("c", candidate));
    let mut ends = Vec::new();
    for (_, sorted) in &curves {
        ends.extend([HIDDEN_TAIL, 1.0 - HIDDEN_TAIL].map(|share| quantile(sorted, share)));
    }
    let x = Scale::horizontal(svg::range(&ends, 0.04)?);
    let y = Scale::vertical([0.0, 1.0]);
    let mut marks = "<use href=#shares />".to_owned();
    for (class, sorted) in &curves {
        let corners = corners(sorted, room.corners).map(|[at, share]| [x.place(at), y.place(share)]);
        marks += &svg::path(class, &svg::line(&corners.collect::<Vec<_>>()));
    }
    // The row shows the latencies of a typical call, which the medians of all slots could contradict.
    let names = format!("<i class=b></i>{}, <i class=c></i>{}", escaped(old), escaped(new));
    let caption = if is_alone { String::new() } else { names };
    let x_ticks = axis::latencies([x.low, x.high], 4);
    Some(Panel { title: "Latency", caption, x: (x, x_ticks), y: (y, Vec::new()), marks }.markup())
}

/// ln of the latency of each slot of a function, in nanoseconds per call, the shortest first.
fn logarithms(rounds: &[Vec<Recording>], side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let mut all = Vec::new();
    for Recording { warmup, duos, .. } in rounds.iter().flatten() {
        let calls = (warmup.iterations as f64).ln();
        all.extend(slots_of(duos, side).into_iter().map(|slot| (slot.max(1) as f64).ln() - calls));
    }
    all.sort_by(f64::total_cmp);
    all
}

/// Values with the share that is at most as long, evenly spread over the shares, both ends included.
fn corners(sorted: &[f64], most: usize) -> impl Iterator<Item = [f64; 2]> {
    let count = most.clamp(2, sorted.len().max(2));
    (0..count).map(move |corner| {
        let share = corner as f64 / (count - 1) as f64;
        [quantile(sorted, share), share]
    })
}

/// The room for the plots of a pair. With many pairs it is less, so that a browser opens the page at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// The dots of duos.
    pub(crate) duos: usize,
    /// The corners of a curve.
    pub(crate) corners: usize,
}

impl Room {
    /// The size of a page, in bytes.
    const PAGE: usize = 2_850_000;
    /// The size of the row of a pair, of the text below it, and of plots without their points.
    const ROW: usize = 600;
    const TEXT: usize = 600;
    const AXES: usize = 1_400;
    /// A point of a path.
    const POINT: usize = 7;
    /// Fewer make no picture, and more cannot be distinguished.
    pub(crate) const DUOS: [usize; 2] = [16, 600];
    pub(crate) const CORNERS: [usize; 2] = [8, 128];

    /// The room of the next pair, if all later ones get as much.
    pub(crate) fn of_next(run: &WholeRun) -> Self {
        let used: usize = run.drawn.iter().map(|details| details.len() + Self::ROW).sum();
        let left = run.start.pairs.len().saturating_sub(run.drawn.len()).max(1);
        Self::of(Self::PAGE.saturating_sub(used) / left)
    }

    /// The room in this many bytes.
    pub(crate) fn of(bytes: usize) -> Self {
        let points = bytes.saturating_sub(Self::ROW + Self::TEXT + Self::AXES) / Self::POINT;
        let within = |points: usize, [fewest, most]: [usize; 2]| points.clamp(fewest, most);
        Self { duos: within(points / 2, Self::DUOS), corners: within(points / 8, Self::CORNERS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_reach_from_the_first_to_the_last() {
        let sorted = [1.0, 2.0, 3.0, 4.0, 50.0];
        assert_eq!(corners(&sorted, 3).collect::<Vec<_>>(), [[1.0, 0.0], [3.0, 0.5], [50.0, 1.0]]);
        assert_eq!(corners(&sorted, 100).count(), 5);
        assert_eq!(corners(&sorted[..1], 100).collect::<Vec<_>>(), [[1.0, 0.0], [1.0, 1.0]]);
    }
}
