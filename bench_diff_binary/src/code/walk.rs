//! Walks from two entries through everything that they reach.

use std::collections::{HashMap, HashSet, VecDeque};

use bench_diff_system::rustc_call::Trees;

use super::difference::Difference;
use super::program::{Object, Program, Reference, Root, Section, Symbol, Target};

/// The functions that run in the processes of a program.
#[derive(Clone, Copy)]
pub(crate) struct Called<'p> {
    /// The program that the processes run.
    pub(crate) program: &'p Program,
    /// Where the called code begins.
    pub(crate) roots: &'p [Root],
    /// The code of the other benchmarks that the last root registers, none of which runs in these processes,
    /// and the code that starts a run.
    pub(crate) others: &'p HashSet<usize>,
    /// The code and data that only start a run, or that belong to benchmarks: of these, the processes use
    /// only what the roots lead to.
    pub(crate) idle: &'p HashSet<usize>,
    /// The beginning of the names of the variables that count allocations, which nothing does in timed code.
    pub(crate) counters: &'p str,
}

/// The reason why two functions are not proven to be the same machine code.
#[derive(Clone, Debug, PartialEq)]
pub enum Unproven {
    /// They differ.
    Differ(Box<Difference>),
    /// They may be the same; the text says why this is not certain.
    Unknown(String),
}

/// Requires that both calls reach the same machine code. They may be in one program; two programs may come
/// from two trees.
pub(crate) fn same<'p>(
    left: Called<'p>,
    right: Called<'p>,
    trees: Option<&'p Trees>,
) -> Result<(), Unproven> {
    Walk::new([left, right], trees).run()
}

/// A part of the mangled names of `std::env::current_exe` and of what it calls.
const OWN_PROGRAM: &str = "11current_exe";

/// Parts of the mangled names of the functions of std that list the environment.
const LISTING: [&str; 2] = ["3env4vars", "3env7vars_os"];

/// Functions of the system that load a library at run time.
const LOADING: [&str; 2] = ["dlmopen", "dlopen"];

/// Two sections that have to be the same code or data.
pub(super) type Pair = [usize; 2];

/// The state of a walk.
pub(super) struct Walk<'p> {
    pub(super) called: [Called<'p>; 2],
    pub(super) programs: [&'p Program; 2],
    pub(super) trees: Option<&'p Trees>,
    pub(super) is_one_program: bool,
    /// On each side, the code of other benchmarks, which the walk does not follow any more.
    others: Option<[&'p HashSet<usize>; 2]>,
    /// True if std is compiled into the objects of both, as with LTO.
    pub(super) has_std_in_objects: bool,
    /// The pairs reached so far, each with the functions that led to it.
    pub(super) reached: HashMap<Pair, Pair>,
    open: VecDeque<Pair>,
    /// True if the definitions that libraries use are among the pairs.
    is_outside: bool,
    /// For each section of data, the section that it was paired with.
    pub(super) partners: [HashMap<usize, usize>; 2],
    /// The constants of the left side that were reached, except whole sections.
    pub(super) texts: HashSet<&'p [u8]>,
    /// True if the left side was seen to contain the path of its tree.
    pub(super) knows_path: bool,
}

impl<'p> Walk<'p> {
    pub(super) fn new(called: [Called<'p>; 2], trees: Option<&'p Trees>) -> Self {
        let programs = called.map(|side| side.program);
        let [left, right] = programs;
        Self {
            called,
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
            knows_path: false,
        }
    }

    pub(super) fn run(&mut self) -> Result<(), Unproven> {
        let [one, other] = self.programs;
        if one.options != other.options {
            return Err(unknown("they are linked with different options"));
        }
        let [from, to] = self.called.map(|side| side.roots);
        for (place, (left, right)) in from.iter().zip(to).enumerate() {
            self.others = (place + 1 == from.len()).then(|| self.called.map(|side| side.others));
            let roots = [left.section, right.section];
            if left.offset != right.offset {
                return Err(self.differ(roots, true));
            }
            self.open(roots, roots)?;
            self.compare_open()?;
        }
        self.require_own_variables()?;
        self.require_equal_files()
    }

    pub(super) fn sections(&self, pair: Pair) -> [&'p Section; 2] {
        [0, 1].map(|side| &self.programs[side].sections[pair[side]])
    }

    fn objects(&self, pair: Pair) -> [&'p Object; 2] {
        [0, 1].map(|side| self.programs[side].object(pair[side]))
    }

    /// Compares all pairs that were added, and what they lead to.
    pub(super) fn compare_open(&mut self) -> Result<(), Unproven> {
        while let Some(pair) = self.open.pop_front() {
            self.compare(pair)?;
        }
        Ok(())
    }

    /// Adds a pair of sections, to which the functions `by` lead.
    pub(super) fn open(&mut self, pair: Pair, by: Pair) -> Result<(), Unproven> {
        let [left, right] = self.sections(pair);
        let are_of_other_benchmarks =
            self.others.is_some_and(|[one, other]| one.contains(&pair[0]) && other.contains(&pair[1]));
        if self.reached.contains_key(&pair) || are_of_other_benchmarks {
            return Ok(());
        }
        let is_function = left.is_code() && right.is_code();
        if is_function && !self.is_one_program && left.symbol.contains(OWN_PROGRAM) {
            return Err(unknown("they read the path of their executable, which differs"));
        }
        let differ = |trees: &Trees| trees.variables.iter().any(|(_, is_of_tree)| !is_of_tree);
        let reads_all = LISTING.iter().any(|part| left.symbol.contains(part));
        if is_function && reads_all && self.trees.is_some_and(differ) {
            return Err(unknown("they read all environment variables, of which some differ"));
        }
        let by = if is_function { pair } else { by };
        if left.header != right.header || left.bytes != right.bytes && !self.has_other_lengths([left, right])
        {
            return Err(self.differ(by, left.is_code() || right.is_code()));
        }
        if self.is_in_one_library(pair) {
            return self.open_outside(by);
        }
        // Sections of std have no bytes to compare.
        if self.objects(pair).iter().any(|object| object.is_of_std()) {
            return Err(self.differ(by, left.is_code() || right.is_code()));
        }
        if !is_function && !left.is_unwinding() {
            self.pair_once(pair)?;
        }
        self.reached.insert(pair, by);
        self.open.push_back(pair);
        Ok(())
    }

    /// Returns whether both are the same section of a library of the toolchain. Then they lead to the same
    /// places, except for the symbols that the library leaves to the rest of the program. Only code of that
    /// library, inlined or not, can access its variables. Their values depend on earlier calls, like files
    /// and the environment.
    fn is_in_one_library(&self, pair: Pair) -> bool {
        let ([one, other], [left, right]) = (self.objects(pair), self.sections(pair));
        one == other && one.is_of_toolchain() && left.index == right.index && !left.is_unwinding()
    }

    /// Requires that both programs have the same shared libraries, and adds the definitions that libraries
    /// use.
    fn open_outside(&mut self, by: Pair) -> Result<(), Unproven> {
        if self.is_one_program || std::mem::replace(&mut self.is_outside, true) {
            return Ok(());
        }
        let [left, right] = self.programs.map(|program| &program.libraries);
        // A library in another place may change later, and no binary with it.
        if left != right {
            return Err(unknown("they are linked with different shared libraries"));
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

    /// Pairs functions whose addresses are in data, since those addresses may be compared too.
    fn pair_pointers(&mut self, from: &Section, pair: Pair) -> Result<(), Unproven> {
        let is_pointer = !from.is_code() && !from.is_unwinding() && self.sections(pair)[0].is_code();
        if is_pointer { self.pair_once(pair) } else { Ok(()) }
    }

    /// Pairs two sections of data, so that neither pairs with a third: code may compare addresses of data,
    /// and variables keep what was written to them.
    pub(super) fn pair_once(&mut self, pair: Pair) -> Result<(), Unproven> {
        let [left, right] = pair;
        let of_left = *self.partners[0].entry(left).or_insert(right);
        let of_right = *self.partners[1].entry(right).or_insert(left);
        if [of_left, of_right] == [right, left] {
            return Ok(());
        }
        Err(unknown(format!("{} has no single counterpart", self.sections(pair)[0].name())))
    }

    fn compare(&mut self, pair: Pair) -> Result<(), Unproven> {
        let [left, right] = self.sections(pair);
        let by = self.reached[&pair];
        if left.references.len() != right.references.len() {
            return Err(self.differ(by, left.is_code()));
        }
        for (one, other) in left.references.iter().zip(&right.references) {
            if (one.at, one.kind) != (other.at, other.kind) {
                return Err(self.differ(by, left.is_code()));
            }
            match (&one.to, &other.to) {
                (&Target::Place(to), &Target::Place(other_to)) => {
                    let (references, to) = ([one, other], [to, other_to]);
                    if self.are_locations_in_one_file(references, to)
                        || self.is_same_panic(references, to)
                        || self.follow_moved(references, to)?
                    {
                        continue;
                    }
                    self.pair_pointers(left, to.map(|root| root.section))?;
                    self.follow(references, to, by)?;
                }
                // The same reference of the same section is trivially equal, even if its target is
                // unknown.
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

    /// Follows two references into sections.
    fn follow(&mut self, references: [&Reference; 2], to: [Root; 2], by: Pair) -> Result<(), Unproven> {
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
    fn part(&mut self, references: [&Reference; 2], to: [Root; 2], by: Pair) -> Result<(), Unproven> {
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

    fn import(&mut self, imports: [&Symbol; 2], by: Pair) -> Result<(), Unproven> {
        let [left, right] = imports;
        if left.name != right.name {
            return Err(self.differ(by, true));
        }
        if self.is_one_program {
            return Ok(());
        }
        match (left.is_in_library, right.is_in_library) {
            (true, true) if LOADING.contains(&&*left.name) => {
                Err(unknown(format!("they call {}, and what that loads may differ", left.name)))
            }
            (true, true) => self.open_outside(by),
            _ => {
                Err(unknown(format!("no shared library was found that defines {} on both sides", left.name)))
            }
        }
    }

    fn differ(&self, functions: Pair, is_in_code: bool) -> Unproven {
        Unproven::Differ(Box::new(Difference::of(self.programs, functions, is_in_code)))
    }
}

pub(super) fn unknown(reason: impl Into<String>) -> Unproven {
    Unproven::Unknown(reason.into())
}
