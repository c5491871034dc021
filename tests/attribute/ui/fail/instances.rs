use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow)]
fn typed<T>() {}

#[bench_diff(baseline = slow)]
fn sized<const N: usize>() {}

#[bench_diff(baseline = slow, types = [u8, Vec<u8>])]
fn without_type() {}

#[bench_diff(baseline = slow, consts = [1, 2])]
fn without_const<'a>() {}

#[bench_diff(baseline = slow, types = [u8, u16])]
fn two_types<K, V>() {}

#[bench_diff(baseline = slow, consts = [1, 2])]
fn two_consts<const N: usize, const M: usize>() {}

#[bench_diff(baseline = slow, types = [])]
fn no_types<T>() {}

#[bench_diff(baseline = slow, consts = [])]
fn no_consts<const N: usize>() {}

#[bench_diff(baseline = slow, types = u8)]
fn no_list<T>() {}

#[bench_diff(baseline = slow, types = [1 + 1])]
fn no_type<T>() {}

#[bench_diff(baseline = slow, consts)]
fn no_value<const N: usize>() {}

struct Item;

#[bench_diff(types = [u8, Item])]
fn item<Item>() {}

#[bench_diff(types = [self::Item])]
fn other_item<Item>() {}

fn main() {}
