//! Each function of a bench, once for both releases.

mod inputs;

use bench_diff_harness::bench_diff;

use inputs::*;

/// The functions of both releases, in one module each: what is compiled apart is not inlined. The name of an input
/// is that of the function that makes it.
macro_rules! functions {
    ($(fn $name:ident($input:ident: $type:ty) -> $output:ty $body:block)*) => {
        $(
            mod $name {
                use super::*;

                fn before($input: $type) -> $output {
                    use super::old as release;
                    $body
                }

                #[bench_diff(baseline = before, setup_once = $input, check = false)]
                fn after($input: $type) -> $output {
                    use super::new as release;
                    $body
                }
            }
        )*
    };
}
