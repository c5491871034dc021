//! The machine and the day, as the system says them.

use std::fs;
use std::process::Command;
use std::thread;

use crate::make::Occasion;

impl Occasion {
    /// This machine, now.
    pub(crate) fn now() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let (cpu, load) = (cpu(), load());
        let [system, rustc, commit] = [
            said_by("uname", &["-sr"]),
            said_by("rustc", &["--version"]),
            said_by("git", &["describe", "--always", "--dirty"]),
        ];
        // What stands behind the version is the name that somebody gave to a build of it.
        let system = system.split('-').next().unwrap_or_default();
        Self {
            date: said_by("date", &["-u", "+%Y-%m-%d"]),
            machine: format!("{cpu}, {cores} cores, {system}, {rustc}, commit {commit}, load {load} before"),
        }
    }
}

/// The name of the processor in /proc, and whether it is a virtual one.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        text.lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split_once(':'))
            .map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| "unknown processor".to_owned());
    let is_virtual = field("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    if is_virtual { format!("{name} in a virtual machine") } else { name }
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}

/// The first line of what a program says.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    let line = text.and_then(|text| text.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| format!("{program} unknown"))
}
