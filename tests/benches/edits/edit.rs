//! Edits of sources as rustfmt leaves them: a function of a file begins and ends without indentation.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy)]
pub(crate) enum Edit<'a> {
    /// Two comment lines on top of every file.
    Comment,
    /// Another name for a local variable.
    Local,
    /// A function goes into a module.
    Moved,
    /// A function begins with a loop.
    Slower { function: &'a str, loops: u32 },
}

/// Finds how many turns of a loop make a benchmark 5 % slower. `trial` runs it with a number of turns and
/// returns the ratio; if the first number is too small to tell, a larger one is tried.
pub(crate) fn turns_of_5_percent<E: From<String>>(trial: impl Fn(u32) -> Result<f64, E>) -> Result<u32, E> {
    for turns in [400, 20_000] {
        let ratio = trial(turns)?;
        eprintln!("{turns} turns of a loop: ratio {ratio:.3}");
        if ratio >= 1.05 {
            return Ok((f64::from(turns) * 0.05 / (ratio - 1.0)).round().max(1.0) as u32);
        }
    }
    Err("a loop does not make it slower: it hardly calls this".to_owned().into())
}

impl Edit<'_> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Local => "local",
            Self::Moved => "moved",
            Self::Slower { .. } => "slower",
        }
    }
}

/// The files of a library.
pub(crate) struct Sources(Vec<(PathBuf, String)>);

impl Sources {
    /// Those below this folder.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    files.push((path.clone(), fs::read_to_string(path)?));
                }
            }
        }
        files.sort();
        Ok(Self(files))
    }

    pub(crate) fn write(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|(path, text)| fs::write(path, text))
    }

    /// The files with this edit; `None` if no file has a place for it.
    pub(crate) fn edited(&self, edit: Edit<'_>) -> Option<Self> {
        if let Edit::Comment = edit {
            let commented =
                |(path, text): &(PathBuf, String)| (path.clone(), format!("// One.\n// Two.\n{text}"));
            return Some(Self(self.0.iter().map(commented).collect()));
        }
        self.0.iter().find_map(|(path, text)| {
            let lines: Vec<&str> = text.lines().collect();
            let lines = match edit {
                Edit::Slower { function, loops } => slowed(&lines, function, loops)?,
                Edit::Local => functions(&lines).find_map(|function| renamed(&lines, function))?,
                _ => moved(&lines, functions(&lines).next()?),
            };
            Some(Self(vec![(path.clone(), lines.join("\n") + "\n")]))
        })
    }
}

/// The first and the last line of a function.
type Function = (usize, usize);

/// The functions of a file that are in no other item, are compiled for everybody, and have a few lines.
fn functions<'l>(lines: &'l [&str]) -> impl Iterator<Item = Function> + use<'l> {
    let begins =
        |line: &str| ["fn ", "pub fn ", "pub(crate) fn "].iter().any(|start| line.starts_with(start));
    let starts = (1..lines.len()).filter(move |at| begins(lines[*at]) && !lines[at - 1].starts_with("#["));
    let whole = starts.filter_map(|start| {
        let length = lines[start..].iter().position(|line| *line == "}")?;
        (length > 5).then_some((start, start + length))
    });
    whole.filter(|(start, end)| !lines[*start..*end].iter().any(|line| line.contains("macro_rules")))
}

fn moved(lines: &[&str], (start, end): Function) -> Vec<String> {
    let (visibility, rest) = lines[start].split_once("fn ").unwrap_or_default();
    let name = rest.split(['(', '<']).next().unwrap_or_default();
    let own = |text: &str| text.to_owned();
    // Documentation before it stays there, on the import.
    let before = lines[..start].iter().map(|line| own(line));
    let import = format!("{visibility}use self::moved_here::{name};");
    let body = lines[start + 1..=end].iter().map(|line| own(line));
    let inner = if visibility.is_empty() { "pub(super) " } else { visibility };
    let module = [own("mod moved_here {"), own("use super::*;"), format!("{inner}fn {rest}")];
    let after = lines[end + 1..].iter().map(|line| own(line));
    before.chain([import]).chain(after).chain(module).chain(body).chain([own("}")]).collect()
}

/// The first local that is nothing but a variable in its function.
fn renamed(lines: &[&str], (start, end): Function) -> Option<Vec<String>> {
    let function = &lines[start..=end];
    let mut declared = function.iter().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("let ")?;
        let rest = rest.strip_prefix("mut ").unwrap_or(rest);
        rest.split_once(" = ").map(|(name, _)| name)
    });
    let is_plain = |name: &&str| {
        name.len() > 2
            && name.chars().all(|character| character == '_' || character.is_ascii_lowercase())
            && function.iter().all(|line| is_variable(line, name))
    };
    let name = declared.find(|name| is_plain(name))?;
    let renamed = function.iter().map(|line| {
        words(line)
            .map(|word| if word == name { format!("{name}_renamed") } else { word.to_owned() })
            .collect()
    });
    let own = |line: &&str| (*line).to_owned();
    Some(lines[..start].iter().map(own).chain(renamed).chain(lines[end + 1..].iter().map(own)).collect())
}

/// Returns whether no field, text, macro or struct of the line uses this name.
fn is_variable(line: &str, name: &str) -> bool {
    let words: Vec<&str> = words(line).collect();
    let uses = (0..words.len()).filter(|at| words[*at] == name);
    let is_use = |at: usize| {
        let before = words[..at].iter().rev().find(|word| **word != " ");
        let after = words[at + 1..].iter().find(|word| **word != " ");
        before != Some(&".") && !matches!(after, Some(&":" | &"!")) && before != Some(&"{")
    };
    let mut uses = uses.peekable();
    uses.peek().is_none() || (!line.contains('"') && uses.all(is_use))
}

/// The words of a line, and each character between them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_word = |character: char| character == '_' || character.is_alphanumeric();
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length.max(if is_word(first) { 1 } else { first.len_utf8() }));
        rest = behind;
        Some(word)
    })
}

fn slowed(lines: &[&str], function: &str, loops: u32) -> Option<Vec<String>> {
    let begins = |line: &&str| {
        line.split_once("fn ").is_some_and(|(_, rest)| {
            rest.strip_prefix(function).is_some_and(|rest| rest.starts_with(['(', '<']))
        })
    };
    let start = lines.iter().position(begins)?;
    let body = start + lines[start..].iter().position(|line| line.ends_with('{'))?;
    let work = format!("let mut left = {loops}_u32; while core::hint::black_box(left) > 0 {{ left -= 1; }}");
    let mut edited: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    edited.insert(body + 1, work);
    Some(edited)
}
