//! The contrasts of the duos in order of measurement, with a line at the start of each round.

use bench_diff_core::{Duo, Recording};

use super::svg::{self, Panel, Scale};
use super::{Room, rounds, ticks};
use crate::record::PairRecord;
use crate::report::escape::escaped;
use bench_diff_system::text::counted;

/// The scale shows all but this share on either side, and as much again around them. Interrupted slots would
/// hide the others, and are drawn at the edge.
const BEYOND: f64 = 0.1;

pub(super) fn plot(record: &PairRecord, slots: &[Vec<Recording>], room: Room) -> Option<String> {
    let (mut contrasts, mut ends) = (Vec::new(), Vec::new());
    for round in slots {
        contrasts.extend(round.iter().flat_map(|process| &process.duos).map(Duo::contrast));
        ends.push(contrasts.len());
    }
    let y = Scale::vertical(sight(&contrasts)?);
    let x = Scale::horizontal([0.5, contrasts.len() as f64 + 0.5]);

    let mut marks = rounds::background(record, &y);
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
    let y_ticks = ticks::changes([y.low, y.high], 4);
    Some(Panel { title: "Duos over time", caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// The range of the usual values, with room around them.
fn sight(contrasts: &[f64]) -> Option<[f64; 2]> {
    let mut sorted: Vec<f64> = contrasts.iter().copied().filter(|contrast| contrast.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return None;
    }
    svg::range(&[BEYOND, 1.0 - BEYOND].map(|share| svg::quantile(&sorted, share)), 1.0)
}
