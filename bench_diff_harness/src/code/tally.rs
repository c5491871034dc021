//! What a decoder knows of many instructions, compared with an established decoder, for any machine.
//!
//! Mistakes that make a proof wrong must not occur: a missed read or write of a register, a register reported
//! as overwritten that isn't, a wrong length, jump or piece of memory. Mistakes that only lose proofs may
//! occur, but seldom.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::instruction::{Instruction, Kind, Registers};

/// How an instruction uses registers, according to the established decoder.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) reads: Registers,
    pub(super) writes: Registers,
    pub(super) sets: Registers,
}

/// The number of compared instructions, and what was wrong or lost.
#[derive(Debug)]
pub(super) struct Tally {
    /// The registers whose uses are not compared here.
    excused: Registers,
    pub(super) instructions: u64,
    undecoded: u64,
    facts: u64,
    reads_in_vain: u64,
    unseen_sets: u64,
    /// The mistakes that make a proof wrong, with an example of each.
    wrong: BTreeMap<String, String>,
    lost: BTreeMap<String, u64>,
}

impl Tally {
    pub(super) fn new(excused: Registers) -> Self {
        let (wrong, lost) = (BTreeMap::new(), BTreeMap::new());
        Self {
            excused,
            instructions: 0,
            undecoded: 0,
            facts: 0,
            reads_in_vain: 0,
            unseen_sets: 0,
            wrong,
            lost,
        }
    }

    /// Adds an instruction that only the established decoder knows.
    pub(super) fn add_undecoded(&mut self, name: &str) {
        self.instructions += 1;
        self.undecoded += 1;
        *self.lost.entry(format!("{name} is not decoded")).or_default() += 1;
    }

    /// Adds an instruction with its name, its uses according to the established decoder, and the mistakes
    /// about other things than registers. The example of a mistake begins with `shown`.
    pub(super) fn add(
        &mut self,
        own: &Instruction,
        uses: &Uses,
        mistakes: Vec<String>,
        name: impl Fn() -> String,
        shown: impl Fn() -> String,
    ) {
        self.instructions += 1;
        for mistake in mistakes.into_iter().chain(wrong_uses(own, uses, self.excused)) {
            let example = || format!("{} {own:?}", shown());
            self.wrong.entry(format!("{}: {mistake}", name())).or_insert_with(example);
        }
        let count = |registers: Registers| registers.without(self.excused).iter().count() as u64;
        let in_vain = count(known_reads(own).without(uses.reads));
        let unseen = count(uses.sets.without(own.sets));
        self.facts += count(uses.reads) + count(uses.sets);
        self.reads_in_vain += in_vain;
        self.unseen_sets += unseen;
        if in_vain + unseen > 0 {
            *self.lost.entry(format!("{}: {in_vain} reads, {unseen} sets", name())).or_default() += 1;
        }
    }

    /// Requires at least this many instructions, and no mistake that makes a proof wrong.
    pub(super) fn assert_sound(&self, at_least: u64) {
        let Self { instructions, undecoded, facts, reads_in_vain, unseen_sets, wrong, .. } = self;
        let mut lost: Vec<_> = self.lost.iter().collect();
        lost.sort_by_key(|(_, times)| Reverse(**times));
        println!(
            "{instructions} instructions, {undecoded} not decoded; {facts} facts, {reads_in_vain} reads in vain, {unseen_sets} unseen sets"
        );
        lost.iter().take(60).for_each(|(what, times)| println!("{times:>9} {what}"));
        assert!(wrong.is_empty(), "{} kinds are wrong: {wrong:#?}", wrong.len());
        assert!(*instructions >= at_least, "only {instructions} instructions");
    }

    /// Requires that this percentage of the instructions is decoded.
    pub(super) fn assert_decoded(&self, percent: u64) {
        let Self { instructions, undecoded, .. } = self;
        assert!(undecoded * 100 <= instructions * (100 - percent), "{undecoded} are not decoded");
    }

    /// Requires that less than a hundredth of the uses of registers is lost.
    pub(super) fn assert_little_is_lost(&self) {
        let Self { facts, reads_in_vain, unseen_sets, .. } = self;
        assert!((reads_in_vain + unseen_sets) * 100 < *facts, "{reads_in_vain} reads, {unseen_sets} sets");
    }
}

/// The uses of registers that make a proof wrong.
fn wrong_uses(own: &Instruction, uses: &Uses, excused: Registers) -> impl Iterator<Item = String> {
    let wrong = [
        ("reads", uses.reads.without(known_reads(own))),
        ("writes", uses.writes.without(own.writes)),
        ("sets", own.sets.without(uses.sets)),
    ];
    let wrong = wrong.map(|(what, registers)| (what, registers.without(excused)));
    let wrong = wrong.into_iter().filter(|(_, registers)| *registers != Registers::NONE);
    wrong.map(|(what, registers)| format!("{what} {:?}", registers.iter().collect::<Vec<_>>()))
}

/// The registers that an instruction reads, including the one that it copies or stores.
fn known_reads(own: &Instruction) -> Registers {
    match own.kind {
        Kind::Copy { from, .. } | Kind::Store { from } => own.reads | Registers::of(&[from]),
        _ => own.reads,
    }
}
