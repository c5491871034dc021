//! The crates of functions, by the functions' names.

/// Returns whether a function of this path belongs to none of these crates. The type arguments of a generic
/// function don't count, but the type and the trait of an `impl` do.
pub(crate) fn is_foreign(path: &str, own: &[String]) -> bool {
    let mut depth = 0;
    let starts = path.char_indices().filter_map(|(at, sign)| {
        depth += i32::from(sign == '<') - i32::from(sign == '>' && !path[..at].ends_with('-'));
        // `<TYPE as TRAIT>::NAME`
        let is_trait = depth == 1 && path.starts_with('<') && path[at..].starts_with(" as ");
        is_trait.then(|| &path[at + " as ".len()..])
    });
    !starts.chain([path]).any(|start| own.iter().any(|own| krate(start) == own))
}

/// The crate at the beginning of a path, without the signs of a type such as `<&mut `.
pub(crate) fn krate(path: &str) -> &str {
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
