//! From options and a function to a pair: what each option means, and whether it fits the others.

use proc_macro2::Span;
use syn::{Expr, ExprPath, Path, Type, parse_quote};

use crate::args::{Arg, Args};
use crate::function;
use crate::item::Item;
use crate::key::Key;
use crate::literal::Argument;
use crate::pair::{Amount, Consts, Gate, Margin, Options, Pair, Setting, Work};
use crate::shape::{self, CheckWith};

pub(crate) fn validate(args: Args, item: Item) -> syn::Result<Pair> {
    let Args { options, mut errors } = args;
    let mut written = Written::default();
    for arg in &options {
        errors.keep(written.take(arg));
    }
    if !written.seen.contains(&Key::Baseline) {
        errors.push(syn::Error::new(whole_attribute(&item), MISSING_BASELINE));
    }
    let function = function::check(item.head, &mut errors);
    let Written { seen, baseline, harness, options, threads, work, mut shape } = written;
    let fitted = function.map(|function| {
        let inputs = shape::inputs(&function, &shape, &seen, &mut errors);
        let instances = shape::instances(&function.generics, &mut shape, &seen, &mut errors);
        let check = shape::check(&function, &inputs, shape.check.take(), &mut errors);
        shape::margin(options.gate.as_ref(), &inputs, &mut errors);
        shape::work(&work, &inputs, &mut errors);
        (function, inputs, instances, check)
    });
    errors.finish(fitted.zip(baseline).map(|((function, inputs, instances, check), baseline)| Pair {
        harness: harness.unwrap_or_else(|| parse_quote!(::bench_diff_harness)),
        candidate: function.name,
        baseline,
        attrs: item.attrs.iter().filter_map(function::of_registration).collect(),
        options: Options { ignore: item.ignore.or(options.ignore), ..options },
        inputs,
        work,
        instances,
        threads,
        output: function.output,
        check,
    }))
}

const MISSING_BASELINE: &str =
    "`baseline` is missing: name the function to compare with, as in `#[bench_diff(baseline = function)]`";

/// The place of the attribute, as tokens of the user's: rustc adds a note on the macro to any other.
fn whole_attribute(item: &Item) -> Span {
    let attribute = Span::call_site();
    let token = item.tokens.clone().into_iter().next();
    token.map_or(attribute, |token| token.span().located_at(attribute))
}

#[derive(Default)]
struct Written {
    seen: Vec<Key>,
    baseline: Option<ExprPath>,
    harness: Option<Path>,
    options: Options,
    threads: Vec<usize>,
    work: Work,
    shape: shape::WrittenInputs,
}

impl Written {
    fn take(&mut self, arg: &Arg) -> syn::Result<()> {
        let key = Key::of(&arg.name)?;
        self.refuse_second(key, arg)?;
        self.seen.push(key);
        let argument = Argument { key, arg };
        let (options, shape) = (&mut self.options, &mut self.shape);
        match key {
            Key::Baseline => self.baseline = Some(argument.function()?),
            Key::Args => shape.args = Some(argument.any()?),
            Key::Setup => shape.setup = Some(argument.function()?),
            Key::SetupOnce => shape.setup_once = Some(argument.function()?),
            Key::Types => shape.types = Some((arg.name.clone(), types(&argument)?)),
            Key::Consts => shape.consts = Some((arg.name.clone(), consts(&argument)?)),
            Key::Threads => self.threads = threads(&argument)?,
            Key::Check => shape.check = check(&argument)?,
            Key::Crate => self.harness = Some(argument.module()?),
            Key::Name => options.name = Some(name(&argument)?),
            Key::MaxSlowdown => options.gate = Some(Gate::MaxSlowdown(margin(&argument)?)),
            Key::MaxDifference => options.gate = Some(Gate::MaxDifference(margin(&argument)?)),
            Key::MinSpeedup => options.gate = Some(Gate::MinSpeedup(speedup(&argument)?)),
            Key::MaxAllocations => options.settings.push((key, excess(&argument)?)),
            Key::ReportOnly => options.gate = argument.nothing().map(|()| Some(Gate::ReportOnly))?,
            Key::Judge => options.settings.push((key, word(&argument, &JUDGES)?)),
            Key::MaxTail => options.settings.push((key, above_one(&argument)?)),
            Key::IgnoreBelow => options.settings.push((key, time_of_call(&argument)?)),
            Key::Alpha | Key::Beta => options.settings.push((key, error_rate(&argument)?)),
            Key::Slots => options.settings.push((key, slots(&argument)?)),
            Key::MaxTime => options.settings.push((key, max_time(&argument)?)),
            Key::Clock => options.settings.push((key, word(&argument, &CLOCKS)?)),
            Key::Warmup => options.settings.push((key, warmup(&argument)?)),
            Key::Layouts => options.settings.push((key, word(&argument, &LAYOUTS)?)),
            Key::Bytes => self.work.bytes = Some(amount(&argument)?),
            Key::Items => self.work.items = Some(amount(&argument)?),
            Key::Ignore => options.ignore = argument.nothing().map(|()| Some(String::new()))?,
        }
        Ok(())
    }

    fn refuse_second(&self, key: Key, arg: &Arg) -> syn::Result<()> {
        let first_gate = self.seen.iter().find(|seen| seen.is_gate());
        let message = match first_gate {
            _ if self.seen.contains(&key) => format!("`{}` is given twice", key.name()),
            Some(first) if key.is_gate() => {
                format!("`{}` excludes `{}`: a pair has one gate", first.name(), key.name())
            }
            _ => return Ok(()),
        };
        Err(syn::Error::new(arg.name.span(), message))
    }
}

fn name(argument: &Argument<'_>) -> syn::Result<String> {
    let name = argument.string()?;
    if name.is_empty() {
        return Err(argument.error("must not be empty"));
    }
    if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(argument.error("must not hold blanks or control characters"));
    }
    if name.starts_with('-') {
        return Err(argument.error("must not start with `-`, which a command line takes for a flag"));
    }
    Ok(name)
}

fn types(argument: &Argument<'_>) -> syn::Result<Vec<Type>> {
    let types = argument.types()?;
    if types.is_empty() { Err(argument.error(NOT_EMPTY)) } else { Ok(types) }
}

fn consts(argument: &Argument<'_>) -> syn::Result<Consts> {
    match argument.any()? {
        Expr::Array(array) if array.elems.is_empty() => Err(argument.error(NOT_EMPTY)),
        Expr::Array(array) => Ok(Consts::List(array.elems.into_iter().collect())),
        array => Ok(Consts::Array(array)),
    }
}

fn threads(argument: &Argument<'_>) -> syn::Result<Vec<usize>> {
    let mut threads = Vec::new();
    for (number, written) in argument.whole_numbers()? {
        let error = |message| Err(syn::Error::new_spanned(written, message));
        match usize::try_from(number) {
            Err(_) | Ok(0 | 1025..) => return error("`threads` must lie between 1 and 1024"),
            Ok(number) if threads.contains(&number) => return error("`threads` has this number twice"),
            Ok(number) => threads.push(number),
        }
    }
    if threads.is_empty() { Err(argument.error(NOT_EMPTY)) } else { Ok(threads) }
}

const NOT_EMPTY: &str = "must not be empty: there would be nothing to measure";

fn check(argument: &Argument<'_>) -> syn::Result<Option<CheckWith>> {
    Ok(match argument.bool() {
        Some(true) => None,
        Some(false) => Some(CheckWith::Nothing),
        None => Some(CheckWith::Function(argument.function()?)),
    })
}

fn amount(argument: &Argument<'_>) -> syn::Result<Amount> {
    if argument.whole_number().is_ok_and(|number| number < 1) {
        return Err(argument.error("must be at least 1"));
    }
    match argument.integer()? {
        Expr::Path(path) => Ok(Amount::Path(path.clone())),
        Expr::Closure(closure) if closure.inputs.len() == 1 => Ok(Amount::Function(closure.clone())),
        Expr::Closure(_) => Err(argument.error("takes a closure of one parameter, a reference to the input")),
        number => Ok(Amount::Number(number.clone())),
    }
}

fn margin(argument: &Argument<'_>) -> syn::Result<Margin> {
    if let Ok(function) = argument.function() {
        return Ok(Margin::OfArg(function));
    }
    above_zero(argument, share(argument)?)
}

/// A share, which has its sign where it is large.
fn share(argument: &Argument<'_>) -> syn::Result<f64> {
    let (share, as_percentage) = argument.share()?;
    if share >= 1.0 && share.is_finite() && !as_percentage {
        let (key, percent) = (argument.key.name(), (share * 1e4).round() / 1e2);
        return Err(argument.error_at_value(format_args!(
            "`{key} = {share}` would be {percent}%: write `\"{share}%\"`, or `\"{percent}%\"` if that is meant"
        )));
    }
    Ok(share)
}

/// How much more is allowed, which may be nothing.
fn excess(argument: &Argument<'_>) -> syn::Result<Setting> {
    let share = share(argument)?;
    let is_one = share >= 0.0 && share.is_finite();
    if is_one { Ok(Setting::Number(share)) } else { Err(argument.error("must be finite and at least 0")) }
}

fn speedup(argument: &Argument<'_>) -> syn::Result<Margin> {
    argument.function().map(Margin::OfArg).or_else(|_| above_zero(argument, argument.number()?))
}

fn above_zero(argument: &Argument<'_>, number: f64) -> syn::Result<Margin> {
    if number > 0.0 && number.is_finite() {
        Ok(Margin::Number(number))
    } else {
        Err(argument.error("must be finite and above 0"))
    }
}

fn above_one(argument: &Argument<'_>) -> syn::Result<Setting> {
    let number = argument.number()?;
    let is_above = number > 1.0 && number.is_finite();
    if is_above { Ok(Setting::Number(number)) } else { Err(argument.error("must be finite and above 1")) }
}

fn time_of_call(argument: &Argument<'_>) -> syn::Result<Setting> {
    const HOUR: f64 = 3.6e12;

    let time = argument.nanoseconds()?;
    let is_one = time > 0.0 && time <= HOUR;
    if is_one {
        Ok(Setting::Number(time))
    } else {
        Err(argument.error("must be above 0 and at most `\"60min\"`"))
    }
}

/// A type of the harness, and its variants by the words for them.
type Words<const N: usize> = (&'static str, [(&'static str, &'static str); N]);

const JUDGES: Words<2> = ("JudgeKind", [("sequential", "Sequential"), ("welch", "Welch")]);

const CLOCKS: Words<3> = ("ClockPolicy", [("auto", "Auto"), ("wall", "Wall"), ("cpu", "Cpu")]);

const LAYOUTS: Words<4> =
    ("Layouts", [("auto", "Auto"), ("all", "All"), ("linked", "Linked"), ("none", "None")]);

fn word<const N: usize>(argument: &Argument<'_>, (of, words): &Words<N>) -> syn::Result<Setting> {
    let written = argument.string()?;
    let variant = words.iter().find(|(word, _)| *word == written).map(|(_, variant)| variant);
    variant.map(|variant| Setting::Variant(of, variant)).ok_or_else(|| {
        let words: Vec<_> = words.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        argument.error(format_args!("must be one of {}", words.join(", ")))
    })
}

fn error_rate(argument: &Argument<'_>) -> syn::Result<Setting> {
    let (rate, _) = argument.share()?;
    let is_one = rate > 0.0 && rate < 0.5;
    if is_one { Ok(Setting::Number(rate)) } else { Err(argument.error("must be above 0 and below 0.5")) }
}

fn slots(argument: &Argument<'_>) -> syn::Result<Setting> {
    let slots = argument.whole_number()?;
    if slots < 2 {
        return Err(argument.error("must be at least 2"));
    }
    let too_many = |_| argument.error("must be at most 18446744073709551615");
    u64::try_from(slots).map(Setting::Count).map_err(too_many)
}

fn max_time(argument: &Argument<'_>) -> syn::Result<Setting> {
    match duration(argument)? {
        0 => Err(argument.error("must be above 0")),
        nanoseconds => Ok(Setting::Nanoseconds(nanoseconds)),
    }
}

fn warmup(argument: &Argument<'_>) -> syn::Result<Setting> {
    duration(argument).map(Setting::Nanoseconds)
}

fn duration(argument: &Argument<'_>) -> syn::Result<u64> {
    let nanoseconds = argument.nanoseconds()?.round();
    if nanoseconds < 0.0 {
        return Err(argument.error("must not be negative"));
    }
    if nanoseconds >= u64::MAX as f64 {
        return Err(argument.error("must be shorter than 500 years"));
    }
    Ok(nanoseconds as u64)
}
