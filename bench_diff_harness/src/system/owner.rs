//! Whose a file is.

use std::fs::Metadata;

/// Whether it belongs to the user of this process.
#[cfg(unix)]
pub(crate) fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    // SAFETY: reads a number of this process.
    #[expect(unsafe_code, reason = "the standard library does not say which user this is")]
    let user = unsafe { libc::geteuid() };
    metadata.uid() == user
}

/// What belongs to whom is not looked at.
#[cfg(not(unix))]
pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}
