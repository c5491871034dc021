//! The objects of C that start a program.

use std::path::Path;

/// Returns whether it is one of the objects that start a program, which have to stay where they are.
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
