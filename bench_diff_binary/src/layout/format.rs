//! The object format of the bench binary, which decides how it is linked in random layouts.

/// An object format whose binaries can be linked in random layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Of Linux and others.
    Elf,
    /// Of macOS.
    MachO,
}

impl Format {
    /// The format of binaries for this system, a name in [`std::env::consts::OS`]. Layouts on macOS have to
    /// be asked for.
    ///
    /// # Errors
    ///
    /// The reason why there are no layouts.
    pub fn of(system: &str, on_macos: bool) -> Result<Self, String> {
        match system {
            "windows" => Err("bench_diff links no layouts on Windows".to_owned()),
            "macos" if !on_macos => {
                Err("layouts on macOS are untested: BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them".to_owned())
            }
            "macos" => Ok(Self::MachO),
            _ => Ok(Self::Elf),
        }
    }

    /// Returns whether the machine code of functions can be compared without measuring them.
    pub(super) fn has_proofs(self) -> bool {
        self == Self::Elf
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn layouts_on_macos_have_to_be_asked_for_and_windows_has_none() {
        let of = |system| [false, true].map(|on_macos| Format::of(system, on_macos));
        assert_eq!(of("linux"), [Ok(Format::Elf), Ok(Format::Elf)]);
        let [unasked, asked] = of("macos");
        assert!(unasked.unwrap_err().ends_with("BENCH_DIFF_LAYOUTS_ON_MACOS=1 tries them"));
        assert_eq!(asked, Ok(Format::MachO));
        assert!(of("windows").iter().all(Result::is_err));
    }
}
