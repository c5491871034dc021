//! The macros with which a bench declares its groups and its `main`.

/// Declares a group: a list of functions that take a [`&mut Criterion`](crate::Criterion), for
/// [`criterion_main!`](crate::criterion_main).
///
/// ```
/// # use bench_diff_criterion as criterion;
/// use criterion::{Criterion, criterion_group};
///
/// fn sums(c: &mut Criterion) {
///     c.bench_function("sum", |b| b.iter(|| (0..100_u64).sum::<u64>()));
/// }
///
/// fn products(c: &mut Criterion) {
///     c.bench_function("product", |b| b.iter(|| (1..20_u64).product::<u64>()));
/// }
///
/// criterion_group!(plain, sums, products);
/// criterion_group! {
///     name = configured;
///     config = Criterion::default().sample_size(50);
///     targets = sums, products
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        #[doc = "The benchmarks of this group, for `criterion_main!`."]
        pub fn $name() -> $crate::__private::Targets {
            $crate::__private::Targets($crate::__private::vec![$(
                $crate::__bench_diff_entry!($target, || {
                    let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
                    $target(&mut criterion);
                })
            ),+])
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}

/// Writes the `main` function of a bench target with `harness = false`. It runs these groups: each is made by
/// [`criterion_group!`](crate::criterion_group), or is a function that makes a
/// [`Criterion`](crate::Criterion) and passes it to its targets.
///
/// ```no_run
/// # #[cfg(any())] fn main() {} // Else rustdoc would write one around it all.
/// # use bench_diff_criterion as criterion;
/// use criterion::{Criterion, criterion_group, criterion_main};
///
/// fn sums(c: &mut Criterion) {
///     c.bench_function("sum", |b| b.iter(|| (0..100_u64).sum::<u64>()));
/// }
///
/// criterion_group!(benches, sums);
/// criterion_main!(benches);
/// ```
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)*) => {
        fn main() -> $crate::__private::ExitCode {
            $crate::__private::main($crate::__private::target!(), &[$(
                $crate::__private::OfGroup::entries($group, || $crate::__bench_diff_entry!($group, || {
                    $group();
                }))
            ),+])
        }

        // This is compiled only with the standard harness.
        #[test]
        fn __bench_diff_needs_harness_false() {
            const _: () = $crate::__private::panic!(
                "this bench target has the standard harness: add `harness = false` to its [[bench]] section in Cargo.toml"
            );
        }
    };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the groups are public as in a bench")]
mod tests {
    use std::hint::black_box;

    use bench_diff_harness::front_end::PairEntry;

    use crate::criterion::Criterion;
    use crate::groups::OfGroup;
    use crate::measurement::Measurement;

    fn one(c: &mut Criterion) {
        c.bench_function("one", |b| b.iter(|| black_box(1)));
    }

    fn generic<M: Measurement + 'static>(c: &mut Criterion<M>) {
        c.bench_function("generic", |b| b.iter(|| black_box(2)));
    }

    mod inner {
        pub(super) fn three(_: &mut crate::criterion::Criterion) {}

        criterion_group!(nested, three,);
    }

    criterion_group!(plain, one, generic, inner::three);
    criterion_group! {
        name = configured;
        config = Criterion::default().sample_size(10).without_plots();
        targets = one, generic,
    }

    fn by_hand() {
        let mut criterion = Criterion::default().configure_from_args();
        one(&mut criterion);
        panic!("only a process with cases comes here");
    }

    /// The functions of these entries, with their lines.
    fn functions(entries: Vec<PairEntry>) -> Vec<String> {
        entries.into_iter().map(shown).collect()
    }

    fn shown(entry: PairEntry) -> String {
        let text = format!("{entry:?}");
        let [line, function] = ["line: ", "function: \""].map(|field| {
            let value = text.split_once(field).unwrap().1;
            value.split([',', '"']).next().unwrap().trim().to_owned()
        });
        format!("{function} {line}")
    }

    /// The line of this text in this file.
    fn line(text: &str) -> usize {
        include_str!("macros.rs").lines().position(|line| line.trim().starts_with(text)).unwrap() + 1
    }

    #[test]
    fn each_target_is_an_entry_at_its_line() {
        let at = |function: &str, declared: &str| format!("{function} {}", line(declared));
        let one = at("one", "fn one");
        let generic = at("generic", "fn generic");
        let three = at("inner::three", "pub(super) fn three");
        let whole = || crate::__bench_diff_entry!(by_hand, by_hand);
        let of_plain = [one.clone(), generic.clone(), three];
        assert_eq!(functions(OfGroup::entries(plain, whole)), of_plain);
        assert_eq!(functions(OfGroup::entries(configured, whole)), [one, generic]);
        assert_eq!(functions(OfGroup::entries(inner::nested, whole)), [at("three", "pub(super) fn three")]);
        assert_eq!(functions(OfGroup::entries(by_hand, whole)), [at("by_hand", "fn by_hand")]);
    }
}
