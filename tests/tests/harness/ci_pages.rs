//! The jobs that are there to be copied, the action, and the job of this project: they parse, and say nothing that
//! the harness does not know.

use std::collections::BTreeSet;

use saphyr::{LoadableYamlNode, Yaml};

use crate::common::pages::{blocks, nextest_profile, text};
use crate::fixture::{VERDICTS, run};

const WORKFLOW: &str = ".github/workflows/ci.yml";
const ACTION: &str = "action.yml";
const COMPARISON: &str = "docs/coming_from.md";
const PAGES: [&str; 8] = [
    "docs/against.md",
    "docs/ci.md",
    "docs/reports.md",
    "docs/troubleshooting.md",
    "docs/writing.md",
    "METHODOLOGY.md",
    COMPARISON,
    "README.md",
];

/// Every YAML document that is meant to be copied or run.
fn jobs() -> Vec<String> {
    let copied = PAGES.into_iter().flat_map(|page| blocks(page, "yaml"));
    copied.chain([WORKFLOW, ACTION].map(text)).collect()
}

fn parsed(yaml: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(yaml).unwrap_or_else(|error| panic!("{error} in\n{yaml}"));
    assert_eq!(documents.len(), 1, "{yaml}");
    documents.remove(0)
}

/// The texts below this key, wherever it stands.
fn below(yaml: &Yaml<'_>, key: &str, found: &mut Vec<String>) {
    match yaml {
        Yaml::Mapping(mapping) => {
            for (name, value) in mapping {
                if name.as_str() == Some(key) {
                    found.extend(value.as_str().map(str::to_owned));
                    let items = value.as_sequence().into_iter().flatten();
                    found.extend(items.filter_map(|item| item.as_str().map(str::to_owned)));
                }
                below(value, key, found);
            }
        }
        Yaml::Sequence(items) => items.iter().for_each(|item| below(item, key, found)),
        _ => {}
    }
}

fn all_below(keys: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for job in jobs() {
        let job = parsed(&job);
        keys.iter().for_each(|key| below(&job, key, &mut found));
    }
    found
}

/// The cargo commands of the jobs, and of the consoles of the pages.
fn commands() -> Vec<String> {
    let scripts = all_below(&["run", "script"]).into_iter();
    let consoles = PAGES.into_iter().flat_map(|page| blocks(page, "console"));
    let texts: Vec<String> = scripts.chain(consoles).collect();
    // A console may explain a command.
    let commands =
        texts.iter().flat_map(|text| text.lines()).map(|line| line.split(" #").next().unwrap().trim_end());
    let commands = commands.filter(|line| line.contains("cargo bench") || line.contains("cargo nextest"));
    commands.map(str::to_owned).collect()
}

/// The flags of the help, without their dashes.
fn flags_of_the_help() -> BTreeSet<String> {
    let help = run(VERDICTS, "--help").ends_with(0).stdout;
    let flags = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("-q, ").or_else(|| line.strip_prefix("-h, ")).unwrap_or(line);
        line.strip_prefix("--")?.split([' ', '=']).next().map(str::to_owned)
    });
    flags.collect()
}

#[test]
fn every_flag_of_a_command_is_one_of_the_harness() {
    let known = flags_of_the_help();
    assert!(known.contains("against") && known.contains("quiet"), "{known:?}");
    let mut checked = 0;
    for command in commands() {
        let Some((_, own)) = command.split_once(" -- ") else { continue };
        let own = own.split('|').next().unwrap();
        for flag in own.split_whitespace().filter_map(|word| word.strip_prefix("--")) {
            assert!(known.contains(flag), "--{flag} of `{command}` is not known");
            checked += 1;
        }
    }
    assert!(checked >= 4, "{:?}", commands());
}

/// A row has what is theirs on the left and what is ours on the right.
#[test]
fn every_flag_that_answers_one_of_others_is_one_of_the_harness() {
    let known = flags_of_the_help();
    let page = text(COMPARISON);
    let ours =
        page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | ")).map(|(_, ours)| ours);
    let flags: Vec<&str> = ours.flat_map(|ours| ours.split("`--").skip(1)).collect();
    assert!(flags.len() >= 4, "{flags:?}");
    for flag in flags {
        let name = flag.split([' ', '`']).next().unwrap();
        assert!(known.contains(name), "--{name} is not known");
    }
}

#[test]
fn every_variable_is_a_setting() {
    let help = flags_of_the_help();
    let twins: Vec<String> = help.iter().map(|flag| flag.replace('-', "_").to_uppercase()).collect();
    let mut checked = 0;
    for page in PAGES.into_iter().chain([WORKFLOW, ACTION]) {
        let page = text(page);
        for rest in page.split("BENCH_DIFF_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            let name = &rest[..end];
            // `BENCH_DIFF_*` stands for all of them.
            if name.is_empty() {
                continue;
            }
            assert!(twins.iter().any(|twin| twin == name), "BENCH_DIFF_{name} is no setting");
            checked += 1;
        }
    }
    assert!(checked >= 6, "{checked}");
}

/// The variable gets the input with the name of the flag, not that of a neighbour.
#[test]
fn every_input_of_the_action_is_the_flag_of_its_name() {
    let action = text(ACTION);
    let action = parsed(&action);
    let inputs = action["inputs"].as_mapping().unwrap();
    let steps = action["runs"]["steps"].as_sequence().unwrap();
    let environment = steps.iter().find_map(|step| step.as_mapping_get("env")).unwrap().as_mapping().unwrap();
    let mut checked = 0;
    for (variable, value) in environment {
        let variable = variable.as_str().unwrap();
        let Some(flag) = variable.strip_prefix("BENCH_DIFF_") else { continue };
        let flag = flag.to_lowercase().replace('_', "-");
        if inputs.keys().any(|input| input.as_str() == Some(&flag)) {
            let of_job = if flag == "against" { String::new() } else { format!(" || env.{variable}") };
            assert_eq!(value.as_str().unwrap(), format!("${{{{ inputs.{flag}{of_job} }}}}"));
            checked += 1;
        }
    }
    let of_the_action = ["baselines", "cargo-flags", "working-directory", "comment"];
    assert_eq!(checked, inputs.len() - of_the_action.len());
}

/// A job that needs another one is skipped where that one failed, and what is skipped counts as passed.
#[test]
fn a_gate_that_needs_other_jobs_fails_with_them() {
    let pages = jobs();
    let yaml = pages.iter().find(|yaml| yaml.contains("needs.measure.result")).unwrap();
    let gate = &parsed(yaml)["jobs"]["gate"];
    assert_eq!(gate["needs"].as_str(), Some("measure"));
    assert_eq!(gate["if"].as_str(), Some("${{ !cancelled() }}"));
    assert_eq!(gate["steps"][0]["run"].as_str(), Some("[ \"${{ needs.measure.result }}\" = success ]"));
}

#[test]
fn a_gate_runs_every_bench_and_no_bench_that_was_left_out() {
    for command in commands() {
        assert!(!command.contains("--bench '*'"), "{command}");
        let runs_all = command.ends_with("cargo bench") || command.contains("cargo bench --no-fail-fast");
        let one = command.contains("--bench ") || command.contains("--profile");
        let nextest = command.contains("nextest");
        assert!(runs_all || one || nextest || command.contains(" -- "), "{command}");
    }
    let gates = all_below(&["run", "script"]);
    let lines = gates.iter().flat_map(|run| run.lines()).filter(|line| line.contains("cargo bench"));
    for line in lines.filter(|line| !line.contains("--bench ")) {
        assert!(line.contains("--no-fail-fast"), "{line}");
    }
    assert!(
        gates.iter().filter(|run| run.starts_with("cargo bench --no-fail-fast")).count() >= 2,
        "{gates:?}"
    );
}

#[test]
fn actions_have_a_major_version_and_jobs_few_permissions() {
    let uses = all_below(&["uses"]);
    assert!(uses.len() > 10, "{uses:?}");
    for action in uses {
        let (name, version) = action.split_once('@').unwrap();
        let is_major = version.strip_prefix('v').is_some_and(|version| version.parse::<u32>().is_ok());
        // Its maker publishes no other.
        assert!(is_major || name == "bencherdev/bencher", "{action}");
    }
    for job in jobs().iter().filter(|job| job.contains("\njobs:")) {
        let job = parsed(job);
        assert_eq!(job["permissions"]["contents"].as_str(), Some("read"));
        for (name, job) in job["jobs"].as_mapping().unwrap() {
            assert!(job.as_mapping_get("timeout-minutes").is_some(), "{name:?} may run for hours");
        }
    }
}

#[test]
fn the_oldest_compiler_is_that_of_the_manifest() {
    let manifest: toml::Table = toml::from_str(&text("Cargo.toml")).unwrap();
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    let runs = all_below(&["run"]);
    let check = runs.iter().find(|run| run.starts_with("cargo +")).unwrap();
    assert!(check.starts_with(&format!("cargo +{oldest} check ")), "{check}");
    assert!(runs.contains(&format!("rustup toolchain install {oldest} --profile minimal")), "{runs:?}");
    assert!(text("bench_diff_harness/src/lib.rs").contains(&format!("compiler is Rust {oldest}.")));
}

#[test]
fn manifests_and_profiles_parse() {
    let mut count = 0;
    for page in PAGES {
        for block in blocks(page, "toml") {
            toml::from_str::<toml::Table>(&block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
            count += 1;
        }
    }
    assert!(count >= 2);
    let profile: toml::Table = toml::from_str(&nextest_profile()).unwrap();
    let perf = &profile["profile"]["perf"];
    assert_eq!(perf["run-extra-args"][0].as_str(), Some("--bench"));
    assert_eq!((perf["test-threads"].as_integer(), perf["retries"].as_integer()), (Some(1), Some(0)));
}

/// Scripts read records by the order of their fields.
#[cfg(unix)]
#[test]
fn the_scripts_of_a_history_read_what_a_run_writes() {
    use std::fs;
    use std::process::Command;

    use crate::fixture::temporary_folder;

    let folder = temporary_folder();
    let records = run(VERDICTS, "--exact equal five_times --format json --bench").ends_with(101).stdout;
    fs::write(folder.path().join("step.json"), &records).unwrap();
    let blocks = blocks("docs/against.md", "sh");
    let scripts = blocks.join("\n");
    let read = |filter: &str, end: &str| {
        let start = scripts.find(filter).unwrap();
        let length = scripts[start..].find(end).unwrap() + end.len();
        let script = format!("{} step.json", &scripts[start..start + length]);
        let mut shell = Command::new("sh");
        let ran = shell.args(["-c", &script]).env("tag", "v1").current_dir(folder.path()).output().unwrap();
        let mut lines: Vec<String> =
            String::from_utf8(ran.stdout).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(read("sed -n 's/", "/p'"), ["fail", "pass"]);
    let rows = read("sed -n \"s/", "/p\"");
    let is_row = |row: &String, name: &str, outcome: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        cells[1..3] == ["v1", name] && cells[3].parse::<f64>().is_ok() && cells[4] == outcome
    };
    assert!(is_row(&rows[0], "equal", "pass") && is_row(&rows[1], "five_times", "fail"), "{rows:?}");

    // A step of `git bisect run`, in which cargo writes this record if there is one.
    let step = |record: &str| {
        let script =
            format!("cargo() {{ [ -z \"$RECORD\" ] || echo \"$RECORD\" >step.json; }}\n{}", blocks[0]);
        let mut shell = Command::new("sh");
        let ran = shell.args(["-c", &script]).env("RECORD", record).current_dir(folder.path()).output();
        ran.unwrap().status.code().unwrap()
    };
    let equal = records.lines().find(|line| line.contains("\"name\":\"equal\"")).unwrap();
    let ended = |outcome: &str| equal.replace("\"outcome\":\"pass\"", &format!("\"outcome\":\"{outcome}\""));
    assert_eq!(["pass", "fail"].map(|outcome| step(&ended(outcome))), [1, 0]);
    let untold = ["inconclusive", "error", "ignored"].map(|outcome| step(&ended(outcome)));
    assert_eq!((untold, step("")), ([125; 3], 125), "git skips the commit");
}
