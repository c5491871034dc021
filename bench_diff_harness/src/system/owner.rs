//! The owner of a file.

use std::fs::Metadata;

/// Returns whether a file belongs to the user of this process.
#[cfg(unix)]
pub(crate) fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    // SAFETY: the call returns a number and does nothing else.
    #[expect(unsafe_code, reason = "the standard library does not say which user this is")]
    let user = unsafe { libc::geteuid() };
    metadata.uid() == user
}

/// Returns true: owners are not checked here.
#[cfg(not(unix))]
pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}
