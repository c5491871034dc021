//! The startup objects of C programs.

use std::path::Path;

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
