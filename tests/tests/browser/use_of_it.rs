//! The use of a page by its reader: filter, sort, keys, links, narrow and wide windows, light and dark.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::fixture::{CRITERION, Run, VERDICTS};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";

fn names(browser: &Browser, of: &str) -> Vec<String> {
    let names = format!(
        "[...document.querySelectorAll('{of}')].map((body) => body.querySelector('th a').textContent)"
    );
    serde_json::from_value(browser.value(&names)).unwrap()
}

fn shown(browser: &Browser) -> Vec<String> {
    names(browser, "tbody:not([hidden])")
}

fn opened(browser: &Browser) -> Vec<String> {
    names(browser, "tbody:not([hidden]):has(.d.open)")
}

#[test]
fn filter_sort_and_keys_do_what_they_say() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(VERDICTS, "--include-ignored");
    browser.open(&run.page(), "");
    let all = shown(&browser);
    assert_eq!(all.len(), run.records.len());
    let has_failed = |name: &&String| run.record(name)["outcome"] == "fail";
    let failed: Vec<&String> = all.iter().take_while(has_failed).collect();
    assert_eq!(failed.len(), all.iter().filter(has_failed).count(), "failures come first");
    assert_eq!(opened(&browser).iter().collect::<Vec<_>>(), failed, "and are open");

    browser.press("/nested");
    let nested: Vec<String> = all.iter().filter(|name| name.contains("nested")).cloned().collect();
    assert_eq!(shown(&browser), nested);
    assert_eq!(
        browser.text("document.getElementById('count').textContent"),
        format!("{} of {} shown", nested.len(), all.len())
    );
    browser.press(DOWN);
    browser.press("j");
    assert_eq!(browser.text("document.activeElement.textContent"), nested[1]);
    browser.press("k");
    browser.press(ENTER);
    assert_eq!(opened(&browser), [""; 0], "the first one is a failure");
    browser.press(ENTER);
    assert_eq!(opened(&browser), nested[..1]);
    assert_eq!(browser.text("document.activeElement.getAttribute('aria-expanded')"), "true");
    browser.value("document.querySelector('tbody:not([hidden]) td button').click()");
    assert_eq!(browser.value("getSelection().toString()"), run.record(&nested[0])["repeat"]);
    browser.press(ESCAPE);
    assert_eq!(shown(&browser), all);

    browser.value("document.querySelector('form .fail').click()");
    let left: Vec<&str> =
        all.iter().map(String::as_str).filter(|name| run.record(name)["outcome"] != "fail").collect();
    assert_eq!(shown(&browser), left);
    browser.press(ESCAPE);

    let head = "[...document.querySelectorAll('thead th')].find((head) => head.dataset.key === 'ratio')";
    browser.value(&format!("{head}.querySelector('button').click()"));
    assert_eq!(browser.text(&format!("{head}.getAttribute('aria-sort')")), "ascending");
    let mut by_ratio = all.clone();
    let ratio = |name: &String| run.record(name)["ratio"].as_f64().unwrap();
    by_ratio.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    assert_eq!(shown(&browser), by_ratio);
    (0..2).for_each(|_| drop(browser.value(&format!("{head}.querySelector('button').click()"))));
    assert_eq!(shown(&browser), all, "the order of the source comes back");

    browser.open(&run.page(), "#/equal");
    assert_eq!(opened(&browser).last().unwrap(), "equal");
    browser.becomes("document.activeElement.textContent.slice(0, 20)", "equal");
    assert_eq!(browser.console(), Vec::<Value>::new());
    assert_eq!(browser.requests(), [""; 0]);
}

#[test]
fn a_page_of_latencies_sorts_by_them() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(CRITERION, "lengths twice");
    browser.open(&run.page(), "");
    let all = shown(&browser);
    let heads = "[...document.querySelectorAll('thead th')].map((head) => head.textContent)";
    assert_eq!(browser.value(heads), json!(["function", "latency", "throughput"]));
    let latency = |name: &String| run.record(name)["latency"]["ns"].as_f64().unwrap();
    let rate = |name: &String| {
        let amount = ["bytes", "items"].iter().find_map(|amount| run.record(name)[amount].as_f64());
        amount.map_or(f64::INFINITY, |amount| amount / latency(name))
    };
    // The page has fewer digits than the records.
    let is_before = |one: &f64, next: &f64| *one <= next * 1.01;
    for (head, key) in [("candidate", &latency as &dyn Fn(&String) -> f64), ("rate", &rate)] {
        browser.value(&format!("document.querySelector('th[data-key={head}] button').click()"));
        let names = shown(&browser);
        let keys: Vec<f64> = names.iter().map(key).collect();
        assert!(names.len() == all.len() && keys.is_sorted_by(is_before), "{head}: {names:?}, {keys:?}");
    }
    assert_eq!(browser.console(), Vec::<Value>::new());
}

#[test]
fn it_fits_any_window_light_and_dark() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(VERDICTS, "");
    let mut papers = Vec::new();
    for scheme in ["light", "dark"] {
        for width in [320, 400, 800, 1090, 1200, 1600] {
            let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
            browser.command("Emulation.setDeviceMetricsOverride", &metrics);
            let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
            browser.command("Emulation.setEmulatedMedia", &json!({"features": features}));
            browser.open(&run.page(), "");
            browser
                .value("document.querySelectorAll('[aria-expanded=false]').forEach((link) => link.click())");
            let closed = "[...document.querySelectorAll('.d details figure svg')]";
            let hides = format!("{closed}.length > 0 && {closed}.every((plot) => !plot.checkVisibility())");
            assert_eq!(browser.value(&hides), true, "statistics are behind a toggle");
            assert_eq!(browser.number("innerWidth"), f64::from(width));
            let needed = browser.number("document.documentElement.scrollWidth");
            assert!(needed <= f64::from(width), "{scheme}: {needed} of {width}");
            let plots = "[...document.querySelectorAll('figure svg')]";
            let seen = format!("{plots}.every((plot) => plot.getBoundingClientRect().width > 250)");
            assert_eq!(browser.value(&seen), true, "{scheme} {width}");
        }
        papers.push(browser.text("getComputedStyle(document.documentElement).backgroundColor"));
    }
    assert_ne!(papers[0], papers[1]);
    assert_eq!(browser.console(), Vec::<Value>::new());
}

/// The table, the plots and the links to pairs are there without the script.
#[test]
fn it_can_be_read_without_its_script() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(VERDICTS, "");
    browser.command("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    browser.open(&run.page(), "#/equal");
    let is_shown = |of: &str| {
        browser.number(&format!("document.querySelector('{of}').getBoundingClientRect().height")) > 0.0
    };
    assert!(is_shown("[id=\"/equal\"] figure svg"), "the target of a link is open");
    assert!(is_shown("[id=\"/five_times\"] figure svg"), "a failure is open");
    assert!(
        !is_shown("[id=\"/nested::one_box\"]") && !is_shown("form"),
        "what needs the script is not there"
    );
    assert!(is_shown("tbody tr:first-child svg"));
    assert_eq!(browser.value("document.documentElement.classList.contains('js')"), false);
}
