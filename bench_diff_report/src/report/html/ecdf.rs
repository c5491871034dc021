//! The latencies of both functions as cumulative distributions.

use bench_diff_core::{Duo, Recording};

use super::svg::{self, Panel, Scale, quantile};
use super::{Room, ticks};
use crate::report::escape::escaped;

/// The share on either side that is not drawn; a tail would squeeze everything else together.
const BEYOND: f64 = 0.01;

/// The plot of both sides by these names.
pub(super) fn plot(rounds: &[Vec<Recording>], [old, new]: &[String; 2], room: Room) -> Option<String> {
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
        ends.extend([BEYOND, 1.0 - BEYOND].map(|share| quantile(sorted, share)));
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
    let x_ticks = ticks::latencies([x.low, x.high], 4);
    Some(Panel { title: "Latency", caption, x: (x, x_ticks), y: (y, Vec::new()), marks }.markup())
}

/// ln of the latency of each slot of a function, in nanoseconds per call, the shortest first.
fn logarithms(rounds: &[Vec<Recording>], side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let mut all = Vec::new();
    for Recording { warmup, duos, .. } in rounds.iter().flatten() {
        let calls = (warmup.iterations as f64).ln();
        for duo in duos {
            all.extend(side(duo).map(|slot| (slot.max(1) as f64).ln() - calls));
        }
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
