use zenbench::prelude::*;

fn all(suite: &mut Suite) {
    macro_rules! compare {
        ($($name:ident)*) => {
            $(
                suite.group(stringify!($name), |group| {
                    let (left, right) = (numbers(), numbers());
                    group.bench("before", move |bencher| {
                        bencher.iter(|| old::$name(&left[..black_box(FEWEST)]))
                    });
                    group.bench("after", move |bencher| {
                        bencher.iter(|| new::$name(&right[..black_box(NUMBERS)]))
                    });
                    group.baseline("before");
                });
            )*
        };
    }
    functions!(compare);
}

zenbench::main!(all);
