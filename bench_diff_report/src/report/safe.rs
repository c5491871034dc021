//! Records as people get to see them: every text in them is safe to show, whoever wrote it.

use std::sync::Arc;

use crate::record::{Differs, Hindrance, Machine, OtherSide};
use crate::record::{End, PairRecord, PlannedRecord, StartRecord};
use bench_diff_system::text::{lines, one_line};

pub(super) fn pair(record: &PairRecord) -> PairRecord {
    let mut record = record.clone();
    let PairRecord {
        package,
        bench,
        name,
        file,
        seed,
        repeat,
        group,
        against,
        notes,
        nextest_run_id,
        end,
        ..
    } = &mut record;
    [package, bench, name, file, seed, repeat].into_iter().for_each(make_safe);
    [group, against, nextest_run_id].into_iter().flatten().chain(notes).for_each(make_safe);
    let make_safe_lines = |text: &mut String| *text = lines(text).into_owned();
    match end {
        End::Ignored { reason, .. } => reason.iter_mut().for_each(make_safe_lines),
        End::Error { reason, output } => [reason].into_iter().chain(output).for_each(make_safe_lines),
        End::Measured(figures) => {
            let figures = Arc::make_mut(figures);
            let why = figures.doubt.iter_mut().map(|doubt| &mut doubt.why);
            figures.reason.iter_mut().chain(why).for_each(make_safe_lines);
            figures.advice.iter_mut().for_each(make_safe);
            if let Some(Differs { function, why, .. }) = &mut figures.differs {
                [function, why].into_iter().for_each(make_safe);
            }
        }
        End::Timed(timing) => timing.advice.iter_mut().for_each(make_safe),
    }
    record
}

pub(super) fn start(record: &StartRecord) -> StartRecord {
    let mut record = record.clone();
    let StartRecord { package, bench, seed, unjudged, machine, .. } = &mut record;
    [package, bench, seed].into_iter().for_each(make_safe);
    let Machine { cpu, governor, .. } = machine;
    [unjudged, cpu, governor].into_iter().flatten().for_each(make_safe);
    if let Some(side) = &mut record.against {
        let OtherSide {
            asked,
            name,
            id,
            subject,
            program,
            hindrance,
            not_compared,
            other_work,
            lock,
            told,
            ..
        } = side;
        hindrance.iter_mut().for_each(|Hindrance { why, .. }| make_safe(why));
        [asked, name].into_iter().for_each(make_safe);
        [id, subject, program, other_work].into_iter().flatten().for_each(make_safe);
        [not_compared, lock, told].into_iter().flatten().for_each(make_safe);
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
