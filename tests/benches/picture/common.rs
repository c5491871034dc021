//! What the picture shares with the tests.

#[path = "../../tests/common/pages.rs"]
#[expect(dead_code, reason = "the picture is of one page")]
pub(crate) mod pages;
