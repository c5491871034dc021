//! The walk from two entries through what is reached from them.

use std::collections::{HashMap, HashSet, VecDeque};

use super::called::Called;
use super::callee::is_one_panic;
use super::difference::Difference;
use super::lengths::{self, MovedText};
use super::library::is_one_file;
use super::location::is_of_panic;
use super::moved::Trees;
use super::program::{Object, Program, Reference, Root, Section, Symbol, Target, is_name_in_std};
use crate::call::allocations::COUNTERS;

/// The reason why two functions are not proven to be the same machine code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Parting {
    Differ(Box<Difference>),
    /// They may be the same, but may read this file by the path of their tree, and it differs.
    File(String),
    /// They may be the same.
    Unknown(String),
}

/// Requires that what is reached from both calls, which may be of one program, is the same machine code. Two
/// programs may be of two trees.
pub(crate) fn same<'p>(left: Called<'p>, right: Called<'p>, trees: Option<&'p Trees>) -> Result<(), Parting> {
    Walk::new([left.program, right.program], trees).run([left, right])
}

/// Two sections that have to be the same code or data.
type Pair = [usize; 2];

/// Texts that differ in the paths of their trees.
struct Moved<'p> {
    texts: [&'p [u8]; 2],
    /// What follows the path of the left one, each time.
    rests: Vec<&'p [u8]>,
}

/// A walk under way.
pub(super) struct Walk<'p> {
    programs: [&'p Program; 2],
    trees: Option<&'p Trees>,
    is_one_program: bool,
    /// The code that is not followed any more, of both.
    others: Option<[&'p HashSet<usize>; 2]>,
    /// True if std is compiled into the objects of both, as with LTO.
    has_std_in_objects: bool,
    /// The pairs that were reached, each with the functions by which.
    pub(super) reached: HashMap<Pair, Pair>,
    open: VecDeque<Pair>,
    /// True if the targets that libraries find in the programs are among the pairs.
    is_outside: bool,
    /// Which data each data was paired with.
    partners: [HashMap<usize, usize>; 2],
    /// The constants of the left side that were reached, apart from sections.
    texts: HashSet<&'p [u8]>,
    /// What follows the path of its tree in some of them.
    rests: Vec<&'p [u8]>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(programs: [&'p Program; 2], trees: Option<&'p Trees>) -> Self {
        let [left, right] = programs;
        Self {
            programs,
            trees,
            is_one_program: std::ptr::eq(left, right),
            others: None,
            has_std_in_objects: programs.iter().all(|program| !program.has_std()),
            reached: HashMap::new(),
            open: VecDeque::new(),
            is_outside: false,
            partners: Default::default(),
            texts: HashSet::new(),
            rests: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, called: [Called<'p>; 2]) -> Result<(), Parting> {
        let [one, other] = self.programs;
        if one.options != other.options {
            return Err(unknown("they are linked with other options"));
        }
        let [from, to] = called.map(|side| side.roots);
        for (place, (left, right)) in from.iter().zip(to).enumerate() {
            self.others = (place + 1 == from.len()).then(|| called.map(|side| side.others));
            let roots = [left.section, right.section];
            if left.offset != right.offset {
                return Err(self.differ(roots, true));
            }
            self.open(roots, roots)?;
            while let Some(pair) = self.open.pop_front() {
                self.compare(pair)?;
            }
        }
        self.require_equal_files()?;
        self.require_own_variables(called)
    }

    fn sections(&self, pair: Pair) -> [&'p Section; 2] {
        [0, 1].map(|side| &self.programs[side].sections[pair[side]])
    }

    fn objects(&self, pair: Pair) -> [&'p Object; 2] {
        [0, 1].map(|side| self.programs[side].object(pair[side]))
    }

    /// Adds a pair, which these functions lead to.
    fn open(&mut self, pair: Pair, by: Pair) -> Result<(), Parting> {
        let [left, right] = self.sections(pair);
        let are_others =
            |[one, other]: [&HashSet<usize>; 2]| one.contains(&pair[0]) && other.contains(&pair[1]);
        if self.reached.contains_key(&pair) || self.others.is_some_and(are_others) {
            return Ok(());
        }
        let is_function = left.is_code() && right.is_code();
        let by = if is_function { pair } else { by };
        if left.header != right.header || left.bytes != right.bytes && !self.has_other_lengths([left, right])
        {
            return Err(self.differ(by, left.is_code() || right.is_code()));
        }
        if self.is_in_one_library(pair) {
            return self.open_outside(by);
        }
        // What it does is not read.
        if self.objects(pair).iter().any(|object| object.is_of_std()) {
            return Err(self.differ(by, left.is_code() || right.is_code()));
        }
        if !is_function && !left.is_unwinding() {
            self.marry(pair)?;
        }
        self.reached.insert(pair, by);
        self.open.push_back(pair);
        Ok(())
    }

    /// Returns whether both are one section of a library of the toolchain: its targets are the same as well,
    /// but for those that the library finds outside. Only code of that library gets at its variables, inlined
    /// or not: what they hold is a matter of what was called before, as files and the environment are.
    fn is_in_one_library(&self, pair: Pair) -> bool {
        let ([one, other], [left, right]) = (self.objects(pair), self.sections(pair));
        one == other && one.is_of_toolchain() && left.index == right.index && !left.is_unwinding()
    }

    /// Requires that both have the same shared libraries, and adds what libraries find in the programs.
    fn open_outside(&mut self, by: Pair) -> Result<(), Parting> {
        if self.is_one_program || std::mem::replace(&mut self.is_outside, true) {
            return Ok(());
        }
        let [left, right] = self.programs.map(|program| &program.libraries);
        if left.len() != right.len() || !left.iter().zip(right).all(|(one, other)| is_one_file(one, other)) {
            return Err(unknown("they are linked with other shared libraries"));
        }
        let found = self.programs.into_iter().flat_map(|program| &program.symbols);
        for symbol in found.filter(|symbol| symbol.is_found_by_libraries) {
            let name = &symbol.name;
            match self.programs.map(|program| program.found_by_libraries(name)) {
                [Some(left), Some(right)] if left.offset == right.offset => {
                    self.open([left.section, right.section], by)?;
                }
                _ => return Err(unknown(format!("libraries do not find the same {name} in both"))),
            }
        }
        Ok(())
    }

    /// Notes that functions stand for each other whose addresses are in data, since they may be compared too.
    fn marry_pointers(&mut self, from: &Section, pair: Pair) -> Result<(), Parting> {
        let is_pointer = !from.is_code() && !from.is_unwinding() && self.sections(pair)[0].is_code();
        if is_pointer { self.marry(pair) } else { Ok(()) }
    }

    /// Notes that two sections of data stand for each other, and no third one for either: addresses of data
    /// may be compared, and variables hold what was written to them.
    fn marry(&mut self, pair: Pair) -> Result<(), Parting> {
        let [left, right] = pair;
        let partners = [self.partners[0].insert(left, right), self.partners[1].insert(right, left)];
        match partners {
            [None, None] => Ok(()),
            _ if partners == [Some(right), Some(left)] => Ok(()),
            _ => Err(unknown(format!("one of them has {} twice", self.sections(pair)[0].name()))),
        }
    }

    fn compare(&mut self, pair: Pair) -> Result<(), Parting> {
        let [left, right] = self.sections(pair);
        let by = self.reached[&pair];
        if left.references.len() != right.references.len() {
            return Err(self.differ(by, left.is_code()));
        }
        for (index, (one, other)) in left.references.iter().zip(&right.references).enumerate() {
            if (one.at, one.kind) != (other.at, other.kind) {
                return Err(self.differ(by, left.is_code()));
            }
            let is_location =
                is_of_panic(self.programs[0], left, index) && is_of_panic(self.programs[1], right, index);
            match (&one.to, &other.to) {
                (Target::Place(_), Target::Place(_)) if is_location || self.panic_alike([one, other]) => {}
                (&Target::Place(to), &Target::Place(other_to)) => {
                    if self.follow_moved([one, other])? {
                        continue;
                    }
                    self.marry_pointers(left, [to.section, other_to.section])?;
                    self.follow([one, other], [to, other_to], by)?;
                }
                // A reference is what it is.
                _ if self.is_one_program && pair[0] == pair[1] && matches!(one.to, Target::Unknown(_)) => {}
                (Target::Unknown(reason), _) | (_, Target::Unknown(reason)) => return Err(unknown(*reason)),
                (Target::Nothing, Target::Nothing) if one.addend == other.addend => {}
                (&Target::Import(to), &Target::Import(other_to)) if one.addend == other.addend => {
                    let imports = [&self.programs[0].symbols[to], &self.programs[1].symbols[other_to]];
                    self.import(imports, by)?;
                }
                _ => return Err(self.differ(by, left.is_code())),
            }
        }
        Ok(())
    }

    /// Returns whether both call one function of std in their objects that never returns: both were compiled
    /// from one source, and nothing that is measured comes after them.
    fn panic_alike(&self, references: [&Reference; 2]) -> bool {
        self.has_std_in_objects && is_one_panic(self.programs, references)
    }

    /// The texts that both references lead to, if they differ in the paths of their trees.
    fn moved(&self, references: [&Reference; 2]) -> Option<Moved<'p>> {
        let trees = self.trees?;
        let [left, right] = [0, 1].map(|side| self.programs[side].text(references[side]));
        let ((left, text), (right, other)) = (left?, right?);
        // Texts of some lengths are merged, and others are not.
        let is_merged = left.is_merged() || right.is_merged();
        let is_alike = is_merged || left.header_of_any_size() == right.header_of_any_size();
        if text == other || !is_alike {
            return None;
        }
        Some(Moved { texts: [text, other], rests: trees.behind_path([text, other])? })
    }

    /// Takes both references as references to the same, if their texts differ in the paths of the trees.
    fn follow_moved(&mut self, references: [&Reference; 2]) -> Result<bool, Parting> {
        let Some(Moved { texts, rests }) = self.moved(references) else { return Ok(false) };
        self.texts.insert(texts[0]);
        self.rests.extend(rests);
        if let [Target::Place(left), Target::Place(right)] = references.map(|reference| &reference.to) {
            let pair = [left.section, right.section];
            if !self.sections(pair).into_iter().any(Section::is_merged) {
                self.marry(pair)?;
            }
        }
        Ok(true)
    }

    /// Returns whether sections of equal size differ in nothing but lengths of texts with the paths of trees.
    fn has_other_lengths(&self, [left, right]: [&'p Section; 2]) -> bool {
        let references = || left.references.iter().zip(&right.references);
        let is_alike = |(one, other): (&Reference, &Reference)| (one.at, one.kind) == (other.at, other.kind);
        if left.references.len() != right.references.len() || !references().all(is_alike) {
            return false;
        }
        let text = |(one, other): (&'p Reference, &'p Reference)| {
            let Moved { texts, .. } = self.moved([one, other])?;
            Some(MovedText { at: one.at, kind: one.kind, lengths: texts.map(|text| text.len() as u64) })
        };
        let texts: Vec<MovedText> = references().filter_map(text).collect();
        !texts.is_empty() && lengths::differ_alone([left, right], &texts)
    }

    /// Requires that no file differs which may be read by the path of its tree.
    fn require_equal_files(&self) -> Result<(), Parting> {
        let Some(trees) = self.trees.filter(|_| !self.rests.is_empty()) else { return Ok(()) };
        if trees.changed.is_none() {
            return Err(unknown(
                "they hold the path of their tree, and it is not known which files differ below it",
            ));
        }
        let mut texts = self.texts.clone();
        let sections = self.reached.keys().map(|pair| &self.programs[0].sections[pair[0]]);
        texts.extend(sections.filter(|section| !section.is_code()).map(|section| &*section.bytes));
        match trees.changed_file(&self.rests, &texts) {
            Some(file) => Err(Parting::File(file.to_owned())),
            None => Ok(()),
        }
    }

    /// Goes on to two places in sections.
    fn follow(&mut self, references: [&Reference; 2], to: [Root; 2], by: Pair) -> Result<(), Parting> {
        let pair = to.map(|root| root.section);
        let [left, right] = self.sections(pair);
        if left.is_merged() || right.is_merged() {
            return self.part(references, to, by);
        }
        let [start, other_start] =
            [0, 1].map(|side| to[side].offset.wrapping_add_signed(references[side].addend));
        if start != other_start {
            return Err(self.differ(by, left.is_code()));
        }
        self.open(pair, by)
    }

    /// Compares two parts of sections that the linker merges.
    fn part(&mut self, references: [&Reference; 2], to: [Root; 2], by: Pair) -> Result<(), Parting> {
        let pair = to.map(|root| root.section);
        let [left, right] = self.sections(pair);
        if left.header_of_any_size() != right.header_of_any_size() {
            return Err(self.differ(by, false));
        }
        match (left.part(to[0].offset), right.part(to[1].offset)) {
            (Some(part), Some(other)) if part == other && references[0].addend == references[1].addend => {
                self.texts.insert(part);
                Ok(())
            }
            (Some(_), Some(_)) => Err(self.differ(by, false)),
            _ => Err(unknown("a reference into the middle of merged data")),
        }
    }

    fn import(&mut self, imports: [&Symbol; 2], by: Pair) -> Result<(), Parting> {
        let [left, right] = imports;
        if left.name != right.name {
            return Err(self.differ(by, true));
        }
        if self.is_one_program {
            return Ok(());
        }
        match (left.is_in_library, right.is_in_library) {
            (true, true) => self.open_outside(by),
            _ => Err(unknown(format!("no library is known to have the same {} for both", left.name))),
        }
    }

    /// Returns whether both are one variable of std, compiled into the objects of each. What it holds is a
    /// matter of what was called before, as where std is a library.
    fn is_variable_of_std(&self, pair: Pair) -> bool {
        self.has_std_in_objects && {
            let [left, right] = self.sections(pair).map(Section::name);
            left == right && is_name_in_std(&left)
        }
    }

    /// Returns whether both are of the allocator that counts, which does so while nothing is timed. What is
    /// larger may hold other variables as well.
    fn is_counter(&self, pair: Pair) -> bool {
        let is_one = |section: &&Section| section.header.size <= 8 && section.name().starts_with(COUNTERS);
        self.sections(pair).iter().all(is_one)
    }

    /// Requires that no code outside of the walk gets at the variables that were reached, unless it never
    /// runs beside them, or both sides have one and the same.
    fn require_own_variables(&self, called: [Called<'_>; 2]) -> Result<(), Parting> {
        let is_one = |pair: &Pair| self.is_one_program && pair[0] == pair[1];
        let is_variable = |pair: &&Pair| {
            self.sections(**pair)[0].is_writable()
                && !is_one(pair)
                && !self.is_variable_of_std(**pair)
                && !self.is_counter(**pair)
        };
        let variables: Vec<Pair> = self.reached.keys().filter(is_variable).copied().collect();
        if variables.is_empty() {
            return Ok(());
        }
        for (side, Called { program, roots, idle, .. }) in called.into_iter().enumerate() {
            let has_to_do = |section: usize| {
                let name = program.sections[section].name();
                Err(unknown(format!("{name} has to do with a variable of theirs")))
            };
            if let Some(pair) = variables.iter().find(|pair| program.is_of_toolchain(pair[side])) {
                return has_to_do(pair[side]);
            }
            let found_by_libraries = program.all_found_by_libraries();
            let walked: HashSet<usize> = self.reached.keys().map(|pair| pair[side]).collect();
            let mut open: Vec<usize> = variables.iter().map(|pair| pair[side]).collect();
            let mut seen: HashSet<usize> = roots.iter().map(|root| root.section).collect();
            while let Some(section) = open.pop() {
                let is_code_of_toolchain =
                    program.is_of_toolchain(section) && !program.sections[section].is_writable();
                let is_harmless = idle.contains(&section) || is_code_of_toolchain && !self.is_one_program;
                if !seen.insert(section) || is_harmless {
                    continue;
                }
                let is_of_other = self.is_one_program && self.partners[1 - side].contains_key(&section);
                let is_found = self.is_one_program && found_by_libraries.contains(&section);
                if !walked.contains(&section) || is_of_other || is_found {
                    return has_to_do(section);
                }
                open.extend(program.referrers(section));
            }
        }
        Ok(())
    }

    fn differ(&self, functions: Pair, is_own: bool) -> Parting {
        Parting::Differ(Box::new(Difference::of(self.programs, functions, is_own)))
    }
}

fn unknown(reason: impl Into<String>) -> Parting {
    Parting::Unknown(reason.into())
}
