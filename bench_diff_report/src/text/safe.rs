//! Texts that others wrote, made safe: records for people, and text in HTML and XML.

use std::sync::Arc;

use bench_diff_system::text::{lines, one_line};

use crate::record::{Differs, End, Hindrance, Machine, OtherSide, PairRecord, PlannedRecord, StartRecord};

pub(crate) fn pair(record: &PairRecord) -> PairRecord {
    let mut record = record.clone();
    let PairRecord { package, bench, name, file, seed, repeat, .. } = &mut record;
    [package, bench, name, file, seed, repeat].into_iter().for_each(make_safe);
    let PairRecord { group, against, notes, nextest_run_id, end, .. } = &mut record;
    [group, against, nextest_run_id].into_iter().flatten().chain(notes).for_each(make_safe);
    match end {
        End::Ignored { reason, .. } => reason.iter_mut().for_each(make_safe_lines),
        End::Error { reason, output } => [reason].into_iter().chain(output).for_each(make_safe_lines),
        End::Measured(figures) => {
            let figures = Arc::make_mut(figures);
            let why = figures.doubt.iter_mut().map(|doubt| &mut doubt.why);
            figures.reason.iter_mut().chain(why).for_each(make_safe_lines);
            figures.slots.advice.iter_mut().for_each(make_safe);
            if let Some(Differs { function, why, .. }) = &mut figures.differs {
                [function, why].into_iter().for_each(make_safe);
            }
        }
        End::Timed(timing) => timing.slots.advice.iter_mut().for_each(make_safe),
        End::Unmeasured { .. } => {}
    }
    record
}

pub(crate) fn start(record: &StartRecord) -> StartRecord {
    let mut record = record.clone();
    let StartRecord { package, bench, seed, unjudged, machine, .. } = &mut record;
    [package, bench, seed].into_iter().for_each(make_safe);
    let Machine { cpu, governor, .. } = machine;
    [unjudged, cpu, governor].into_iter().flatten().for_each(make_safe);
    if let Some(side) = &mut record.against {
        let OtherSide { asked, name, id, subject, program, hindrance, other_work, .. } = side;
        hindrance.iter_mut().for_each(|Hindrance { why, .. }| make_safe(why));
        [asked, name].into_iter().for_each(make_safe);
        [id, subject, program, other_work].into_iter().flatten().for_each(make_safe);
        let OtherSide { not_compared, lock, lines, .. } = side;
        [not_compared, lock].into_iter().flatten().for_each(make_safe);
        // The error of a build has several.
        lines.iter_mut().for_each(make_safe_lines);
    }
    for PlannedRecord { name, group, .. } in &mut record.pairs {
        [name].into_iter().chain(group).for_each(make_safe);
    }
    record
}

fn make_safe(text: &mut String) {
    if let std::borrow::Cow::Owned(safe) = one_line(text) {
        *text = safe;
    }
}

fn make_safe_lines(text: &mut String) {
    *text = lines(text).into_owned();
}

/// Escapes a text for use between tags or in a quoted attribute. Invisible characters become visible escapes.
pub(crate) fn escaped(text: &str) -> String {
    let signs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    signs.iter().fold(lines(text).into_owned(), |text, (sign, name)| text.replace(sign, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escaped("<script>alert('x')</script> & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        );
        assert_eq!(escaped("a\u{202e}b\u{1b}[1m\u{0}"), "a\\u{202e}b\\u{1b}[1m\\u{0}");
        assert_eq!(escaped("größe/数数\nnext"), "größe/数数\nnext");
    }
}
