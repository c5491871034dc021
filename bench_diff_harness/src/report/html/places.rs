//! The latencies of both functions by the place of the function on the cache line.

use super::Room;
use super::svg::{self, Panel, Scale};
use super::ticks::{self, Tick};
use crate::record::Figures;
use crate::report::by_place::{self, PLACES};

/// The plot; none where places make no difference, or where the page has no room to spare.
pub(super) fn plot(figures: &Figures, room: Room) -> Option<String> {
    let both =
        by_place::latencies(figures).filter(|_| room.is_plenty())?.map(|latencies| latencies.map(f64::ln));
    let x = Scale::horizontal([-8.0, 56.0]);
    let y = Scale::vertical(svg::range(both.as_flattened(), 0.15)?);
    let points = both.map(|latencies| {
        let at = |(place, ln): (u8, f64)| [x.place(f64::from(place)), y.place(ln)];
        PLACES.into_iter().zip(latencies).map(at).collect::<Vec<_>>()
    });
    let mut marks = String::new();
    for (class, points) in ["b", "c"].into_iter().zip(&points) {
        marks += &svg::path(class, &svg::line(points));
        marks += &svg::path(&format!("{class}d"), &svg::dots(points));
    }
    let caption = "<i class=b></i>baseline, <i class=c></i>candidate".to_owned();
    let x_ticks = PLACES.map(|place| Tick { value: place.into(), text: place.to_string() }).into();
    let y_ticks = ticks::latencies([y.low, y.high], 6);
    Some(Panel { title: "Place", caption, x: (x, x_ticks), y: (y, y_ticks), marks }.markup())
}
