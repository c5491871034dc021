//! What belongs to a function besides its own code: the allocator, libraries, variables, and what the linker
//! does.

use super::*;
use crate::code::program::Section;

const FORMATS: &str = "use std::alloc::{GlobalAlloc, Layout, System};
    struct Slow;
    unsafe impl GlobalAlloc for Slow {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            #[cfg(slow)]
            (0..100).for_each(|n| drop(std::hint::black_box(n)));
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, at: *mut u8, layout: Layout) { unsafe { System.dealloc(at, layout) } }
    }
    #[cfg(any(slow, own))]
    #[global_allocator]
    static ALLOCATOR: Slow = Slow;
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn formats(n: u64) -> String { format!(\"{n} and {n}\") }
    fn main() { println!(\"{}\", formats(7)); }";

#[test]
fn another_allocator_makes_other_code_of_what_std_does() {
    let [plain, own, moved, slow] =
        [&[][..], &["--cfg=own"], &["--cfg=own", "-Cmetadata=b"], &["--cfg=slow"]]
            .map(|more| program(FORMATS, more));
    assert_ne!(compared(&plain, &own, "formats"), Ok(()));
    assert_ne!(compared(&own, &slow, "formats"), Ok(()));
    assert_eq!(compared(&own, &moved, "formats"), Ok(()));
}

/// Compares a function of a program with that of the same program compiled with `--cfg=changed`.
fn changed(source: &str, options: &[&str], symbol: &str) -> Result<(), Unproven> {
    let [one, changed] = [&[][..], &["--cfg=changed"]].map(|more| program(source, &[options, more].concat()));
    compared(&one, &changed, symbol)
}

#[test]
fn what_an_allocator_keeps_is_used_by_all_who_allocate() {
    let source = "use std::alloc::{GlobalAlloc, Layout, System};
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        struct Counting;
        static TURNS: AtomicUsize = AtomicUsize::new(1);
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        unsafe impl GlobalAlloc for Counting {
            #[cfg_attr(not(inlined), inline(never))]
            unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
                (0..turns().load(Relaxed)).for_each(|_| drop(COUNT.fetch_add(1, Relaxed)));
                unsafe { System.alloc(layout) }
            }
            unsafe fn dealloc(&self, at: *mut u8, layout: Layout) { unsafe { System.dealloc(at, layout) } }
        }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn turns() -> &'static AtomicUsize { std::hint::black_box(&TURNS) }
        #[global_allocator]
        static ALLOCATOR: Counting = Counting;
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn formats(n: u64) -> String { format!(\"{n} and {n}\") }
        fn main() {
            #[cfg(set)]
            turns().store(if cfg!(changed) { 1000 } else { 10 }, Relaxed);
            println!(\"{} {:?}\", formats(7), vec![cfg!(changed); formats(9).len()]);
        }";
    let between = |options: &[&str]| changed(source, options, "formats");
    assert_eq!(between(&[]), Ok(()));
    let used = "they use a variable that main::main uses too".to_owned();
    for options in [&["--cfg=set"][..], &["--cfg=set", "--cfg=inlined"]] {
        assert_eq!(between(options), Err(Unproven::Unknown(used.clone())), "{options:?}");
    }
}

#[test]
fn code_before_main_may_use_a_variable_if_it_is_the_same() {
    let source = "unsafe extern \"C\" { safe fn work(n: u64) -> u64; }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn works(n: u64) -> u64 { work(n) + 1 }
        fn main() { println!(\"{} {}\", works(7), cfg!(changed)); }";
    let code = "static volatile long count;
        __attribute__((constructor)) static void begin(void) { count = 100; }
        __attribute__((destructor)) static void end(void) { count = 0; }
        long work(long n) { for (long at = 0; at < count; at++) n ^= count; return n; }";
    let with = |(count, options): (&str, &[&str])| {
        let code = code.replace("100", count);
        program_with(source, &[&["-L.", "-lstatic=own"], options].concat(), move |folder| {
            fs::write(folder.join("own.c"), code).unwrap();
            run("cc", folder, &["-O1", "-ffunction-sections", "-fdata-sections", "-c", "own.c"]);
            run("ar", folder, &["rcs", "libown.a", "own.o"]);
        })
    };
    let [one, same, slow] = [("100", &[][..]), ("100", &["--cfg=changed"]), ("999", &[])].map(with);
    assert_eq!(compared(&one, &same, "works"), Ok(()));
    let compared = compared(&one, &slow, "works");
    assert!(
        matches!(&compared, Err(Unproven::Unknown(why)) if why.ends_with("begin uses too")),
        "{compared:?}"
    );
}

#[test]
fn the_order_of_code_before_main_is_not_known() {
    let source = "use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
        static TURNS: AtomicU64 = AtomicU64::new(0);
        extern \"C\" fn three() { TURNS.store(3, Relaxed) }
        extern \"C\" fn times_four() { TURNS.store(TURNS.load(Relaxed) * 4, Relaxed) }
        #[used]
        #[unsafe(link_section = \".init_array\")]
        static THREE: extern \"C\" fn() = three;
        #[cfg(both)]
        #[used]
        #[unsafe(link_section = \".init_array\")]
        static TIMES_FOUR: extern \"C\" fn() = times_four;
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn turns() -> u64 { (0..TURNS.load(Relaxed)).map(std::hint::black_box).sum() }
        fn main() { println!(\"{} {}\", turns(), cfg!(changed)); }";
    let between = |options: &[&str]| changed(source, options, "turns");
    assert_eq!(between(&[]), Ok(()));
    assert!(matches!(between(&["--cfg=both"]), Err(Unproven::Unknown(_))));
}

/// Compilers for ARM put variables that are used together into one section.
#[test]
fn a_variable_beside_one_of_std_is_one_of_the_program() {
    let source = "std::arch::global_asm!(
            \".section .bss.merged,\\\"aw\\\",@nobits\",
            \"_ZN3std9panicking5COUNT17h0123456789abcdefE: .zero 8\",
            \".globl TURNS\", \"TURNS: .zero 8\", \".text\");
        unsafe extern \"C\" { static mut TURNS: u64; }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn turns() -> u64 { (0..unsafe { TURNS }).map(std::hint::black_box).sum() }
        fn main() {
            unsafe { TURNS = if cfg!(changed) { 1000 } else { 2 } };
            println!(\"{}\", turns());
        }";
    let [one, changed] =
        [&["-Clto=fat"][..], &["-Clto=fat", "--cfg=changed"]].map(|options| program(source, options));
    let used = "they use a variable that main::main uses too".to_owned();
    assert_eq!(compared(&one, &changed, "turns"), Err(Unproven::Unknown(used)));
}

#[test]
fn what_libraries_define_is_looked_at() {
    let with = |code: &'static str| {
        program_with(COPIES, &["-L.", "-lstatic=own"], move |folder| {
            fs::write(folder.join("own.c"), code).unwrap();
            run("cc", folder, &["-O1", "-fno-builtin", "-c", "own.c"]);
            run("ar", folder, &["rcs", "libown.a", "own.o"]);
        })
    };
    let other = "void *memcpy(char *to, const char *from, unsigned long n) { while (n--) *to++ = *from++; return to; }";
    let slow = "void *memcpy(volatile char *to, const char *from, unsigned long n) { for (unsigned long at = 0; at < n; at++) { to[at] = 0; to[at] = from[at]; } return (void *)to; }";
    let [one, same, slow] = [other, other, slow].map(with);
    assert_ne!(compared(&COPYING, &one, "copies"), Ok(()));
    assert_ne!(compared(&one, &slow, "copies"), Ok(()));
    assert_eq!(compared(&one, &same, "copies"), Ok(()));
}

#[test]
fn shared_libraries_have_to_be_the_same_files() {
    let source = "unsafe extern \"C\" { safe fn work(n: u64) -> u64; }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn works(n: u64) -> u64 { work(n) + 1 }
        fn main() { println!(\"{}\", works(std::hint::black_box(7))); }";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("work.c"), "long work(long n) { return n; }").unwrap();
    let with = |library: &str| {
        fs::create_dir_all(folder.path().join(library)).unwrap();
        let file = format!("{library}/libwork.so");
        run("cc", folder.path(), &["-O1", "-shared", "-nostdlib", "-o", &file, "work.c"]);
        compile(folder.path(), source, &[&format!("-L{library}"), "-ldylib=work"]).unwrap()
    };
    let [one, same, other] = ["one", "one", "other"].map(with);
    assert_eq!(compared(&one, &same, "works"), Ok(()));
    assert_ne!(compared(&one, &other, "works"), Ok(()));
}

#[test]
fn a_feature_of_a_dependency_is_seen() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn uses(n: u64) -> u64 { helper::help(n) }
        fn main() { println!(\"{}\", uses(std::hint::black_box(7))); }";
    let helper = "#[inline(never)]
        pub fn help(n: u64) -> u64 { if cfg!(feature = \"slow\") { n.count_ones() as u64 } else { n * 3 } }";
    let with = |options: &'static [&'static str]| {
        program_with(source, &["-L.", "--extern=helper"], move |folder| {
            fs::write(folder.join("helper.rs"), helper).unwrap();
            run("rustc", folder, &[&["helper.rs", "--crate-type=rlib", "-O"][..], options].concat());
        })
    };
    let [one, same, slow] = [with(&[]), with(&["-Cmetadata=b"]), with(&["--cfg=feature=\"slow\""])];
    let Err(Unproven::Differ(difference)) = compared(&one, &slow, "uses") else { panic!("it is not seen") };
    assert!(difference.functions.iter().all(|function| function == "helper::help"), "{difference:?}");
    assert_eq!(compared(&one, &same, "uses"), Ok(()));
}

#[test]
fn two_variables_are_not_one() {
    let source = "use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
        static ONE: AtomicU64 = AtomicU64::new(1);
        static TWO: [AtomicU64; 1] = [AtomicU64::new(1)];
        static THREE: AtomicU64 = AtomicU64::new(1);
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn once() -> u64 { ONE.fetch_add(1, SeqCst) ^ ONE.fetch_add(1, SeqCst) }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn twice() -> u64 { TWO[0].fetch_add(1, SeqCst) ^ THREE.fetch_add(1, SeqCst) }
        fn main() { println!(\"{}\", once() + twice()); }";
    let program = program(source, &[]);
    let [once, twice] = ["once", "twice"].map(|symbol| program.named(symbol).unwrap());
    let compared = same(&program, once, &program, twice);
    assert!(
        matches!(&compared, Err(Unproven::Unknown(why)) if why.ends_with("ONE has no single counterpart")),
        "{compared:?}"
    );
}

/// One function registers two benchmarks, and the second one calls the code of the first.
const TOGETHER: &str = "use std::hint::black_box;
    static mut CALLS: u64 = 0;
    #[inline(never)]
    fn step(times: u64) -> u64 { (0..times).map(black_box).sum() }
    #[unsafe(no_mangle)]
    fn first() -> u64 { step(if cfg!(first) { 3 } else { 2 }) }
    #[unsafe(no_mangle)]
    fn second() -> u64 { first() + step(if cfg!(second) { 5 } else { 4 }) }
    #[unsafe(no_mangle)]
    fn register(add: &mut dyn FnMut(fn() -> u64)) {
        add(black_box(first));
        add(black_box(second));
        unsafe { CALLS += if cfg!(registered) { 3 } else { 2 } };
    }
    fn main() { black_box(register as fn(&mut dyn FnMut(fn() -> u64)))(&mut |body| println!(\"{}\", body())) }";

#[test]
fn of_what_registers_several_benchmarks_the_others_do_not_count() {
    let before = program(TOGETHER, &[]);
    let is_same = |changed: &Program, own: &str, other: &str| {
        let none = HashSet::new();
        let sides = [&before, changed];
        let root = |side: usize, symbol| sides[side].named(symbol).unwrap();
        let roots = [0, 1].map(|side| [root(side, own), root(side, "register")]);
        let others = [0, 1].map(|side| HashSet::from([root(side, other).section]));
        let [new, old] = [0, 1].map(|side| Called {
            program: sides[side],
            roots: &roots[side],
            others: &others[side],
            idle: &none,
            counters: COUNTERS,
        });
        walk::same(new, old, None)
    };
    let changed = |what: &str| program(TOGETHER, &[&format!("--cfg={what}")]);
    let second = changed("second");
    assert_eq!(is_same(&second, "first", "second"), Ok(()), "it never runs in a process of the first one");
    assert!(is_same(&second, "second", "first").is_err());
    let first = changed("first");
    assert!(is_same(&first, "first", "second").is_err());
    assert!(is_same(&first, "second", "first").is_err(), "the second one calls it as well");
    assert!(is_same(&changed("registered"), "first", "second").is_err());
}

const SHARED: &str = "use std::hint::black_box;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    static SHARED: AtomicU64 = AtomicU64::new(2);
    #[inline(never)]
    fn next() -> u64 { SHARED.fetch_add(1, SeqCst) }
    #[inline(never)]
    fn reset() { SHARED.store(if cfg!(changed) { 100_000 } else { 2 }, SeqCst) }
    #[unsafe(no_mangle)]
    fn one() -> u64 { (0..next()).map(black_box).sum() }
    #[inline(never)]
    fn reset_again(times: u64) { reset(); if times > 0 { black_box(reset_again as fn(u64))(times - 1) } }
    #[unsafe(no_mangle)]
    fn two() -> u64 { reset_again(3); next() + next() }
    #[cfg(before_main)]
    #[used]
    #[unsafe(link_section = \".init_array\")]
    static BEFORE_MAIN: extern \"C\" fn() = before_main;
    #[cfg(before_main)]
    extern \"C\" fn before_main() { black_box(&BEFORE_MAIN); reset() }
    static REGISTERED: [fn() -> u64; 2] = [one, two];
    fn main() {
        #[cfg(in_main)]
        reset();
        println!(\"{}\", black_box(&REGISTERED)[0]());
    }";

#[test]
fn a_variable_may_be_shared_with_code_that_never_runs_in_the_same_process() {
    let compiled = |options: &[&str]| {
        [&[][..], &["--cfg=changed"]].map(|more| program(SHARED, &[more, options].concat()))
    };
    let compare_both = |symbol: &str, programs: &[Program; 2]| {
        let [one, two] =
            ["one", "two"].map(|symbol| programs.each_ref().map(|program| program.named(symbol).unwrap()));
        let idle = [0, 1].map(|side| programs[side].reached_only_from([one[side], two[side]]));
        let (roots, none) = (if symbol == "one" { one } else { two }, HashSet::new());
        let [new, old] = [0, 1].map(|side| Called {
            program: &programs[side],
            roots: &roots[side..=side],
            others: &none,
            idle: &idle[side],
            counters: COUNTERS,
        });
        (same(&programs[0], roots[0], &programs[1], roots[1]), walk::same(new, old, None))
    };
    let is_shared = |compared: &Result<(), Unproven>| match compared {
        Err(Unproven::Unknown(why)) => why.starts_with("they use a variable that "),
        _ => false,
    };
    let programs = compiled(&[]);
    let (together, alone) = compare_both("one", &programs);
    assert!(is_shared(&together), "{together:?}");
    assert_eq!(alone, Ok(()));
    assert!(matches!(compare_both("two", &programs).1, Err(Unproven::Differ(_))));
    for elsewhere in ["--cfg=in_main", "--cfg=before_main"] {
        let (_, alone) = compare_both("one", &compiled(&[elsewhere]));
        assert!(is_shared(&alone), "{elsewhere} {alone:?}");
    }
}

const HASHES: &str = "use std::cell::Cell;
    use std::collections::HashMap;
    use std::hint::black_box;
    thread_local!(static TURNS: Cell<u64> = const { Cell::new(1) });
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn hashes(n: u64) -> u64 { (0..n).map(|n| (n % 7, n)).collect::<HashMap<_, _>>()[&3] }
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn turns(n: u64) -> u64 { (0..TURNS.get()).map(|turn| black_box(turn ^ n)).sum() }
    fn main() {
        #[cfg(changed)]
        black_box(std::hash::RandomState::new());
        TURNS.set(if cfg!(changed) { 1000 } else { 2 });
        println!(\"{} {}\", hashes(9), turns(9));
    }";

#[test]
fn a_variable_of_std_is_not_one_of_the_program() {
    for way in ["-Copt-level=3", "-Clto=fat"] {
        let [one, changed] = [&[way][..], &[way, "--cfg=changed"]].map(|options| program(HASHES, options));
        assert_eq!(compared(&one, &changed, "hashes"), Ok(()), "{way}");
        let compared_turns = compared(&one, &changed, "turns");
        assert!(
            matches!(&compared_turns, Err(Unproven::Unknown(why)) if why.starts_with("they use a variable")),
            "{way}: {compared_turns:?}"
        );
    }
}

/// With LTO, the code of std that reads such an address is shared by all code.
#[test]
fn the_address_of_a_symbol_that_may_be_missing_is_no_variable() {
    let source = "use std::cell::RefCell;
        use std::hint::black_box;
        thread_local!(static OWN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) });
        thread_local!(static OF_MAIN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) });
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn pushes(n: u64) -> usize { OWN.with_borrow_mut(|own| { own.push(n); own.len() }) }
        fn main() {
            OF_MAIN.with_borrow_mut(|own| own.push(black_box(7)));
            println!(\"{}\", pushes(7));
        }";
    let one = program(source, &["-Clto=fat"]);
    let mut other = one.clone();
    assert_eq!(compared(&one, &other, "pushes"), Ok(()));
    let is_address = |section: &&mut Section| section.symbol.contains("_rust_extern_with_linkage_");
    other.sections.iter_mut().filter(is_address).for_each(|address| address.references[0].addend += 1);
    assert_ne!(compared(&one, &other, "pushes"), Ok(()));
}

/// Both have the same size.
#[test]
fn one_function_of_std_is_not_another() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn lower(n: u64) -> String { format!(\"{n:x}\") }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn upper(n: u64) -> String { format!(\"{n:X}\") }
        fn main() { println!(\"{} {}\", lower(7), upper(7)); }";
    let program = program(source, &[]);
    let [lower, upper] = ["lower", "upper"].map(|symbol| program.named(symbol).unwrap());
    assert_eq!(same(&program, lower, &program, lower), Ok(()));
    assert!(matches!(same(&program, lower, &program, upper), Err(Unproven::Differ(_))));
}

#[test]
fn what_the_linker_collects_is_seen() {
    let with = |second: &'static str| {
        let source = "unsafe extern \"C\" { safe fn walk(n: u64) -> u64; }
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn walks(n: u64) -> u64 { walk(n) + 1 }
            fn main() { println!(\"{}\", walks(std::hint::black_box(7))); }";
        program_with(source, &["-L.", "-lstatic=own"], move |folder| {
            let code = format!(
                "typedef long (*F)(long);
                extern F __start_steps[] __attribute__((weak));
                extern F __stop_steps[] __attribute__((weak));
                long walk(long n) {{ for (F *f = __start_steps; f < __stop_steps; f++) n = (*f)(n); return n; }}
                static long one(long n) {{ return n + 1; }}
                static F first __attribute__((section(\"steps\"), used, retain)) = one;
                {second}"
            );
            fs::write(folder.join("own.c"), code).unwrap();
            run("cc", folder, &["-O1", "-ffunction-sections", "-c", "own.c"]);
            run("ar", folder, &["rcs", "libown.a", "own.o"]);
        })
    };
    let slow = "static long slow(long n) { for (volatile long i = 0; i < 99999; i++); return n; }
        static F second __attribute__((section(\"steps\"), used, retain)) = slow;";
    let [one, other] = ["", slow].map(with);
    assert_ne!(compared(&one, &other, "walks"), Ok(()));
}

#[test]
fn two_functions_of_equal_code_are_not_one() {
    let source = "use std::hint::black_box;
        mod one {
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn quick(n: u64) -> u64 { std::hint::black_box(n) + 1 }
        }
        mod two {
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn quicker(n: u64) -> u64 { std::hint::black_box(n) + 1 }
        }
        static BOTH: [fn(u64) -> u64; 2] = [one::quick, if cfg!(changed) { one::quick } else { two::quicker }];
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn compares() -> u64 {
            let [a, b] = black_box(&BOTH);
            if *a as usize == *b as usize { (0..100_000).map(black_box).sum() } else { a(1) + b(2) }
        }
        fn main() { println!(\"{} {} {}\", compares(), one::quick(1), two::quicker(2)); }";
    let [one, other] =
        [&[][..], &["--cfg=changed"]].map(|more| program(source, &[more, &["-Ccodegen-units=16"]].concat()));
    assert_ne!(one.named("quick"), one.named("quicker"));
    assert_ne!(compared(&one, &other, "compares"), Ok(()));
}

#[test]
fn other_options_of_the_linker_are_seen() {
    let ways = [
        &["-Clink-arg=-Wl,-z,lazy"][..],
        &["-Clink-arg=-z", "-Clink-arg=now"],
        &["-Clink-arg=-z", "-Clink-arg=lazy"],
    ];
    let [lazily, now, later] = ways.map(|options| program(COPIES, options));
    let unknown = Err(Unproven::Unknown("they are linked with different options".to_owned()));
    for (one, other) in [(&*COPYING, &lazily), (&now, &later)] {
        assert_eq!(compared(one, other, "copies"), unknown);
    }
    let folder = tempfile::tempdir().unwrap();
    let refusal = compile(folder.path(), COPIES, &["-Clink-arg=-Wl,--defsym=here=main"]).unwrap_err();
    assert!(refusal.starts_with("it is linked with --defsym=here=main, which replaces"), "{refusal}");
}
