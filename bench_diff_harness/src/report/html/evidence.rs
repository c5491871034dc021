//! The evidence for either verdict after each round, and what it takes to prove one.

use std::f64::consts::LN_10;
use std::fmt::Write;

use bench_diff_core::{Evidence, EvidenceCourse};

use super::svg::{self, Panel, Scale};
use super::{Room, ticks};
use crate::record::Measured;
use crate::report::escape::escaped;

/// Evidence below a hundredth is drawn as that: how much there is for nothing says nothing.
const LEAST: f64 = -2.0 * LN_10;

/// The plot; none without a gate, and of a judge that keeps no evidence.
pub(super) fn plot(measured: &Measured, room: Room) -> Option<String> {
    let EvidenceCourse { fail_at, pass_at, steps } = EvidenceCourse::of(&measured.plan, &measured.rounds)?;
    let last = steps.last()?;
    let mut in_sight = vec![fail_at, pass_at, 0.0];
    for step in &steps {
        in_sight.extend([step.ln_fail.max(LEAST), step.ln_pass.max(LEAST)]);
    }
    let y = Scale::vertical(svg::range(&in_sight, 0.1)?);
    let x = Scale::horizontal([0.0, steps.len() as f64 + 0.5]);
    let course = |of: fn(&Evidence) -> f64| {
        // Before the first round there is none, which is 1; and the last one decided.
        let point = |step: usize, ln: f64| [x.place(step as f64), y.place(ln)];
        let mut points = vec![point(0, 0.0)];
        for (index, step) in svg::thinned(&steps[..steps.len() - 1], room.corners).1 {
            points.push(point(index + 1, of(&step)));
        }
        points.push(point(steps.len(), of(last)));
        svg::line(&points)
    };
    let mut marks = String::new();
    for (line, at) in [("to-pass", pass_at), ("to-fail", fail_at)] {
        let _ = write!(marks, "<use href=#{line} y={} />", y.place(at));
    }
    marks += &svg::path("p", &course(|step| step.ln_pass));
    marks += &svg::path("f", &course(|step| step.ln_fail));
    let most = |of: fn(&Evidence) -> f64| number(steps.iter().map(of).fold(0.0, f64::max));
    let caption = escaped(&format!(
        "failure {} (needs {}), pass {} (needs {})",
        most(|step| step.ln_fail),
        number(fail_at),
        most(|step| step.ln_pass),
        number(pass_at)
    ));
    let y_ticks = ticks::evidence([y.low, y.high], 3);
    Some(Panel { title: "Evidence", caption, x: (x, Vec::new()), y: (y, y_ticks), marks }.markup())
}

/// Evidence from its logarithm, in two or three digits.
fn number(ln: f64) -> String {
    let evidence = ln.exp();
    if evidence < 9.95 {
        format!("{evidence:.1}")
    } else if evidence < 1e5 {
        format!("{evidence:.0}")
    } else {
        format!("1e{:.0}", ln / LN_10)
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn evidence_has_few_digits() {
        let ln = |evidence: f64| number(evidence.ln());
        assert_eq!([1.0, 20.0, 500.0, 1e12].map(ln), ["1.0", "20", "500", "1e12"]);
        assert_eq!(number(2000.0), "1e869");
    }
}
