//! The fuzz target of the attribute.

#[cfg(test)]
#[path = "../../fuzz/mutated.rs"]
mod mutated;

use proc_macro2::TokenStream;

use crate::attribute::with_registration;

/// Passes the options in the first line and the item in the other lines to the attribute. The result has to
/// begin with the item, and has to be valid code if the item is.
pub(crate) fn fuzz(bytes: &[u8]) {
    /// A longer text is not a realistic attribute, and recursive parsers need stack space for each bracket.
    const LONGEST: usize = 2_000;

    let text = String::from_utf8_lossy(bytes);
    let (args, item) = text.split_once('\n').unwrap_or((&text, "fn candidate() {}"));
    let (Ok(args), Ok(item)) = (args.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    if text.len() > LONGEST {
        return;
    }
    let expanded = with_registration(args, item.clone());
    let (before, after) = (item.to_string(), expanded.to_string());
    assert!(before.contains("ignore") || after.starts_with(&before), "the item became\n{after}");
    if syn::parse2::<syn::ItemFn>(item).is_ok() {
        syn::parse2::<syn::File>(expanded).expect("it expands to items");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn attribute_survives() {
        super::mutated::assert_survives("attribute", 512, super::fuzz);
    }
}
