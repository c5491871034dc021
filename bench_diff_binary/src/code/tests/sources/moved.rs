//! Functions that read files below the tree they are compiled in, at the path `/TREE`.

use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};

#[cfg(not(changed))]
macro_rules! file {
    () => {
        "data/a.txt"
    };
}
#[cfg(changed)]
macro_rules! file {
    () => {
        "data/b.txt"
    };
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_one_text() -> Vec<u8> {
    fs::read(concat!("/TREE", "/", file!())).unwrap()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_joining() -> String {
    fs::read_to_string(Path::new("/TREE").join(file!())).unwrap()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_pushing() -> PathBuf {
    let mut path = PathBuf::new();
    path.push("/TREE");
    path.push(file!());
    path
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_collecting() -> PathBuf {
    ["/TREE", file!()].into_iter().collect()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_format(end: &str) -> String {
    format!("{}/{}.{end:>4}", "/TREE", file!())
}

#[inline(never)]
#[unsafe(no_mangle)]
fn with_a_message() -> Vec<u8> {
    let path = concat!("/TREE", "/", file!());
    let mut read = Vec::new();
    let mut file = fs::File::open(path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
    file.read_to_end(&mut read).expect(concat!("/TREE", "/", file!(), " is torn"));
    read
}

static FILES: [&str; 3] = [concat!("/TREE", "/", file!()), "other", concat!("/TREE", "/", file!(), ".gz")];

#[inline(never)]
#[unsafe(no_mangle)]
fn in_data(index: usize) -> Vec<u8> {
    fs::read(FILES[index]).unwrap()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn each_of_two() -> usize {
    let files = [concat!("/TREE", "/", file!()), concat!("/TREE", "/", file!(), ".gz")];
    files.iter().map(|file| fs::read(file).unwrap().len()).sum()
}

#[inline(never)]
fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new("/TREE").join("data").join(name)).unwrap()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_a_helper() -> usize {
    data(if cfg!(changed) { "b.txt" } else { "a.txt" }).len() + data("c.txt").len()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn names_no_file() -> bool {
    Path::new("/TREE").join(if cfg!(changed) { "one" } else { "another" }).exists()
}

/// A number that depends on the length of the text, and is another one.
#[inline(never)]
fn work(_: &str, turns: usize) -> usize {
    (0..turns).map(black_box).sum()
}

#[inline(never)]
#[unsafe(no_mangle)]
fn no_length_of_its_own() -> usize {
    work(concat!("/TREE", "/", file!()), "/TREE/data/a.txt".len() + 1)
}

#[inline(never)]
#[unsafe(no_mangle)]
fn no_equal_code() -> PathBuf {
    PathBuf::from(concat!("/TREE", "/", file!()))
}

fn main() {
    black_box((by_one_text(), by_joining(), by_pushing(), by_collecting(), by_format("x"), with_a_message()));
    black_box((in_data(1), each_of_two(), by_a_helper(), names_no_file(), no_length_of_its_own(), no_equal_code()));
}
