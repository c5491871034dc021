//! The startup objects of C programs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bench_diff_system::files::{cannot, read};
use object::{File, Object, ObjectSymbol};

use crate::layout::link::Link;

/// Returns whether this is one of the objects that start a program. They have to stay in place.
pub(crate) fn is_starting(object: &Path) -> bool {
    const STARTING: [&str; 10] = [
        "crt1.o",
        "Scrt1.o",
        "gcrt1.o",
        "rcrt1.o",
        "crti.o",
        "crtn.o",
        "crtbegin.o",
        "crtbeginS.o",
        "crtend.o",
        "crtendS.o",
    ];
    object.file_name().and_then(|name| name.to_str()).is_some_and(|name| STARTING.contains(&name))
}

/// The startup objects of a linker call, and their content.
pub(super) fn read_all(link: &Link) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let objects = link.arguments.iter().map(Path::new).filter(|argument| is_starting(argument));
    let paths = objects.map(|object| Path::new(&link.folder).join(object));
    paths.map(|path| read(&path).map(|bytes| (path, bytes))).collect()
}

/// A symbol that startup objects refer to and do not define.
pub(super) struct Missing {
    pub(super) name: String,
    /// True if the program also works without the symbol.
    pub(super) is_weak: bool,
}

/// The symbols that the startup objects of a linker call refer to and do not define.
pub(super) fn missing(link: &Link) -> Result<Vec<Missing>, String> {
    let (mut missing, mut defined) = (Vec::new(), HashSet::new());
    for (path, bytes) in read_all(link)? {
        let parsed = File::parse(&*bytes).map_err(|error| cannot("read", &path, error))?;
        for symbol in parsed.symbols().filter(ObjectSymbol::is_global) {
            let name = symbol.name().map_err(|error| cannot("read", &path, error))?.to_owned();
            if symbol.is_undefined() {
                missing.push(Missing { name, is_weak: symbol.is_weak() });
            } else {
                defined.insert(name);
            }
        }
    }
    missing.retain(|symbol| !defined.contains(&symbol.name));
    Ok(missing)
}
