//! A picture of an interval on one line: its position relative to 0 and to the far bound of the zone, on the
//! same scale for all pairs.

use crate::record::{Figures, GateRecord};

/// The width of a picture in columns.
pub(super) const WIDTH: usize = 21;

/// The change at either end, in percent; values beyond are drawn at the end, as an arrow.
const END: f64 = 10.0;

/// The legend of the pictures.
pub(super) const LEGEND: &str =
    "o change, --- interval, < > beyond 10 %, | 0 %, ! an interval that ends left of it is a pass";

/// The title of a column of pictures.
pub(super) const TITLE: &str = "-10 %    0      +10 %";

/// The interval as a line with the ratio on it, `|` at 0 and `!` at the bound below which a pass is proven.
pub(super) fn render(gate: Option<&GateRecord>, Figures { ratio, interval, .. }: &Figures) -> String {
    let mut picture = [' '; WIDTH];
    picture[place(0.0)] = '|';
    if let Some(gate) = gate {
        picture[place(percent(gate.hi.exp()))] = '!';
    }
    let low = percent(interval.low.unwrap_or(0.0));
    let high = percent(interval.high.unwrap_or(f64::INFINITY));
    picture[place(low)..=place(high)].fill('-');
    if low < -END {
        picture[0] = '<';
    }
    if high > END {
        picture[WIDTH - 1] = '>';
    }
    picture[place(percent(*ratio))] = 'o';
    picture.iter().collect()
}

fn percent(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

/// The column of a change in percent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies within the picture")]
fn place(percent: f64) -> usize {
    let share = (percent.clamp(-END, END) + END) / (2.0 * END);
    (share * (WIDTH - 1) as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::IntervalRecord;

    fn picture(low: Option<f64>, ratio: f64, high: Option<f64>) -> String {
        let interval = IntervalRecord { level: 0.9, low, high };
        render(None, &Figures { ratio, interval, ..Figures::default() })
    }

    #[test]
    fn an_interval_is_a_line_with_its_ratio() {
        assert_eq!(picture(Some(1.03), 1.05, Some(1.06)), "          |  --o-    ");
        assert_eq!(picture(Some(0.98), 1.0, Some(1.02)), "        --o--        ");
        assert_eq!(picture(Some(0.5), 0.52, Some(0.54)), "o         |          ");
        assert_eq!(picture(None, 0.95, None), "<----o-------------->");
        assert_eq!(TITLE.len(), WIDTH);
        assert_eq!(TITLE.find('0').map(|_| TITLE.chars().nth(9)), Some(Some('0')));
    }
}
