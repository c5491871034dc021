//! Functions that do different work with `changed`, in ways that a superficial comparison misses.

use std::hint::black_box;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const MANY: u64 = if cfg!(changed) { 100_000 } else { 1_000 };

#[inline(never)]
fn work(turns: u64) -> u64 {
    (0..turns).map(black_box).sum()
}

static TABLE: (&str, u64) = ("table.rs", MANY);

#[inline(never)]
#[unsafe(no_mangle)]
fn in_static() -> u64 {
    let (name, turns) = black_box(&TABLE);
    work(*turns) + name.len() as u64
}

#[inline(never)]
#[unsafe(no_mangle)]
fn in_promoted() -> u64 {
    let (name, turns): &'static (&str, u64) = black_box(&("table.rs", MANY));
    work(*turns) * name.len() as u64
}

fn quick(n: u64) -> u64 {
    n + 1
}

fn slow(n: u64) -> u64 {
    work(n) + 1
}

type Function = fn(u64) -> u64;

static STEP: (Function, u64, u64) = (if cfg!(changed) { slow } else { quick }, 5, 7);

#[inline(never)]
#[unsafe(no_mangle)]
fn in_pointer() -> u64 {
    let (step, one, other) = black_box(&STEP);
    step(*one) + other
}

#[track_caller]
#[inline]
fn line_of_caller() -> u64 {
    u64::from(Location::caller().line())
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_of_a_caller() -> u64 {
    work(line_of_caller() * MANY)
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_of_a_macro() -> u64 {
    work(u64::from(line!()) * MANY)
}

/// A location of one's own.
struct Own {
    file: &'static str,
    line: u32,
    column: u32,
}

static OWN: Own = Own { file: "own.rs", line: line!(), column: MANY as u32 };
static WITH_FILE: Own = Own { file: file!(), line: line!(), column: MANY as u32 };
static WITH_NUL: Own = Own { file: Location::caller().file(), line: line!(), column: MANY as u32 };

#[inline(never)]
fn work_by(own: &Own) -> u64 {
    work(u64::from(own.line)) + own.file.len() as u64 * u64::from(own.column)
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_static() -> u64 {
    work_by(black_box(&OWN))
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_static_with_its_file() -> u64 {
    work_by(black_box(&WITH_FILE))
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_static_with_a_nul() -> u64 {
    work_by(black_box(&WITH_NUL))
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_constant() -> u64 {
    work_by(black_box(const { &Own { file: "own.rs", line: line!(), column: MANY as u32 } }))
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_constant_with_its_file() -> u64 {
    work_by(black_box(const { &Own { file: file!(), line: line!(), column: MANY as u32 } }))
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_a_larger_constant() -> u64 {
    let (file, line, _) = black_box(const { &(Location::caller().file(), line!() as u64, MANY) });
    work(*line) + file.len() as u64
}

/// As libraries for logs keep it.
struct Metadata {
    name: &'static str,
    file: Option<&'static str>,
    line: Option<u32>,
    level: u64,
}

#[inline(never)]
#[unsafe(no_mangle)]
fn by_line_in_metadata() -> u64 {
    static METADATA: Metadata = Metadata { name: "event", file: Some(file!()), line: Some(line!()), level: MANY };
    let Metadata { name, file, line, level } = black_box(&METADATA);
    work(u64::from(line.unwrap_or(0)) + *level) + (name.len() + file.map_or(0, str::len)) as u64
}

trait Marker {}

struct Sized([u8; if cfg!(changed) { 16 } else { 8 }]);

impl Marker for Sized {}

static BYTES: [u8; 16] = [0; 16];

#[inline(never)]
#[unsafe(no_mangle)]
fn size_of_dyn() -> usize {
    let sized: &Sized = unsafe { &*(&raw const BYTES).cast() };
    size_of_val(black_box::<&dyn Marker>(sized))
}

struct Dropped;

impl Marker for Dropped {}

impl Drop for Dropped {
    fn drop(&mut self) {
        work(MANY);
    }
}

#[inline(never)]
#[unsafe(no_mangle)]
fn drop_of_dyn() {
    drop(black_box::<Box<dyn Marker>>(Box::new(Dropped)));
}

static LIMIT: AtomicU64 = AtomicU64::new(1_000);

#[inline(never)]
#[unsafe(no_mangle)]
fn limited() -> u64 {
    work(LIMIT.fetch_max(1, SeqCst))
}

#[cfg(changed)]
fn setup() {
    LIMIT.store(100_000, SeqCst);
}

#[cfg(not(changed))]
fn setup() {}

#[inline(never)]
#[unsafe(no_mangle)]
fn mask(bytes: &mut [u8; 16]) {
    bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte ^= if cfg!(changed) && at == 13 { 9 } else { at as u8 });
}

#[inline(never)]
#[unsafe(no_mangle)]
fn range(bytes: &mut [u8; 16]) {
    bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte < if cfg!(changed) { 90 } else { 91 }));
}

#[inline(never)]
fn first(n: u64) -> u64 {
    second(black_box(n)) + 1
}

#[inline(never)]
fn second(n: u64) -> u64 {
    third(black_box(n)) + 1
}

#[inline(never)]
fn third(n: u64) -> u64 {
    black_box(n) * MANY
}

#[inline(never)]
#[unsafe(no_mangle)]
fn three_deep() -> u64 {
    first(3)
}

#[inline(never)]
#[unsafe(no_mangle)]
fn text() -> &'static str {
    black_box(if cfg!(changed) { "a slow way" } else { "a fast way" })
}

#[inline(never)]
#[unsafe(no_mangle)]
fn inlines(n: u64) -> u64 {
    #[cfg(changed)]
    return helper(n);
    #[cfg(not(changed))]
    return black_box(n) * 5 + 7;
}

#[inline(never)]
fn helper(n: u64) -> u64 {
    black_box(n) * 5 + 7
}

#[inline(never)]
#[unsafe(no_mangle)]
fn allocates(n: u64) -> u64 {
    #[cfg(changed)]
    return *black_box(Box::new(n));
    #[cfg(not(changed))]
    return black_box(n);
}

#[inline(never)]
#[unsafe(no_mangle)]
fn may_panic(numbers: &[u64], at: usize) -> u64 {
    #[cfg(changed)]
    return numbers[at];
    #[cfg(not(changed))]
    return numbers.get(at).copied().unwrap_or(7);
}

#[inline(never)]
#[unsafe(no_mangle)]
fn copies(from: &[u64; 500], to: &mut [u64; 500]) {
    #[cfg(changed)]
    to.copy_from_slice(from);
    #[cfg(not(changed))]
    to[3..5].copy_from_slice(&from[3..5]);
}

#[inline(never)]
#[unsafe(no_mangle)]
fn harnessed(n: u64) -> u64 {
    #[cfg(changed)]
    return probe(n);
    #[cfg(not(changed))]
    return black_box(n) * 9;
}

/// A symbol as `bench_diff_harness::probe` would have.
#[inline(never)]
#[unsafe(export_name = "_ZN18bench_diff_harness5probe17h0123456789abcdefE")]
fn probe(n: u64) -> u64 {
    black_box(n) + 1
}

/// The payload is dropped and takes the time. It is passed together with a location.
struct Thrown<const TURNS: u64>;

impl<const TURNS: u64> Drop for Thrown<TURNS> {
    fn drop(&mut self) {
        work(TURNS);
    }
}

#[inline(never)]
#[unsafe(no_mangle)]
fn throws(n: u64) -> bool {
    std::panic::catch_unwind(|| if n > 3 { std::panic::panic_any(Thrown::<MANY>) }).is_err()
}

fn main() {
    setup();
    black_box(throws(2));
    black_box((in_static(), in_promoted(), in_pointer(), size_of_dyn(), three_deep(), text(), limited()));
    drop_of_dyn();
    let mut bytes = black_box([7; 16]);
    mask(&mut bytes);
    range(&mut bytes);
    black_box((bytes, inlines(7), helper(8)));
    let numbers = black_box([7; 16]);
    let mut copy = black_box([0; 500]);
    copies(&black_box([7; 500]), &mut copy);
    black_box((copy, allocates(7), may_panic(&numbers, 3), harnessed(7), probe(8)));
    black_box((by_line_of_a_caller(), by_line_of_a_macro(), by_line_in_a_static(), by_line_in_metadata()));
    black_box((by_line_in_a_static_with_its_file(), by_line_in_a_static_with_a_nul(), by_line_in_a_constant()));
    black_box((by_line_in_a_constant_with_its_file(), by_line_in_a_larger_constant()));
}
