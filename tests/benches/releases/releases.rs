//! The crates, and functions of theirs.

/// Two consecutive releases of a crate.
#[derive(Clone, Copy)]
pub(crate) struct Releases {
    pub(crate) name: &'static str,
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
    /// Functions of both, in which the crate is called `release`.
    pub(crate) functions: &'static str,
}

macro_rules! releases {
    ($($name:literal: $old:literal -> $new:literal;)*) => {
        pub(crate) const RELEASES: &[Releases] = &[$(Releases {
            name: $name,
            old: $old,
            new: $new,
            functions: include_str!(concat!("sources/", $name, ".rs")),
        }),*];
    };
}

releases! {
    "arrayvec": "0.7.7" -> "0.7.8";
    "base64": "0.23.0" -> "0.23.1";
    "bytes": "1.12.1" -> "1.12.2";
    "crc32fast": "1.5.4" -> "1.5.5";
    "fastrand": "2.4.1" -> "2.5.0";
    "heck": "0.4.1" -> "0.5.0";
    "hex": "0.4.2" -> "0.4.3";
    "httparse": "1.10.0" -> "1.10.1";
    "humantime": "2.3.0" -> "2.4.0";
    "indexmap": "2.14.1" -> "2.14.2";
    "itoa": "1.0.18" -> "1.0.19";
    "memchr": "2.8.2" -> "2.8.3";
    "percent-encoding": "2.3.1" -> "2.3.2";
    "ryu": "1.0.22" -> "1.0.23";
    "semver": "1.0.27" -> "1.0.28";
    "siphasher": "1.0.3" -> "1.0.4";
    "smallvec": "1.16.5" -> "1.16.6";
    "strsim": "0.11.0" -> "0.11.1";
    "unicode-segmentation": "1.13.2" -> "1.13.3";
    "unicode-width": "0.2.2" -> "0.2.3";
}
