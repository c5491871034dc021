macro_rules! sides {
    ($($name:ident)*) => {
        $(
            mod $name {
                use super::*;

                #[divan::bench]
                fn before(bencher: divan::Bencher<'_, '_>) {
                    let numbers = numbers();
                    bencher.bench_local(|| old::$name(&numbers[..black_box(OLDER)]));
                }

                #[divan::bench]
                fn after(bencher: divan::Bencher<'_, '_>) {
                    let numbers = numbers();
                    bencher.bench_local(|| new::$name(&numbers[..black_box(amount::$name)]));
                }
            }
        )*
    };
}

functions!(sides);

fn main() {
    divan::main();
}
