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

/// A crate with releases of it, the oldest one first.
pub(crate) struct Crate {
    pub(crate) name: &'static str,
    releases: &'static [&'static str],
    functions: &'static str,
}

impl Crate {
    /// The releases that lie so many before the newest two.
    pub(crate) fn before(&self, steps: usize) -> Option<Releases> {
        let &[.., old, new] = self.releases.get(..self.releases.len().checked_sub(steps)?)? else {
            return None;
        };
        Some(Releases { name: self.name, old, new, functions: self.functions })
    }
}

macro_rules! crates {
    ($($name:literal: $($release:literal)*;)*) => {
        pub(crate) const CRATES: &[Crate] = &[$(Crate {
            name: $name,
            releases: &[$($release),*],
            functions: include_str!(concat!("sources/", $name, ".rs")),
        }),*];
    };
}

crates! {
    "arrayvec": "0.7.5" "0.7.6" "0.7.7" "0.7.8";
    "base64": "0.22.0" "0.22.1" "0.23.0" "0.23.1";
    "bytes": "1.11.1" "1.12.0" "1.12.1" "1.12.2";
    "crc32fast": "1.5.2" "1.5.3" "1.5.4" "1.5.5";
    "fastrand": "2.2.0" "2.3.0" "2.4.1" "2.5.0";
    "heck": "0.4.0" "0.4.1" "0.5.0";
    "hex": "0.4.2" "0.4.3";
    "httparse": "1.9.4" "1.9.5" "1.10.0" "1.10.1";
    "humantime": "2.1.0" "2.2.0" "2.3.0" "2.4.0";
    "indexmap": "2.13.1" "2.14.0" "2.14.1" "2.14.2";
    "itoa": "1.0.16" "1.0.17" "1.0.18" "1.0.19";
    "memchr": "2.8.0" "2.8.1" "2.8.2" "2.8.3";
    "percent-encoding": "2.2.0" "2.3.0" "2.3.1" "2.3.2";
    "ryu": "1.0.20" "1.0.21" "1.0.22" "1.0.23";
    "semver": "1.0.25" "1.0.26" "1.0.27" "1.0.28";
    "siphasher": "1.0.1" "1.0.2" "1.0.3" "1.0.4";
    "smallvec": "1.16.3" "1.16.4" "1.16.5" "1.16.6";
    "strsim": "0.10.0" "0.11.0" "0.11.1";
    "unicode-segmentation": "1.11.0" "1.12.0" "1.13.2" "1.13.3";
    "unicode-width": "0.2.0" "0.2.1" "0.2.2" "0.2.3";
}
