//! The object format of the bench binary, which decides how it is linked in random layouts.

use std::env::consts::OS;

/// An object format whose binaries can be linked in random layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Elf,
    MachO,
    Coff,
}

impl Format {
    /// The format of binaries for this system, which has a name like that of [`SYSTEM`]. Layouts on macOS and
    /// on Windows have to be asked for.
    ///
    /// # Errors
    ///
    /// The reason why there are no layouts.
    pub(crate) fn of(system: &str, is_asked_for: bool) -> Result<Self, String> {
        let (format, name) = match system {
            "macos" => (Self::MachO, "macOS"),
            "windows" => (Self::Coff, "Windows"),
            WINDOWS_GNU => return Err(NO_SECTIONS.to_owned()),
            _ => return Ok(Self::Elf),
        };
        if is_asked_for {
            return Ok(format);
        }
        let variable = format!("BENCH_DIFF_LAYOUTS_ON_{}", system.to_uppercase());
        Err(format!("layouts on {name} are untested: {variable}=1 tries them"))
    }

    /// Returns whether the machine code of functions can be compared without measuring them.
    pub(crate) fn has_proofs(self) -> bool {
        self == Self::Elf
    }
}

/// The system of this binary: a name in [`std::env::consts::OS`], or that of Windows with the GNU toolchain.
pub(crate) const SYSTEM: &str = if cfg!(all(windows, target_env = "gnu")) { WINDOWS_GNU } else { OS };

const WINDOWS_GNU: &str = "windows-gnu";

const NO_SECTIONS: &str = "the GNU toolchain for Windows gives functions no sections of their own, so they cannot be \
                           moved: build with that of MSVC";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_on_macos_and_windows_have_to_be_asked_for() {
        assert_eq!(Format::of("linux", false), Ok(Format::Elf));
        for (system, format, reason) in [
            (
                "macos",
                Format::MachO,
                "layouts on macOS are untested: BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them",
            ),
            (
                "windows",
                Format::Coff,
                "layouts on Windows are untested: BENCH_DIFF_LAYOUTS_ON_WINDOWS=1 tries them",
            ),
        ] {
            assert_eq!(Format::of(system, true), Ok(format));
            assert_eq!(Format::of(system, false), Err(reason.to_owned()));
        }
        for is_asked_for in [true, false] {
            let reason = Format::of(WINDOWS_GNU, is_asked_for).unwrap_err();
            assert!(
                reason.starts_with("the GNU toolchain for Windows gives functions no sections"),
                "{reason}"
            );
        }
    }
}
