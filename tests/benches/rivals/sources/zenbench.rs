use zenbench::prelude::*;

fn all(suite: &mut Suite) {
    macro_rules! measure {
        ($($name:ident)*) => {
            $(
                suite.group(stringify!($name), |group| {
                    let numbers = numbers();
                    group.bench(stringify!($name), move |bencher| {
                        bencher.iter(|| new::$name(&numbers[..black_box(amount::$name)]))
                    });
                });
            )*
        };
    }
    functions!(measure);
}

zenbench::main!(all);
