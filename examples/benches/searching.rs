//! A gate that keeps a gain: `memchr::memmem` has to stay 1.5 times as fast as `str::find`.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use bench_diff_harness::bench_diff;
use memchr::memmem;

/// All Rust sources of the workspace, one after the other.
static SOURCES: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for member in ["bench_diff_core", "bench_diff_macros", "bench_diff_harness"] {
        collect(&workspace.join(member).join("src"), &mut text);
    }
    text
});

fn collect(folder: &Path, text: &mut String) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(path).unwrap_or_default();
        }
    }
}

/// A needle that does not occur makes both read everything.
static ABSENT: LazyLock<String> = LazyLock::new(|| ["pub", "fn", "absent"].join(" "));

mod absent {
    use super::*;

    fn str_find() -> Option<usize> {
        SOURCES.find(ABSENT.as_str())
    }

    #[bench_diff(baseline = str_find, min_speedup = 1.5)]
    fn memmem_find() -> Option<usize> {
        memmem::find(SOURCES.as_bytes(), ABSENT.as_bytes())
    }
}

mod every_fn {
    use super::*;

    fn str_matches() -> usize {
        SOURCES.matches("fn ").count()
    }

    #[bench_diff(baseline = str_matches)]
    fn memmem_find_iter() -> usize {
        memmem::find_iter(SOURCES.as_bytes(), "fn ").count()
    }
}

bench_diff_harness::main!();
