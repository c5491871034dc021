//! Fuzz targets for the parsers of linker arguments and of the dep-info file, both written by rustc.

use std::fs;
use std::path::Path;

use bench_diff_system::json;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::temporary::TempFolder;

use super::compile::again;
use super::link::Link;
use super::stand_in::{output_of, words};

/// Parses the bytes as a response file, its words as linker arguments and as a rustc call, and the bytes as a
/// stored call.
pub fn linker(bytes: &[u8]) {
    let said = words(&String::from_utf8_lossy(bytes));
    assert!(said.iter().map(String::len).sum::<usize>() <= 3 * bytes.len(), "a replaced byte takes three");
    let quoted: Vec<String> = said.iter().map(|word| quoted(word)).collect();
    assert_eq!(words(&quoted.join("\n")), said);
    if let Some((output, path)) = output_of(&said) {
        assert_eq!(said[output], path);
    }
    let recorded: Vec<&str> = said.iter().map(String::as_str).collect();
    if let Some(call) = RustcCall::of(&recorded) {
        let text = call.recorded();
        let again: Vec<&str> = text.split_terminator('\0').collect();
        assert!(said.iter().any(|word| word.contains('\0')) || again == recorded);
        let _ = call.linker();
    }
    let folder = TempFolder::of_run().expect("a folder for a file");
    let path = folder.path().join("link.json");
    fs::write(&path, bytes).expect("a file can be written");
    if let Ok(link) = Link::read(&path) {
        let again: Link = json::from_str(&json::to_string(&link)).expect("a call that was written is one");
        assert_eq!(again, link);
        let arguments = link.arguments_to(Path::new("/out"));
        assert_eq!(arguments[link.output], "/out");
        let _ = (link.is_unchanged(), link.is_lld(), link.is_called_directly());
    }
    dep_info(bytes, &folder);
}

/// Reads the same bytes as a dep-info file.
fn dep_info(bytes: &[u8], folder: &TempFolder) {
    fs::write(folder.path().join("a.d"), bytes).expect("a file can be written");
    let out = folder.path().display().to_string();
    let call = RustcCall::of(&["rustc", "/", "--crate-name", "a", "--out-dir", &out]);
    let again = again(&call.expect("it is a call"), Path::new("/again"), Path::new("cc"));
    let command = again.expect("it names an output, whose file is there");
    if let Ok(text) = str::from_utf8(bytes) {
        let variables = text.lines().filter(|line| line.starts_with("# env-dep:")).count();
        assert!(command.get_envs().count() <= variables);
    }
}

/// Quotes a word for a response file.
fn quoted(word: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in word.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted + "\""
}

#[cfg(test)]
#[path = "../../../fuzz/mutated.rs"]
mod mutated;

#[cfg(test)]
mod tests {
    use super::mutated::assert_survives;
    use super::*;

    #[test]
    fn the_stored_call_in_the_corpus_is_valid() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/linker/kept");
        assert!(Link::read(Path::new(path)).is_ok());
    }

    #[test]
    fn linker_survives() {
        assert_survives("linker", 512, linker);
    }
}
