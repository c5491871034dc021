//! The studies that can be measured again: a page each, and the commands that make its tables.

/// A study.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Study {
    /// The heading of its page.
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
        title: "Lengths",
        about: "Functions from 5 nanoseconds to 5 seconds, unchanged and with more work, as pairs and in two revisions: the calls \
                and the seconds that a verdict takes.",
        commands: &[
            command("bench lengths --only 0,1,2,3,4,5,6,7,8,9", "bench lengths --only 4 --runs 1"),
            command(
                "bench lengths --percent 5 --only 0,1,2,3,4,5,6,7,8,9",
                "bench lengths --percent 5 --only 5 --runs 1",
            ),
            command("bench lengths --only 10,11 --runs 3", "bench lengths --only 4 --runs 1"),
            command("bench lengths --percent 5 --only 10,11 --runs 3", "bench lengths --only 5 --runs 1"),
        ],
        minutes: 150,
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
        ],
        minutes: 12,
    },
    Study {
        title: "Build cost",
        about: "`cargo bench --no-run` of a crate with one benchmark, from clean, with this harness and with others, \
                and the seconds that a pull request waits for its verdict where nothing is built.",
        commands: &[
            command("bench build_cost --rounds 3", "bench build_cost --rounds 1 --crates divan"),
            command("bench build_cost --cold-start", "bench build_cost --cold-start --crates divan"),
        ],
        minutes: 18,
    },
    Study {
        title: "Rivals",
        about: "The same functions judged by other harnesses: where nothing has changed but what else is in the program, and \
                with 5 % more and 5 % less input.",
        commands: &[command("bench rivals --runs 10", "bench rivals --runs 1 --short")],
        minutes: 40,
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
];

impl Study {
    /// Its name, which is that of its page.
    pub(crate) fn name(&self) -> String {
        self.title.to_lowercase().replace(' ', "-")
    }
}
