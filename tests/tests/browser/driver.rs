//! A browser, driven by the WebDriver protocol over plain HTTP (w3.org/TR/webdriver2).

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::skip::skipped;

/// Much longer than any page takes to show what it shows.
const PATIENCE: Duration = Duration::from_secs(60);

/// One page of one browser, which ends with it.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

/// The arguments of a browser in a test: no sandbox, since CI runs as root, no `/dev/shm`, which a container has
/// little of, and nothing of its own in the network.
const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The program of this name that a shell would find.
fn program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let programs = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

impl Browser {
    /// A new browser; none where there is no chromium, which is said.
    pub(crate) fn new() -> Option<Self> {
        let found =
            program(&["chromium", "chromium-browser", "google-chrome"]).zip(program(&["chromedriver"]));
        let Some((chromium, driver)) = found else {
            skipped("there is no chromium, or no driver of it");
            return None;
        };
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            line.unwrap().rsplit_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("the driver tells its port");
        // What it says later is nothing to wait for.
        thread::spawn(move || lines.for_each(drop));
        let profile = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut arguments = ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = browser.post("/session", &capabilities);
        browser.session = session["sessionId"].as_str().unwrap_or_else(|| panic!("{session}")).to_owned();
        Some(browser)
    }

    /// Opens a file, with what stands behind a `#`.
    pub(crate) fn open(&self, file: &Path, anchor: &str) {
        let url = format!("file://{}{anchor}", file.display());
        // A page that only changes its anchor is not loaded again.
        self.post("/url", &json!({"url": "about:blank"}));
        self.post("/url", &json!({"url": url}));
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({"script": format!("return {expression};"), "args": []}))
    }

    pub(crate) fn number(&self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    pub(crate) fn text(&self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression}: {value}")).to_owned()
    }

    /// Waits until an expression has this value.
    #[track_caller]
    pub(crate) fn becomes(&self, expression: &str, text: &str) {
        let begin = Instant::now();
        while self.value(expression) != text && begin.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(self.text(expression), text);
    }

    /// Presses these keys, one after the other, wherever the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let mut actions = Vec::new();
        for key in keys.chars() {
            actions
                .extend([json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]);
        }
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// A command of the protocol of Chromium.
    pub(crate) fn command(&self, command: &str, parameters: &Value) {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
    }

    /// Messages of the console, errors of the page among them.
    pub(crate) fn console(&self) -> Vec<Value> {
        self.log("browser")
    }

    /// The addresses that were asked for, without that of the page, those that hold what they are about, and
    /// those of the browser's own first page.
    pub(crate) fn requests(&self) -> Vec<String> {
        let messages = self.log("performance").into_iter().map(|entry| {
            serde_json::from_str::<Value>(entry["message"].as_str().unwrap()).unwrap()["message"].take()
        });
        let sent = messages.filter(|message| message["method"] == "Network.requestWillBeSent");
        let others = sent.filter(|message| message["params"]["type"] != "Document");
        let urls = others.map(|message| message["params"]["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| !url.starts_with("data:") && !url.starts_with("chrome:")).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.post("/se/log", &json!({"type": kind})).as_array().unwrap().clone()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let path = if self.session.is_empty() {
            path.to_owned()
        } else {
            format!("/session/{}{path}", self.session)
        };
        self.request("POST", &path, &body.to_string())
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap();
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).unwrap();
        let mut answer: Value = serde_json::from_slice(&answer).unwrap();
        let value = answer["value"].take();
        assert!(value["error"].is_null(), "{path} {body}: {value}");
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !thread::panicking() && !self.session.is_empty() {
            self.request("DELETE", &format!("/session/{}", self.session), "");
        }
        // It takes its browser with it.
        let _ = Command::new("kill").arg(self.driver.id().to_string()).status();
        let begin = Instant::now();
        while self.driver.try_wait().is_ok_and(|status| status.is_none())
            && begin.elapsed() < Duration::from_secs(5)
        {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.driver.kill();
    }
}
