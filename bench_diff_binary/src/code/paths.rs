//! What the path of a function says about it.

use bench_diff_system::own_crates::OWN_CRATES;

/// Returns whether a function of this path belongs to none of these crates. The type arguments of a generic
/// function don't count, but the type and the trait of an `impl` do.
pub(crate) fn is_foreign(path: &str, own: &[String]) -> bool {
    let is_own = |path: &str| own.iter().any(|own| crate_of(path) == own);
    if is_own(path) {
        return false;
    }
    if !path.starts_with('<') {
        return true;
    }
    let mut depth = 0;
    for (at, sign) in path.char_indices() {
        depth += i32::from(sign == '<') - i32::from(sign == '>' && !path[..at].ends_with('-'));
        // `<TYPE as TRAIT>::NAME`
        if depth == 1 && path[at..].strip_prefix(" as ").is_some_and(is_own) {
            return false;
        }
    }
    true
}

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

/// Returns whether this is the path of a function or variable of std.
pub(super) fn is_in_std(path: &str) -> bool {
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
    fn an_impl_is_of_its_type_and_its_trait() {
        let own = ["mine".to_owned(), "my_bench".to_owned()];
        for own_path in [
            "mine::parse",
            "mine::parse::{closure#0}",
            "my_bench::words",
            "<mine::Value as core::fmt::Display>::fmt",
            "<alloc::vec::Vec<T> as mine::Sorted>::sorted",
            "<&mut dyn mine::Walk as core::iter::Iterator>::next",
        ] {
            assert!(!is_foreign(own_path, &own), "{own_path}");
        }
        for foreign in [
            "core::slice::sort::stable::drift::sort",
            "core::slice::sort::stable::drift::sort::<mine::Value, mine::by_length>",
            "core::ptr::drop_in_place<mine::Value>",
            "<alloc::vec::Vec<mine::Value> as core::iter::FromIterator<mine::Value>>::from_iter",
            "<fn() -> mine::Value as core::ops::FnOnce<()>>::call_once",
            "hashbrown::raw::RawTable<T,A>::reserve_rehash",
            "mine_too::parse",
            "",
        ] {
            assert!(is_foreign(foreign, &own), "{foreign}");
        }
    }
}
