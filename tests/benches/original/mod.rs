//! The common part of the two studies of the original's tables: the work, and the flags of its amount.

pub(crate) mod scale;
pub(crate) mod work;

use std::error::Error;
use std::time::Duration;

use clap::{Arg, ArgMatches};
use scale::{SCALES, Scale};

use crate::command_line::{list, number, one, words};

/// The flags that both studies have.
pub(crate) fn flags() -> [Arg; 2] {
    [
        list("scales", SCALES.map(|scale| scale.name).join(","), "Scales"),
        one("warmup-ms", "50", "Milliseconds of warm-up of every measurement, 3000 in the original"),
    ]
}

/// The scales and the warm-up that these flags name.
pub(crate) fn read(matches: &ArgMatches) -> Result<(Vec<Scale>, Duration), Box<dyn Error>> {
    let named = |name: &str| Scale::named(name).ok_or_else(|| format!("no scale is called {name}"));
    let scales = words(matches, "scales").into_iter().map(named).collect::<Result<_, _>>()?;
    Ok((scales, Duration::from_millis(number(matches, "warmup-ms")?)))
}
