//! The object format of the bench binary, which decides how it is linked in random layouts.

/// An object format whose binaries can be linked in random layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Elf,
    MachO,
}

impl Format {
    /// The format of binaries for this system, one of the names in [`std::env::consts::OS`]. Layouts on macOS
    /// have to be asked for.
    ///
    /// # Errors
    ///
    /// The reason why there are no layouts.
    pub(crate) fn of(system: &str, tries_macos: bool) -> Result<Self, String> {
        match system {
            "windows" => {
                Err("layouts need lld for ELF, which cannot link binaries of this system".to_owned())
            }
            "macos" if !tries_macos => {
                Err(format!("layouts on macOS are not measured yet: {OPT_IN}=1 tries them"))
            }
            "macos" => Ok(Self::MachO),
            _ => Ok(Self::Elf),
        }
    }

    /// Returns whether the machine code of functions can be compared without measuring them.
    pub(crate) fn has_proofs(self) -> bool {
        self == Self::Elf
    }
}

/// The environment variable of the setting that asks for layouts on macOS.
const OPT_IN: &str = "BENCH_DIFF_LAYOUTS_ON_MACOS";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_on_macos_have_to_be_asked_for() {
        assert_eq!(Format::of("linux", false), Ok(Format::Elf));
        assert_eq!(Format::of("macos", true), Ok(Format::MachO));
        let reason = Format::of("macos", false).unwrap_err();
        assert_eq!(reason, "layouts on macOS are not measured yet: BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them");
        assert!(Format::of("windows", true).unwrap_err().starts_with("layouts need lld for ELF"));
    }
}
