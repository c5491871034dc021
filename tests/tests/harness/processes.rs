//! The processes of this machine, as `/proc` has them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Much longer than any machine takes to end a process.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(300);

/// Waits until no process is left that was told of this folder: none of a run outlives it for long.
pub(crate) fn wait_for_all(folder: &Path) {
    let start = Instant::now();
    while let Some(process) = alive(folder) {
        assert!(start.elapsed() < FOR_EVER, "{process} lives on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A process that was told of this folder and has not ended.
fn alive(folder: &Path) -> Option<String> {
    let folder = folder.display().to_string();
    let was_told = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&folder)
    };
    pids().find(was_told).map(|pid| format!("process {pid}"))
}

pub(crate) fn pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
