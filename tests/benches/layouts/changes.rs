//! The functions of the old release with changes that cost nothing and move machine code, drawn from a seed:
//! checks that never hold at the entry and in the middle, branches the other way round, an argument that no
//! one uses, and a helper that is inlined or not. Callgrind counts the same instructions on both sides,
//! within 1 %: what makes the compiler choose other loops, such as another order of a comparison in a sort,
//! is left out.

use bench_diff_core::{Generator, Seed};

/// The source that is changed.
pub(crate) const SOURCE: &str = include_str!("../../kernels/old/src/lib.rs");

/// The beginning of a measured function.
const FUNCTION: &str = "\n#[inline(never)]\npub fn ";

/// Functions that stay as they are, since their loops would not. A check before the loop of `parse` decides whether it
/// keeps 6, 7, or 8 values on the stack, and one in `utf8` how its iterators are inlined. The loops of `bubble` and
/// `lev` leave by jumps to what stands behind them, which become four bytes longer where a check adds code there: that
/// is 4 % of the time of `bubble` on an Intel Xeon, and of `lev` on an AMD EPYC of the third generation.
pub(crate) const KEPT: [&str; 4] = ["bubble", "lev", "parse", "utf8"];

/// Pairs of ways to write the same thing.
const REWRITES: [(&str, &str); 5] = [
    (
        "if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 }",
        "if number % 2 == 1 { 3 * number + 1 } else { number / 2 }",
    ),
    ("if rest & 1 == 1 {", "if rest & 1 == 0 {} else {"),
    (
        "if number.is_multiple_of(6) { ' ' } else { char::from(b'a' + (number % 26) as u8) }",
        "if number % 6 != 0 { char::from(b'a' + (number % 26) as u8) } else { ' ' }",
    ),
    ("if number & 3 == 0 { 'ß' } else { 's' }", "if number & 3 != 0 { 's' } else { 'ß' }"),
    (
        "' ' => counts[0] += 1,\n            'a' | 'e' | 'i' | 'o' | 'u' => counts[1] += 1,",
        "'a' | 'e' | 'i' | 'o' | 'u' => counts[1] += 1,\n            ' ' => counts[0] += 1,",
    ),
];

/// The function that a check that never holds would call.
const COLD: &str = "
#[cold]
#[inline(never)]
fn cold(numbers: &[u64], check: u64) -> u64 {
    numbers.iter().rev().fold(check, |state, number| state.rotate_left(9) ^ number)
}
";

/// The source of the variant of this seed.
pub(crate) fn changed(seed: u64) -> String {
    let mut chance = Chance(Generator::new(Seed(seed)));
    let mut source = SOURCE.to_owned();
    for (from, to) in REWRITES {
        assert!(source.contains(from), "the functions have no {from}");
        if chance.below(2) == 1 {
            source = source.replace(from, to);
        }
    }
    // The other helper stays as it is: a sort is compiled to other loops where `part` is inlined by force or not.
    let helper = "\nfn text(";
    assert!(source.contains(helper), "the functions have no {helper}");
    let hint = ["", "\n#[inline(always)]", "\n#[inline(never)]"][chance.below(3)];
    source = source.replace(helper, &format!("{hint}{helper}"));
    let mut parts = source.split(FUNCTION).zip(SOURCE.split(FUNCTION));
    let (head, _) = parts.next().unwrap_or_default();
    let function = |(part, kept): (&str, &str)| {
        let changed = chance.change(part);
        let is_kept = KEPT.iter().any(|name| kept.starts_with(&format!("{name}(")));
        FUNCTION.to_owned() + if is_kept { kept } else { &changed }
    };
    let functions: String = parts.map(function).collect();
    format!("{head}{functions}{COLD}")
}

struct Chance(Generator);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        (self.0.draw() % end as u64) as usize
    }

    /// Changes a function, which is followed by what stands before the next one.
    fn change(&mut self, part: &str) -> String {
        let (name, _) = part.split_once('(').expect("a function has arguments");
        let (signature, rest) = part.split_once('\n').expect("a function has a body");
        let (body, rest) = rest.split_once("\n}\n").expect("a function ends");
        // It takes so little time that a few cycles are one percent of it.
        let is_short = name == "sum";
        let checks = 1 + self.below(if is_short { 3 } else { 5 });
        let mut statements = statements(body);
        let middle = self.below(statements.len());
        // In the middle of `hex` it makes the compiler choose another loop.
        if middle > 0 && self.below(2) == 1 && name != "hex" {
            statements.insert(middle, self.check());
        }
        let entry: String = (0..checks).map(|_| self.check()).collect();
        let argument = if !is_short && self.below(2) == 1 {
            format!(
                "    {name}_with(numbers, {})\n}}\n\n/// The same.\n#[inline(never)]\n\
                 pub fn {name}_with(numbers: &[u64], _: usize) -> u64 {{\n",
                self.below(1000)
            )
        } else {
            String::new()
        };
        let body = statements.concat();
        format!("{signature}\n{argument}{entry}{}\n}}\n{rest}", body.trim_end())
    }

    /// A comparison and a branch that is never taken, which no compiler knows.
    fn check(&mut self) -> String {
        let (number, is_length) = (self.below(1000), self.below(2) == 1);
        let condition = if is_length {
            format!("numbers.len() == {}", 10_000_000 + number)
        } else {
            format!("numbers.as_ptr() as usize == {}", 8 * number + 8)
        };
        format!("    if {condition} {{\n        return cold(numbers, {number});\n    }}\n")
    }
}

/// The statements of a body, which begin where nothing is indented twice and nothing is closed.
fn statements(body: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for line in body.lines() {
        let begins = line.strip_prefix("    ").is_some_and(|text| !text.starts_with([' ', '}', ')', '.']));
        match statements.last_mut() {
            Some(last) if !begins => *last += &format!("{line}\n"),
            _ => statements.push(format!("{line}\n")),
        }
    }
    statements
}
