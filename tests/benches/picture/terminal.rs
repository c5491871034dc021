//! A terminal as an SVG.

use std::fmt::Write as _;
use std::num::NonZero;

use vt100::{Cell, Color, Parser, Screen};

const COLUMNS: NonZero<u16> = NonZero::new(100).unwrap();
const ROWS: NonZero<u16> = NonZero::new(60).unwrap();

/// The size of a character, and the space around the text, in pixels.
const WIDTH: f64 = 8.4;
const HEIGHT: f64 = 20.0;
const MARGIN: f64 = 20.0;

/// A command and its output.
pub(crate) fn drawn(command: &str, output: &str) -> String {
    let mut parser = Parser::new(ROWS, COLUMNS, 0);
    parser.process(format!("$ {command}\r\n{}", between_words(output.trim_end())).as_bytes());
    let screen = parser.screen();
    let rows = screen.cursor_position().0 + 1;
    let (width, height) =
        (f64::from(COLUMNS.get()) * WIDTH + 2.0 * MARGIN, f64::from(rows) * HEIGHT + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n"
    );
    for row in 0..rows {
        let y = MARGIN + (f64::from(row) + 0.75) * HEIGHT;
        for (column, text, style) in runs(screen, row) {
            let x = MARGIN + f64::from(column) * WIDTH;
            let length = text.chars().count() as f64 * WIDTH;
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            // The length keeps columns straight in any font.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" xml:space=\"preserve\" {style}>{text}</text>"
            );
        }
    }
    svg + "</svg>\n"
}

/// The lines of a terminal. Those that are too long break between words, and go on below their own text.
fn between_words(output: &str) -> String {
    let mut broken = String::new();
    for line in output.lines() {
        let indent = line.len() - line.trim_start().len() + 4;
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            if column + width(word.trim_end()) >= usize::from(COLUMNS.get()) {
                broken = format!("{}\r\n{}", broken.trim_end(), " ".repeat(indent));
                column = indent;
            }
            column += width(word);
            broken += word;
        }
        broken += "\r\n";
    }
    broken.trim_end().to_owned()
}

/// The columns that a text takes, without its escape sequences.
fn width(text: &str) -> usize {
    let shown = |part: &str| part.split_once('m').map_or(0, |(_, text)| text.chars().count());
    let mut parts = text.split('\u{1b}');
    parts.next().unwrap_or_default().chars().count() + parts.map(shown).sum::<usize>()
}

/// The texts of one style in a row, each with its first column.
fn runs(screen: &Screen, row: u16) -> Vec<(u16, String, String)> {
    let mut runs: Vec<(u16, String, String)> = Vec::new();
    for column in 0..COLUMNS.get() {
        let Some(cell) = screen.cell(row, column) else { continue };
        let (text, style) = (if cell.has_contents() { cell.contents() } else { " " }, style(cell));
        match runs.last_mut() {
            Some((_, before, same)) if *same == style => before.push_str(text),
            _ => runs.push((column, text.to_owned(), style)),
        }
    }
    runs.iter_mut().for_each(|(_, text, _)| text.truncate(text.trim_end().len()));
    runs.retain(|(_, text, _)| !text.is_empty());
    runs
}

fn style(cell: &Cell) -> String {
    let color = match cell.fgcolor() {
        Color::Idx(1 | 9) => "#ff6b68",
        Color::Idx(2 | 10) => "#5dd07a",
        Color::Idx(3 | 11) => "#e8c14c",
        Color::Idx(8) => "#8b919c",
        _ if cell.dim() => "#8b919c",
        _ => "#e4e6ea",
    };
    let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
    format!("fill=\"{color}\"{weight}")
}
