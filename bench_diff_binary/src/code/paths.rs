//! What the path of a function says about it.

use bench_diff_system::own_crates::OWN_CRATES;

/// The crate at the beginning of a path, without the signs of a type such as `<&mut `.
pub(super) fn crate_of(path: &str) -> &str {
    let mut path = path;
    loop {
        let plain = path.trim_start_matches(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let word =
            plain.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
        match word {
            "mut" | "const" | "dyn" | "impl" => path = &plain[word.len()..],
            _ => return word,
        }
    }
}

/// Returns whether this is the path of a function or variable of std. Only std can write an `impl` without
/// a trait for its types, as in `<std::hash::random::RandomState>::new`. Others can implement their traits
/// for them.
pub(super) fn is_in_std(path: &str) -> bool {
    let of_own_type = path.strip_prefix('<').filter(|path| !path.contains(" as "));
    let path = of_own_type.unwrap_or(path);
    ["alloc::", "core::", "std::", "std_detect::"].iter().any(|library| path.starts_with(library))
}

/// Returns whether this is the path of a function of the harness, or of one that was compiled for its types.
pub(crate) fn is_of_harness(path: &str) -> bool {
    let mut words = path.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    words.any(|word| OWN_CRATES.contains(&word))
}

/// The last part of a path that is no closure, type argument or shim.
pub(super) fn last_part(path: &str) -> String {
    let (mut plain, mut depth) = (String::new(), 0_u32);
    for character in path.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain.rsplit("::").find(|part| !part.is_empty() && !part.starts_with('{')).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_add_to_a_type_of_std_is_not_of_std() {
        for path in ["std::panicking::HOOK", "<std::hash::random::RandomState>::new::KEYS"] {
            assert!(is_in_std(path), "{path}");
        }
        for path in [
            "<alloc::vec::Vec<u8> as mine::Own>::own::CALLS",
            "<alloc::vec::Vec<mine::Own> as core::clone::Clone>::clone::CALLS",
            "mine::<impl mine::Own for alloc::vec::Vec<u8>>::own::CALLS",
            "stdx::CALLS",
        ] {
            assert!(!is_in_std(path), "{path}");
        }
    }
}
