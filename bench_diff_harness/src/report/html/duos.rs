//! The contrasts of the duos in order of measurement, with a line at the start of each round.

use bench_diff_core::{Duo, Recording};

use super::svg::{self, Panel, Scale};
use super::{Room, rounds, ticks};
use crate::record::{Measured, PairRecord};
use crate::report::escape::escaped;
use crate::system::text::counted;

/// The share on either side that is drawn at the edge, since one interrupted slot would hide all others.
const BEYOND: f64 = 0.02;

pub(super) fn plot(record: &PairRecord, measured: &Measured, room: Room) -> Option<String> {
    let of_round = |round: &Vec<Recording>| -> Vec<f64> {
        round.iter().flat_map(|process| &process.duos).map(Duo::contrast).collect()
    };
    let by_round: Vec<Vec<f64>> = measured.rounds.iter().map(of_round).collect();
    let contrasts: Vec<f64> = by_round.concat();
    let y = Scale::vertical(sight(&contrasts)?);
    let x = Scale::horizontal([0.5, contrasts.len() as f64 + 0.5]);

    let mut marks = rounds::background(record, &y);
    if by_round.len() <= room.corners {
        let mut before = 0;
        let begins = by_round.iter().skip(1).zip(&by_round).map(|(_, former)| {
            before += former.len();
            format!("M{} {}V{}", x.place(before as f64 + 0.5), svg::TOP, svg::BOTTOM)
        });
        marks += &svg::path("g", &begins.collect::<String>());
    }
    let (stride, dots) = svg::thinned(&contrasts, room.duos);
    let dots = dots.into_iter().filter(|(_, contrast)| contrast.is_finite());
    let place = |(index, contrast): (usize, f64)| [x.place(index as f64 + 1.0), y.place(contrast)];
    marks += &svg::path("s", &svg::dots(&dots.map(place).collect::<Vec<_>>()));
    let every = if stride > 1 { format!(", 1 in {stride} shown") } else { String::new() };
    let caption = escaped(&format!("{}{every}", counted(contrasts.len(), "contrast")));
    let y_ticks = ticks::changes([y.low, y.high], 4);
    Some(Panel { title: "Duos over time", caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// The range of all but the outermost values, with a margin.
fn sight(contrasts: &[f64]) -> Option<[f64; 2]> {
    let mut sorted: Vec<f64> = contrasts.iter().copied().filter(|contrast| contrast.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return None;
    }
    svg::range(&[BEYOND, 1.0 - BEYOND].map(|share| svg::quantile(&sorted, share)), 0.15)
}
