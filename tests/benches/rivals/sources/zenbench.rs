use zenbench::prelude::*;

fn all(suite: &mut Suite) {
    macro_rules! compare {
        ($($name:ident)*) => {
            $(
                suite.group(stringify!($name), |group| {
                    let numbers = numbers();
                    group.bench("before", move |bencher| {
                        bencher.iter(|| old::$name(&numbers[..black_box(OLDER)]))
                    });
                    group.bench("after", move |bencher| {
                        bencher.iter(|| new::$name(&numbers[..black_box(amount::$name)]))
                    });
                    group.baseline("before");
                });
            )*
        };
    }
    functions!(compare);
}

zenbench::main!(all);
