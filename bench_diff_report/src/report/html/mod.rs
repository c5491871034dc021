//! A page for people: one file that loads nothing, with a table that is a forest plot and the plots of each
//! pair.
//!
//! The page is whole without its script: the table, the plots and the links to each pair are there. The
//! script sorts, filters and listens to keys.

mod detail;
mod duos;
mod ecdf;
mod forest;
mod limits;
mod page;
mod room;
mod rounds;
mod summary;
mod svg;
mod table;
#[cfg(test)]
mod tests;
mod ticks;

pub(super) use self::detail::plots;
pub(super) use self::page::document;
use self::room::Room;
