//! The studies that can be measured again: a section of a page each, and the commands that make its tables.

/// A section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Study {
    /// Its heading. In small letters and with `-` for spaces it is the name of the study and the anchor of the
    /// section.
    pub(crate) title: &'static str,
    /// The question, in whole sentences.
    pub(crate) about: &'static str,
    pub(crate) commands: &'static [Measured],
    /// About how long the commands take on two cores that do nothing else.
    pub(crate) minutes: u32,
}

/// A command, in full and so short that it only shows that it works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) full: &'static str,
    pub(crate) short: &'static str,
    /// The columns of rows that come without a title.
    pub(crate) columns: &'static str,
}

const fn command(full: &'static str, short: &'static str) -> Measured {
    Measured { full, short, columns: "" }
}

/// Everything that README.md and `docs/evidence.md` quote and a command can make again.
pub(crate) const STUDIES: &[Study] = &[
    Study {
        title: "Layouts",
        about: "Twenty-four functions of two crates that are one source, gated against each other in ten builds: how many \
                runs are red where nothing has changed, and how many find more work.",
        commands: &[
            command("bench layouts --runs 30 --modes auto", "bench layouts --runs 1 --builds 1 --modes auto"),
            command(
                "bench layouts --runs 5 --modes linked",
                "bench layouts --runs 1 --builds 1 --modes linked",
            ),
            command(
                "bench layouts --runs 3 --numbers 1020,1050,1100 --modes auto",
                "bench layouts --runs 1 --builds 1 --numbers 1050 --modes auto",
            ),
            command(
                "bench layouts --runs 30 --modes auto --load",
                "bench layouts --runs 1 --builds 1 --modes auto --load",
            ),
        ],
        minutes: 90,
    },
    Study {
        title: "Changed code",
        about: "The same functions against twenty variants of them, changed in ways that cost nothing and move machine code: how \
                many runs are red, how far the ratios lie from 1, and how 5 % more work ends in changed code.",
        commands: &[command(
            "bench layouts --changed 20 --runs 5 --modes auto",
            "bench layouts --changed 1 --runs 1 --modes auto",
        )],
        minutes: 20,
    },
    Study {
        title: "Revisions",
        about: "`cargo bench -- --against HEAD~1` without the proof, on twenty-four functions: how many runs are red where nothing \
                has changed, or nothing that any of them knows of, in ten builds; how changed code ends; and how long a run takes.",
        commands: &[
            command(
                "bench revisions --runs 15 --differences none,functions",
                "bench revisions --runs 1 --builds 1 --differences none",
            ),
            command(
                "bench revisions --runs 15 --differences none,functions --load",
                "bench revisions --runs 1 --builds 1 --differences none --load",
            ),
            command("bench revisions --runs 4 --changed 6", "bench revisions --runs 1 --changed 1"),
            command("bench revisions --runs 11 --seconds", "bench revisions --runs 1 --seconds"),
        ],
        minutes: 240,
    },
    Study {
        title: "Same code",
        about: "How many pairs are proven to be the same machine code, and where the others part: the twenty-four functions of one \
                source in ten builds, and functions of consecutive releases of published crates. No clock has a part in it.",
        commands: &[
            command("bench layouts --proof", "bench layouts --proof --builds 1"),
            command("bench releases", "bench releases --crates itoa"),
        ],
        minutes: 10,
    },
    Study {
        title: "Power",
        about: "How often and how fast the judge of duos decides at known slowdowns, in one process and one program, as \
                `--layouts none` does. The slowdowns are counts of turns of a loop.",
        commands: &[
            command(
                "bench power --gates 2000 --slowdowns 0 --zones 0-1% --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us,registers-200us",
                "bench power --gates 2 --processes 1 --slowdowns 0 --zones 0-1% --kernels registers-20us",
            ),
            command(
                "bench power --gates 2000 --slowdowns 0 --zones 0-1% --load --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us,registers-200us",
                "bench power --gates 2 --processes 1 --slowdowns 0 --zones 0-1% --kernels registers-20us --load",
            ),
            command(
                "bench power --gates 400 --slowdowns 10,20,50,100 --zones 0-1% --beta 0.01 --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us",
                "bench power --gates 1 --processes 1 --slowdowns 50 --zones 0-1% --kernels registers-20us",
            ),
            command(
                "bench power --gates 400 --slowdowns 0,10,20,50,100 --zones 1-3% --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us",
                "bench power --gates 1 --processes 1 --slowdowns 50 --zones 1-3% --kernels registers-20us",
            ),
            command(
                "bench power --gates 200 --slowdowns 10,20,50,100 --zones 0-1% --beta 0.01 --load --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us",
                "bench power --gates 1 --processes 1 --slowdowns 50 --zones 0-1% --load --kernels registers-20us",
            ),
            command(
                "bench power --gates 200 --slowdowns 0,10,20,50,100 --zones 1-3% --load --kernels \
                 registers-100ns,registers-2us,registers-20us,memory-20us,allocation-20us",
                "bench power --gates 1 --processes 1 --slowdowns 50 --zones 1-3% --load --kernels registers-20us",
            ),
            command(
                "bench power --gates 60 --slowdowns 0,20 --zones 0-1% --methods sequential,welch,traditional --kernels \
                 registers-100ns,registers-2us,registers-20us",
                "bench power --gates 1 --processes 1 --slowdowns 0 --zones 0-1% --methods welch --kernels registers-2us",
            ),
        ],
        minutes: 12,
    },
    Study {
        title: "Truths",
        about: "Pairs of which the instructions tell the ratio, and one loop against itself, called from one place and from \
                two.",
        commands: &[command("bench truths", "bench truths")],
        minutes: 1,
    },
    Study {
        title: "Sampling",
        about: "What sampling costs: the time between two slots, the share that goes to the functions, and memory.",
        commands: &[command("bench sampling", "bench sampling")],
        minutes: 2,
    },
    Study {
        title: "Progress",
        about: "What the progress bar does to what is measured: one pair with the bar and without, in turns.",
        commands: &[command(
            "bench progress --rounds 20 --slots 100000",
            "bench progress --rounds 1 --slots 20000",
        )],
        minutes: 15,
    },
    Study {
        title: "Allocator",
        about: "What `CountingAllocator` costs while it does not count: an allocation and its end through it (candidate), and \
                through `System` (baseline).",
        commands: &[command("bench allocator", "bench allocator --exact counting/8")],
        minutes: 1,
    },
    Study {
        title: "Build cost",
        about: "`cargo bench --no-run` of a crate with one benchmark, from clean, with this harness and with others. \
                `bench_diff` has the manifest of the README.",
        commands: &[
            command("bench build_cost --rounds 3", "bench build_cost --rounds 1 --crates divan"),
            command(
                "bench build_cost --rounds 2 --runs 20 --crates bench_diff",
                "bench build_cost --rounds 1 --runs 1 --crates bench_diff",
            ),
        ],
        minutes: 14,
    },
    Study {
        title: "Cold start",
        about: "A pull request in which one of eight functions does 10 % more work, with nothing built and everything fetched: \
                the seconds of each part of the way to the verdict, and of two runs with other harnesses.",
        commands: &[command("bench cold_start", "bench cold_start --harnesses divan")],
        minutes: 8,
    },
    Study {
        title: "Many pairs",
        about: "What ten thousand pairs cost before anything is measured.",
        commands: &[command("bench many_pairs --runs 21", "bench many_pairs --runs 1")],
        minutes: 1,
    },
    Study {
        title: "Rivals",
        about: "The same functions judged by other harnesses: where nothing has changed but what else is in the program, and \
                with 5 % more and 5 % less input.",
        commands: &[command("bench rivals --runs 10", "bench rivals --runs 1 --short")],
        minutes: 40,
    },
    Study {
        title: "Instruction counts",
        about: "Five functions in two revisions: what gungraun counts under valgrind, and what `--against` measures and says.",
        commands: &[command("bench instructions", "bench instructions")],
        minutes: 5,
    },
    Study {
        title: "Comparative",
        about: "The first study of the original crate: a function that does more work than another one, measured one after the \
                other and in duos.",
        commands: &[
            command("bench comparative --scales 100us", "bench comparative --scales 100us --runs 1"),
            command("bench comparative --scales 20ms --runs 40", "bench comparative --scales 100us --runs 1"),
        ],
        minutes: 55,
    },
    Study {
        title: "Standalone",
        about: "The second study of the original crate: wrong differences between equal medians, and right ones that are not \
                found.",
        commands: &[
            command("bench standalone --scales 100us", "bench standalone --scales 100us --runs 1"),
            command("bench standalone --scales 20ms --runs 40", "bench standalone --scales 100us --runs 1"),
        ],
        minutes: 110,
    },
    Study {
        title: "Simulated rounds",
        about: "Independent rounds whose median lies exactly at a bound of the default gate, and power. No clock has a part in \
                it, so the counts are the same on every machine.",
        commands: &[
            Measured {
                columns: "contrasts of rounds around their median | counts",
                ..command(
                    "test bench_diff_core --test rounds level::in_full -- --include-ignored --nocapture --test-threads 1",
                    "test bench_diff_core --test rounds level::at_the_upper -- --nocapture --test-threads 1",
                )
            },
            Measured {
                columns: "spread of rounds | slowdown | pairs | verdicts | rounds, median",
                ..command(
                    "test bench_diff_core --test rounds power -- --nocapture --test-threads 1",
                    "test bench_diff_core --test rounds power -- --nocapture --test-threads 1",
                )
            },
        ],
        minutes: 1,
    },
    Study {
        title: "Simulated tails",
        about: "Functions of 20 us with `max_tail = 2`, 512 duos a round, at most 40 rounds, alpha 1 % of which the tail has \
                half, beta 5 %. No clock has a part in it.",
        commands: &[command(
            "test bench_diff_core --lib --release counts_of_false_and_true_alarms -- --ignored --nocapture",
            "test bench_diff_core --lib rare_slow_calls_are_found -- --nocapture",
        )],
        minutes: 4,
    },
    Study {
        title: "Simulated ignoring",
        about: "`max_slowdown = \"2%\"` with an `ignore_below` d of a tenth of a call, 1000 runs a cell, alpha 1 % not shared, beta \
                5 %. No clock has a part in it, so the counts are the same on every machine.",
        commands: &[Measured {
            columns: "speed of processes | difference | fails at d | passes at 3 d | equal ones pass | fails at 5 d",
            ..command(
                "test bench_diff_core --test rounds ignored -- --nocapture",
                "test bench_diff_core --test rounds ignored -- --nocapture",
            )
        }],
        minutes: 1,
    },
    Study {
        title: "Simulated duos",
        about: "The judge of duos over noise processes of every kind, with the truth exactly on a bound. No clock has a part in \
                it.",
        commands: &[command(
            "test bench_diff_core --test sequential -- --include-ignored --nocapture --test-threads 1",
            "test bench_diff_core --test sequential share -- --nocapture --test-threads 1",
        )],
        minutes: 3,
    },
    Study {
        title: "Allocations",
        about: "Runs of a pair that is gated by `max_allocations = \"0%\"` and whose time is fine.",
        commands: &[command(
            "test bench_diff_tests --test harness false_and_true_alarms -- --ignored --nocapture",
            "test bench_diff_tests --test harness allocations::a_merge -- --nocapture",
        )],
        minutes: 2,
    },
];

impl Study {
    /// Its name, which is the anchor of its section.
    pub(crate) fn name(&self) -> String {
        crate::page::anchor(self.title)
    }
}
