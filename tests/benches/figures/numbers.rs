//! The numbers of a text, as they are written.

/// The numbers of a text: digits with their separators, without signs, units and emphasis. What belongs to a
/// name, as in `x86`, is none.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let mut before = ' ';
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|character: char| character.is_ascii_digit())?;
            before = rest[..start].chars().next_back().unwrap_or(before);
            let found = &rest[start..];
            let end = found.find(|character: char| !is_inside(character)).unwrap_or(found.len());
            // A dot or comma at the end is the sentence's.
            let number = found[..end].trim_end_matches(['.', ',']);
            rest = &found[end..];
            let is_name = before.is_alphabetic() || before == '_';
            before = '0';
            if !is_name {
                return Some(number);
            }
        }
    })
}

fn is_inside(character: char) -> bool {
    character.is_ascii_digit() || character == '.' || character == ','
}

/// The first number of a cell, as a value.
pub(crate) fn value(cell: &str) -> Option<f64> {
    let number = numbers(cell).next()?;
    let at = cell.find(number)?;
    let size: f64 = number.replace(',', "").parse().ok()?;
    Some(if cell[..at].ends_with('-') { -size } else { size })
}
