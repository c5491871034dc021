//! The plots, read back from the page and compared with the records of the same run.

use serde_json::Value;

use crate::driver::Browser;
use crate::fixture::{Run, VERDICTS};

/// Reads the figure with this title in the row of this pair: its plot, its scales, and the points of a path,
/// as values.
const READ: &str = r"
const figure = [...BODY.querySelectorAll('figure')].find((figure) => figure.querySelector('b').textContent === TITLE);
const path = figure?.querySelector('path.CLASS');
if (!path) return null;
const [left, right, bottom, top] = figure.querySelector('svg').dataset.r.split(',').map(Number);
let [x, y] = [0, 0];
return [...path.getAttribute('d').matchAll(/([Mml])(-?\d+)[ ]?(-?\d+)/g)].map(([, command, dx, dy]) => {
  [x, y] = command === 'M' ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)];
  const [wide, high] = [(right - left) / 300, (top - bottom) / 148];
  return [left + (x - 52) * wide, bottom + (156 - y) * high, high, wide];
});";

/// Points with what a pixel is worth.
#[derive(Debug)]
struct Points {
    x: Vec<f64>,
    y: Vec<f64>,
    x_pixel: f64,
    y_pixel: f64,
}

fn points(browser: &Browser, name: &str, title: &str, class: &str) -> Option<Points> {
    let script = READ.replace("BODY", &body_of(name)).replace("TITLE", &Value::from(title).to_string());
    let read = browser.value(&format!("(() => {{{}}})()", script.replace("CLASS", class)));
    let rows: Vec<Vec<f64>> = serde_json::from_value(read).ok()?;
    let column = |index: usize| rows.iter().map(|row| row[index]).collect::<Vec<f64>>();
    Some(Points { x: column(0), y: column(1), y_pixel: column(2)[0], x_pixel: column(3)[0] })
}

/// The expression of the row of this pair.
fn body_of(name: &str) -> String {
    format!(
        "[...document.querySelectorAll('tbody')].find((body) => body.querySelector('th a').textContent === {})",
        Value::from(name)
    )
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[track_caller]
fn assert_near(shown: f64, said: f64, tolerance: f64, what: &str) {
    assert!((shown - said).abs() <= tolerance, "{what}: shown {shown}, said {said}");
}

/// The most duos that a plot shows on a page of few pairs (`Room::DUOS`).
const MOST_DUOS: u64 = 600;

#[test]
fn every_plot_shows_what_the_records_say() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(VERDICTS, "--include-ignored");
    browser.open(&run.page(), "");
    assert_eq!(browser.number("document.querySelectorAll('tbody').length"), run.records.len() as f64);
    for record in &run.records {
        let name = record["name"].as_str().unwrap();
        row(&browser, record, name);
        rounds(&browser, record, name);
        latencies(&browser, record, name);
    }
    assert_eq!(browser.console(), Vec::<Value>::new());
    assert_eq!(browser.requests(), [""; 0]);
}

fn row(browser: &Browser, record: &Value, name: &str) {
    let body = body_of(name);
    assert_eq!(browser.text(&format!("{body}.className")), record["outcome"].as_str().unwrap(), "{name}");
    for (shown, said) in [
        ("ratio", &record["ratio"]),
        ("low", &record["interval"]["low"]),
        ("high", &record["interval"]["high"]),
    ] {
        let attribute = browser.value(&format!("{body}.dataset.{shown} ?? null"));
        match (attribute.as_str(), said.as_f64()) {
            (Some(shown), Some(said)) => {
                assert_near(shown.parse().unwrap(), said, 1e-4 * said.max(1.0), name);
            }
            (shown, said) => assert_eq!((shown, said), (None, None), "{name}"),
        }
    }
    // The mark in the forest plot, where it is within the scale.
    let scale = "document.getElementById('pairs').dataset.x.split(',').map(Number)";
    let at =
        browser.number(&format!("Number({body}.querySelector('td:nth-child(4) use[y]').getAttribute('x'))"));
    let (low, high) = (browser.number(&format!("{scale}[0]")), browser.number(&format!("{scale}[1]")));
    let shown = low + (at - 14.0) / 292.0 * (high - low);
    // The scale is about linear up to 5 %, and that of logarithms beyond.
    let along = (number(&record["ratio"]).ln() / 0.05).asinh();
    assert_near(shown, along.clamp(low, high), (high - low) / 292.0, name);
}

/// A dot for every round, or an arrow at the edge.
fn rounds(browser: &Browser, record: &Value, name: &str) {
    let dots = points(browser, name, "Rounds", "k");
    let Some(contrasts) = record["rounds"]["contrasts"].as_array() else {
        assert!(dots.is_none(), "{name}: {dots:?}");
        return;
    };
    let dots = dots.unwrap_or_else(|| panic!("{name}: no plot of rounds"));
    let body = body_of(name);
    let arrows = browser.value(&format!(
        "[...{body}.querySelectorAll('[href=\"#up\"] title, [href=\"#down\"] title')].map((title) => parseInt(title.textContent.split(' ')[1]))"
    ));
    let beyond: Vec<usize> = serde_json::from_value(arrows).unwrap();
    let inside = contrasts.iter().zip(1..).filter(|(_, round)| !beyond.contains(round));
    assert_eq!(dots.y.len() + beyond.len(), contrasts.len(), "{name}");
    for (shown, (said, _)) in dots.y.iter().zip(inside) {
        assert_near(*shown, number(said), dots.y_pixel, name);
    }
    let duos = points(browser, name, "Duos over time", "s").unwrap();
    // All of at most `MOST_DUOS`, and of more one in as many as that takes.
    let (shown, all) = (duos.y.len() as u64, record["duos"].as_u64().unwrap());
    let stride = all.div_ceil(MOST_DUOS);
    assert_eq!(shown, all.div_ceil(stride), "{name}: {shown} of {all}");
    let says = browser.text(&format!(
        "[...{body}.querySelectorAll('figure')].find((figure) => figure.querySelector('b').textContent === 'Duos over time').textContent"
    ));
    assert_eq!(says.contains(&format!("1 in {stride} shown")), stride > 1, "{name}: {says}");
}

/// Half of the slots are at most as long as the median.
fn latencies(browser: &Browser, record: &Value, name: &str) {
    for (class, side) in [("b", "baseline"), ("c", "candidate")] {
        let curve = points(browser, name, "Latency", class).unwrap_or_else(|| panic!("{name}: no latencies"));
        assert_near(curve.y[0], 0.0, curve.y_pixel, name);
        assert_near(curve.y[curve.y.len() - 1], 1.0, curve.y_pixel, name);
        let after = curve.y.iter().position(|share| *share >= 0.5).unwrap();
        let (before, median) = (after.saturating_sub(1), number(&record[side]["median"]).ln());
        // The median of few slots is one of two.
        let slack = curve.x_pixel + 0.02;
        let range = curve.x[before] - slack..=curve.x[(after + 1).min(curve.x.len() - 1)] + slack;
        assert!(range.contains(&median), "{name} {side}: {median} is not in {range:?}");
    }
}
