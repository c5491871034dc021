//! Edits of the sources of a library.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

    /// Writes two comment lines on top of every file.
    pub(crate) fn comment(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|(path, text)| {
            fs::write(path, format!("// One comment.\n// And one more.\n{text}"))
        })
    }

    /// Writes a function with a loop at its beginning. Returns whether there is such a function, as rustfmt
    /// writes it.
    pub(crate) fn slow(&self, function: &str, turns: u32) -> io::Result<bool> {
        for (path, text) in &self.0 {
            if let Some(slowed) = slowed(text, function, turns) {
                fs::write(path, slowed)?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn slowed(text: &str, function: &str, turns: u32) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let begins = |line: &&str| {
        line.split_once("fn ").is_some_and(|(_, rest)| {
            rest.strip_prefix(function).is_some_and(|rest| rest.starts_with(['(', '<']))
        })
    };
    let start = lines.iter().position(begins)?;
    let body = start + lines[start..].iter().position(|line| line.ends_with('{'))?;
    let work = format!("let mut left = {turns}_u32; while core::hint::black_box(left) > 0 {{ left -= 1; }}");
    lines.insert(body + 1, &work);
    Some(lines.join("\n") + "\n")
}
