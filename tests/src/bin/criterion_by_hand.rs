//! A bench as it is written for Criterion, with a `main` by hand.

use criterion::{Criterion, black_box, criterion_group};

fn constant(c: &mut Criterion) {
    c.bench_function("constant", |b| b.iter(|| black_box(1)));
}

criterion_group!(benches, constant);

fn main() -> Result<(), String> {
    let mut criterion = Criterion::default().configure_from_args();
    // A `main` may call groups, or the functions in them.
    benches();
    constant(&mut criterion);
    match std::env::var("END_OF_MAIN").as_deref() {
        Ok("panic") => panic!("out of order"),
        Ok("error") => Err("out of reach".to_owned()),
        Ok(_) => Ok(()),
        Err(_) => {
            criterion.final_summary();
            unreachable!("it ends the process");
        }
    }
}
