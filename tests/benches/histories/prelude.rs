//! Functions of a crate, which the bench calls in whatever state a commit has it.

mod inputs;

use bench_diff_harness::bench_diff;

use inputs::*;

/// Functions without a baseline. The name of an input is that of the function that makes it.
macro_rules! functions {
    ($(fn $name:ident($input:ident: $type:ty) -> $output:ty $body:block)*) => {
        $(
            #[bench_diff(setup_once = $input)]
            fn $name($input: $type) -> $output {
                $body
            }
        )*
    };
}
