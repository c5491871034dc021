//! The parts of all plots: scales, paths with small numbers, and the panel that they are drawn in.

use std::fmt::Write;

use crate::html::axis::Tick;
use crate::text::safe::escaped;

/// The part of a panel for the data. The style sets the size of a panel, 360 by 180.
pub(crate) const LEFT: i32 = 52;
pub(crate) const RIGHT: i32 = 352;
pub(crate) const TOP: i32 = 8;
pub(crate) const BOTTOM: i32 = 156;

/// A mapping of values to places. Values beyond an end are drawn at that end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    places: [i32; 2],
}

impl Scale {
    pub(crate) fn new([low, high]: [f64; 2], places: [i32; 2]) -> Self {
        // A single value is drawn in the middle.
        let least = low.abs().max(high.abs()).max(1e-3) * 1e-3;
        let missing = (least - (high - low)).max(0.0) / 2.0;
        Self { low: low - missing, high: high + missing, places }
    }

    pub(crate) fn horizontal(range: [f64; 2]) -> Self {
        Self::new(range, [LEFT, RIGHT])
    }

    pub(crate) fn vertical(range: [f64; 2]) -> Self {
        Self::new(range, [BOTTOM, TOP])
    }

    #[expect(clippy::cast_possible_truncation, reason = "it lies between two places")]
    pub(crate) fn place(&self, value: f64) -> i32 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let [from, to] = self.places.map(f64::from);
        (from + share * (to - from)).round() as i32
    }

    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The range of these values, with a margin on both sides; `None` if no value is finite.
pub(crate) fn range(values: &[f64], margin: f64) -> Option<[f64; 2]> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.iter().filter(|value| value.is_finite()) {
        (low, high) = (low.min(*value), high.max(*value));
    }
    let margin = margin * (high - low);
    (low <= high).then_some([low - margin, high + margin])
}

/// The value that this share of them is at most; there is at least one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a length")]
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[(share * (sorted.len() - 1) as f64).round() as usize]
}

/// A path through these points, each relative to the one before.
pub(crate) fn line(points: &[[i32; 2]]) -> String {
    drawn(points, 'l', "")
}

/// A dot at each of these points: a line of length 0 with round ends.
pub(crate) fn dots(points: &[[i32; 2]]) -> String {
    drawn(points, 'm', "z")
}

fn drawn(points: &[[i32; 2]], step: char, each: &str) -> String {
    let mut path = String::new();
    let mut former: Option<[i32; 2]> = None;
    for &[x, y] in points {
        let ([x_step, y_step], command) = match former {
            None => ([x, y], 'M'),
            Some([x_before, y_before]) => ([x - x_before, y - y_before], step),
        };
        let blank = if y_step < 0 { "" } else { " " };
        let _ = write!(path, "{command}{x_step}{blank}{y_step}{each}");
        former = Some([x, y]);
    }
    path
}

/// At most `most` of these values, evenly spread, and the distance of those that were taken; there is at
/// least one.
pub(crate) fn thinned<T: Copy>(values: &[T], most: usize) -> (usize, Vec<(usize, T)>) {
    let stride = values.len().div_ceil(most);
    (stride, (0..values.len()).step_by(stride).map(|index| (index, values[index])).collect())
}

/// A plot with its axes.
pub(crate) struct Panel<'a> {
    /// The title, in a word or two.
    pub(crate) title: &'a str,
    /// The figures, as markup.
    pub(crate) caption: String,
    /// The axis without ticks shows its first and last value.
    pub(crate) x: (Scale, Vec<Tick>),
    pub(crate) y: (Scale, Vec<Tick>),
    /// The drawing, as markup.
    pub(crate) marks: String,
}

impl Panel<'_> {
    pub(crate) fn markup(&self) -> String {
        let Self { title, caption, x: (x, x_ticks), y: (y, y_ticks), marks } = self;
        let ends = [x.low, x.high, y.low, y.high].map(short).join(",");
        let mut svg = format!("<figure><b>{}</b> {caption}<svg data-r={ends}>", escaped(title));
        let (mut grid, mut words) = (String::new(), String::new());
        for Tick { value, text } in y_ticks {
            let at = y.place(*value);
            let _ = write!(grid, "M{LEFT} {at}H{RIGHT}");
            let _ = write!(words, "<text y={}>{}</text>", at + 4, escaped(text));
        }
        svg += &path("g", &grid);
        let _ = write!(svg, "<g class=y>{words}</g>");
        if x_ticks.is_empty() {
            svg += "<use href=#ends />";
        } else {
            svg += "<g class=x>";
            for Tick { value, text } in x_ticks {
                let _ = write!(svg, "<text x={}>{}</text>", x.place(*value), escaped(text));
            }
            svg += "</g>";
        }
        svg += marks;
        svg + "</svg></figure>"
    }
}

/// A path of this class.
pub(crate) fn path(class: &str, d: &str) -> String {
    if d.is_empty() { String::new() } else { format!("<path class={class} d=\"{d}\"/>") }
}

/// An arrow at the edge that points to a value beyond it; its title has the value.
pub(crate) fn beyond(is_below: bool, [x, y]: [i32; 2], title: &str) -> String {
    let arrow = if is_below { "down" } else { "up" };
    format!("<use href=#{arrow} x={x} y={y} class=n><title>{}</title></use>", escaped(title))
}

/// A rectangle over the whole width of a panel; empty if it is out of sight.
pub(crate) fn band(class: &str, y: &Scale, [low, high]: [f64; 2]) -> String {
    if high < y.low || low > y.high {
        return String::new();
    }
    let (top, bottom) = (y.place(high), y.place(low));
    format!("<rect class={class} y={top} height={} />", (bottom - top).max(1))
}

/// A number with the digits that a plot can show.
pub(crate) fn short(value: f64) -> String {
    let digits = if value.abs() < 100.0 { 5 } else { 1 };
    let text = format!("{value:.digits$}");
    let text = text.replacen("0.", ".", usize::from(value.abs() < 1.0));
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text.is_empty() || text == "-" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_an_end_for_what_is_beyond() {
        let scale = Scale::new([0.0, 10.0], [100, 0]);
        assert_eq!(
            [-5.0, 0.0, 5.0, 10.0, f64::INFINITY].map(|value| scale.place(value)),
            [100, 100, 50, 0, 0]
        );
        assert!(scale.holds(10.0) && !scale.holds(10.1));
        assert_eq!(Scale::new([2.0, 2.0], [0, 100]).place(2.0), 50);
    }

    #[test]
    fn a_path_is_told_in_steps() {
        let points = [[10, 20], [13, 16], [15, 16]];
        assert_eq!(line(&points), "M10 20l3-4l2 0");
        assert_eq!(dots(&points), "M10 20zm3-4zm2 0z");
        assert_eq!(path("a", &line(&[])), "");
    }

    #[test]
    fn what_is_left_out_is_evenly_spread() {
        let (stride, left) = thinned(&[0, 1, 2, 3, 4, 5, 6], 3);
        assert_eq!((stride, left), (3, vec![(0, 0), (3, 3), (6, 6)]));
        assert_eq!(thinned(&[1, 2], 9).0, 1);
    }

    #[test]
    fn a_number_is_short() {
        assert_eq!([0.1, -0.000_001, 20_000.0, 1.234_567].map(short), [".1", "0", "20000", "1.23457"]);
    }
}
