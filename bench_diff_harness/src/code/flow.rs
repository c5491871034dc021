//! Follows the address of a panic location through the code of a function.
//!
//! The walk covers every path from where the address is loaded, with each register and slot that may hold it.
//! Code may copy the address, keep it on the stack and discard it, but only functions that never return may
//! use it. Any other use, and any instruction that isn't understood, ends the walk without a proof.
//!
//! **Registers** are visible in each instruction, and calls preserve those that a function has to preserve.
//!
//! **The stack** can also be reached by pointers, in the function and in the functions that it calls, and
//! code alone doesn't show how far a pointer into a frame may go. The proof rests on how a location gets into
//! a panic: the compiler passes it, as a constant or as the location that the caller passed in. No value of
//! the source becomes that argument, so code never reads it from memory on behalf of the source. If a
//! function reloads the argument from its frame right before such a call, the register allocator made that
//! slot. Such a slot is never part of a variable, no instruction forms its address, and each access names it
//! by one register and a constant. These accesses are as visible as registers. So the address may be stored
//! in slots from which such a reload is reached, and in no others; a variable, such as the result of
//! `Location::caller()`, is used in ways that cannot be followed.

#[cfg(test)]
mod on_aarch64;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::callee::{arguments, callee, diverging, goes_on_unwinding, is_by_convention};
use super::instruction::{Access, Instruction, Kind, Register, Registers, Usage};
use super::landing::{Lands, landing};
use super::machine::Machine;
use super::program::{Program, Reference, Section};

/// Returns whether the code loads the address that this reference leads to, and the address reaches only
/// functions of std that never return.
pub(super) fn only_panics_get(program: &Program, code: &Section, reference: &Reference) -> bool {
    let followed = || {
        let machine = program.machine?;
        let Reference { at, kind, addend, .. } = *reference;
        let (behind, register) = (machine.loaded)(&code.bytes, at, kind, addend)?;
        Flow::new(program, machine, code, MOST_CALLS).follow(behind, Registers::of(&[register]))
    };
    followed().is_some()
}

/// The longest chain of functions that pass a location on.
const MOST_CALLS: u32 = 3;

/// The most steps through one function.
const MOST_STEPS: usize = 100_000;

/// What may hold the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Register(Register),
    Slot(Slot),
}

/// Eight bytes of the frame, at this distance from the current value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Slot {
    base: Register,
    start: i64,
    /// The instruction that stored the address.
    stored_at: usize,
}

/// The size of an address.
const SIZE: i64 = 8;

struct Flow<'p> {
    program: &'p Program,
    machine: &'static Machine,
    code: &'p Section,
    calls: u32,
    open: Vec<(usize, Holder)>,
    seen: HashSet<(usize, Holder)>,
    /// For each instruction that stores the address: whether a reload for a panic is reached.
    is_reloaded: HashMap<usize, bool>,
}

impl<'p> Flow<'p> {
    fn new(program: &'p Program, machine: &'static Machine, code: &'p Section, calls: u32) -> Self {
        Self {
            program,
            machine,
            code,
            calls,
            open: Vec::new(),
            seen: HashSet::new(),
            is_reloaded: HashMap::new(),
        }
    }

    /// Follows the address from this offset in the code, where these registers hold it. `None` if it may get
    /// to anything but a panic.
    fn follow(mut self, start: usize, holders: Registers) -> Option<()> {
        holders.iter().for_each(|register| self.add(start, Holder::Register(register)));
        while let Some((at, holder)) = self.open.pop() {
            if self.seen.len() > MOST_STEPS {
                return None;
            }
            self.step(at, holder)?;
        }
        self.is_reloaded.values().all(|is_reloaded| *is_reloaded).then_some(())
    }

    fn add(&mut self, at: usize, holder: Holder) {
        if self.seen.insert((at, holder)) {
            self.open.push((at, holder));
        }
    }

    fn step(&mut self, at: usize, holder: Holder) -> Option<()> {
        let instruction = self.decode(at)?;
        let behind = at + instruction.length;
        let leads = self.references(at, behind);
        let holders = self.after(at, &instruction, holder)?;
        match instruction.kind {
            Kind::Next | Kind::Copy { .. } | Kind::Store { .. } | Kind::Load { .. } => {
                holders.into_iter().flatten().for_each(|holder| self.add(behind, holder));
            }
            Kind::Jump { by, is_conditional } => {
                let [Some(holder), None] = holders else { return Some(()) };
                match leads {
                    [] => self.add(behind.checked_add_signed(by as isize)?, holder),
                    [call] => self.enter(Some(call), holder)?,
                    _ => return None,
                }
                if is_conditional {
                    self.add(behind, holder);
                }
            }
            Kind::Call => {
                let [Some(holder), None] = holders else { return Some(()) };
                self.call(behind, leads, holder)?;
            }
            Kind::Return => return (!self.is_among(self.machine.returned, holder)).then_some(()),
            Kind::Trap => {}
            Kind::JumpAnywhere => return None,
        }
        Some(())
    }

    fn decode(&self, at: usize) -> Option<Instruction> {
        (self.machine.first)(self.code.bytes.get(at..)?)
    }

    fn references(&self, start: usize, end: usize) -> &'p [Reference] {
        let all = &self.code.references;
        let [first, behind] =
            [start, end].map(|end| all.partition_point(|reference| reference.at < end as u64));
        &all[first..behind]
    }

    fn is_among(&self, registers: Registers, holder: Holder) -> bool {
        matches!(holder, Holder::Register(register) if registers.contains(register))
    }

    /// What holds the address after an instruction, if `holder` holds it before.
    fn after(&mut self, at: usize, instruction: &Instruction, holder: Holder) -> Option<[Option<Holder>; 2]> {
        match holder {
            Holder::Register(register) => self.after_register(at, instruction, register),
            Holder::Slot(slot) => self.after_slot(at, instruction, slot),
        }
    }

    fn after_register(
        &mut self,
        at: usize,
        instruction: &Instruction,
        register: Register,
    ) -> Option<[Option<Holder>; 2]> {
        let stays = Some(Holder::Register(register));
        if instruction.reads.contains(register) {
            return None;
        }
        match (&instruction.kind, &instruction.access) {
            (Kind::Copy { from, to }, _) if *from == register => {
                let copy = (to != from).then_some(Holder::Register(*to));
                Some([stays, copy])
            }
            // A conditional copy may leave the register as it is.
            (Kind::Copy { .. }, _) if !instruction.sets.contains(register) => Some([stays, None]),
            (Kind::Store { from }, Some(Access { base, start, .. })) if *from == register => {
                let is_in_frame = [self.machine.stack_pointer, self.machine.frame_pointer].contains(base);
                let slot = Slot { base: *base, start: *start, stored_at: at };
                self.is_reloaded.entry(at).or_default();
                is_in_frame.then_some([stays, Some(Holder::Slot(slot))])
            }
            _ if instruction.sets.contains(register) => Some([None; 2]),
            _ if instruction.writes.contains(register) => None,
            _ => Some([stays, None]),
        }
    }

    fn after_slot(
        &mut self,
        at: usize,
        instruction: &Instruction,
        mut slot: Slot,
    ) -> Option<[Option<Holder>; 2]> {
        let mut loaded = None;
        if let Some(Access { base, start, end, usage }) = instruction.access
            && base == slot.base
            && start < slot.start + SIZE
            && end > slot.start
        {
            match (usage, &instruction.kind) {
                (_, Kind::Load { to }) if start == slot.start => {
                    *self.is_reloaded.entry(slot.stored_at).or_default() |=
                        self.is_passed_on(at + instruction.length, *to);
                    loaded = Some(Holder::Register(*to));
                }
                (Usage::Any, _) => return None,
                (Usage::Sets, _) if start <= slot.start && end >= slot.start + SIZE => {
                    return Some([None; 2]);
                }
                // Part of the address is overwritten, and the rest is no address.
                (Usage::Sets | Usage::Writes, _) => {}
            }
        }
        if instruction.writes.contains(slot.base) {
            match instruction.stack_moves_by {
                Some(distance) if slot.base == self.machine.stack_pointer => slot.start -= distance,
                // At the end of the function, where its frame is discarded.
                _ if instruction.sets.contains(slot.base) => return Some([loaded, None]),
                _ => return None,
            }
        }
        Some([Some(Holder::Slot(slot)), loaded])
    }

    /// Follows the address to where a call may go.
    fn call(&mut self, behind: usize, leads: &'p [Reference], holder: Holder) -> Option<()> {
        let call = match leads {
            [] => None,
            [call] => Some(call),
            _ => return None,
        };
        let stays = !self.is_among(self.machine.scratch, holder);
        if stays {
            match (landing(self.program, self.code, behind), holder) {
                (Lands::Unknown, _) => return None,
                (Lands::Nowhere, _) => {}
                (Lands::In(landing), Holder::Slot(slot)) if slot.base == self.machine.stack_pointer => {
                    let start = slot.start - landing.pushed;
                    self.add(landing.at, Holder::Slot(Slot { start, ..slot }));
                }
                (Lands::In(landing), _) => self.add(landing.at, holder),
            }
        }
        if call.is_some_and(|call| diverging(self.program, self.machine, call).is_some()) {
            return Some(());
        }
        self.enter(call, holder)?;
        // Code that resumes unwinding does not come back.
        let returns = !call.is_some_and(|call| goes_on_unwinding(self.program, call));
        if stays && returns && behind < self.code.bytes.len() {
            self.add(behind, holder);
        }
        Some(())
    }

    /// Follows the address into the called function.
    fn enter(&self, call: Option<&Reference>, holder: Holder) -> Option<()> {
        if call.is_some_and(|call| !is_by_convention(self.program, self.machine, call)) {
            return None;
        }
        let Holder::Register(register) = holder else { return Some(()) };
        if call.is_some_and(|call| diverging(self.program, self.machine, call).is_some())
            || !arguments(self.program, self.machine, call).contains(register)
        {
            return Some(());
        }
        let (code, start) = callee(self.program, self.machine, call?)?;
        let flow = Flow::new(self.program, self.machine, code, self.calls.checked_sub(1)?);
        flow.follow(start, Registers::of(&[register]))
    }

    /// Returns whether a register that was just loaded is passed on as the location of a panic, and used for
    /// nothing else before.
    fn is_passed_on(&self, mut at: usize, register: Register) -> bool {
        let mut holders = Registers::of(&[register]);
        // Jumps may form a loop.
        for _ in 0..MOST_BEFORE_CALL {
            let Some(instruction) = self.decode(at) else { return false };
            let behind = at + instruction.length;
            let leads = self.references(at, behind);
            if holders.iter().any(|holder| instruction.reads.contains(holder)) {
                return false;
            }
            holders = holders.without(instruction.writes);
            match instruction.kind {
                Kind::Copy { from, to } if holders.contains(from) && instruction.sets.contains(to) => {
                    holders |= Registers::of(&[to]);
                }
                Kind::Next | Kind::Copy { .. } | Kind::Load { .. } | Kind::Store { .. } => {}
                Kind::Jump { by, is_conditional: false } if leads.is_empty() => {
                    let Some(target) = behind.checked_add_signed(by as isize) else { return false };
                    at = target;
                    continue;
                }
                Kind::Call => {
                    let [call] = leads else { return false };
                    let location =
                        diverging(self.program, self.machine, call).and_then(|function| function.location);
                    return location.is_some_and(|index| holders.contains(self.machine.arguments[index]));
                }
                _ => return false,
            }
            at = behind;
        }
        false
    }
}

/// The most instructions between the reload of a location and the call that takes it.
const MOST_BEFORE_CALL: usize = 50;
