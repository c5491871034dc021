//! The options of `#[bench_diff]` and what it stands on. A crate of macros exports nothing else, so its
//! modules are compiled into this program.

#![no_main]
#![allow(dead_code)]

macro_rules! modules {
    ($($name:ident $path:literal)*) => {
        $(
            #[path = $path]
            mod $name;
        )*
    };
}

modules! {
    args "../../bench_diff_macros/src/args.rs"
    attribute "../../bench_diff_macros/src/attribute.rs"
    expand "../../bench_diff_macros/src/expand/mod.rs"
    function "../../bench_diff_macros/src/function.rs"
    fuzz "../../bench_diff_macros/src/fuzz.rs"
    item "../../bench_diff_macros/src/item.rs"
    key "../../bench_diff_macros/src/key.rs"
    lifetimes "../../bench_diff_macros/src/lifetimes.rs"
    literal "../../bench_diff_macros/src/literal.rs"
    parsed_pair "../../bench_diff_macros/src/parsed_pair.rs"
    shape "../../bench_diff_macros/src/shape.rs"
    validate "../../bench_diff_macros/src/validate.rs"
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::fuzz(input));
