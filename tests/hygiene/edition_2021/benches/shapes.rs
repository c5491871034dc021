//! Every shape and place of a function, under strict lints, in the edition 2021.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, rust_2018_idioms, unreachable_pub, unused_qualifications, unused_results)]
#![warn(clippy::pedantic, clippy::allow_attributes)]

include!("../../edition_2024/benches/shapes/body.rs");
