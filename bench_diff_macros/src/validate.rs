//! From options and a function to a pair: what each option means, and whether it fits the others.

use proc_macro2::Ident;
use syn::{Expr, ExprPath, LitStr, Path, Type, parse_quote};

use crate::args::{Arg, Args};
use crate::digest;
use crate::function;
use crate::item::Item;
use crate::key::Key;
use crate::literal::Argument;
use crate::parsed_pair::{Amount, Options, Pair, Work};
use crate::shape::{self, CheckWith};

pub(crate) fn validate(args: Args, item: Item) -> syn::Result<Pair> {
    let Args { options: given, mut errors } = args;
    let mut written = Written::default();
    for arg in &given {
        errors.keep(written.take(arg));
    }
    let is_alone = !written.has("baseline");
    // An unknown option may be the baseline.
    if is_alone && given.iter().all(|arg| Key::of(&arg.name).is_ok()) {
        let compares = |arg: &&Arg| written.seen.iter().any(|key| arg.name == key.name && key.compares());
        given.iter().filter(compares).for_each(|arg| errors.push(needs_baseline(&arg.name)));
    }
    let function = function::check(item.head, &mut errors);
    let Written { seen, baseline, harness, same_work, options, threads, work, mut shape } = written;
    let fitted = function.map(|function| {
        let inputs = shape::inputs(&function, &shape, &seen, &mut errors);
        let instances = shape::instances(&function.generics, &mut shape, &seen, &mut errors);
        let written = shape.check.take().or(is_alone.then_some(CheckWith::Nothing));
        let check = shape::check(&function, &inputs, written, &mut errors);
        shape::margin(options.margin.as_ref(), &inputs, &mut errors);
        shape::work(&work, &inputs, &mut errors);
        (function, inputs, instances, check)
    });
    errors.finish(fitted.map(|(function, inputs, instances, check)| Pair {
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
        digest: match same_work {
            Some(text) => digest::of_text(&text),
            None => digest::of_tokens(&item.tokens, &given),
        },
    }))
}

/// The error about an option that a function without a baseline cannot have.
fn needs_baseline(option: &Ident) -> syn::Error {
    let message = format!(
        "`{option}` is about two functions, and this attribute names one: name the other one with `baseline = \
         function`, or leave `{option}` out; with `--against` the gate of a function without a baseline is \
         `max_slowdown`"
    );
    syn::Error::new(option.span(), message)
}

#[derive(Default)]
struct Written {
    seen: Vec<Key>,
    baseline: Option<ExprPath>,
    harness: Option<Path>,
    same_work: Option<String>,
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
        match key.name {
            "baseline" => self.baseline = Some(argument.function()?),
            "args" => shape.args = Some(argument.any()?),
            "setup" => shape.setup = Some(argument.function()?),
            "setup_once" => shape.setup_once = Some(argument.function()?),
            "types" => shape.types = Some((arg.name.clone(), types(&argument)?)),
            "consts" => shape.consts = Some((arg.name.clone(), consts(&argument)?)),
            "threads" => self.threads = threads(&argument)?,
            "check" => shape.check = check(&argument)?,
            "crate" => self.harness = Some(argument.module()?),
            "same_work" => self.same_work = Some(argument.string()?),
            "name" => options.name = Some(name(&argument)?),
            "bytes" => self.work.bytes = Some(amount(&argument)?),
            "items" => self.work.items = Some(amount(&argument)?),
            "ignore" => options.ignore = argument.nothing().map(|()| Some(String::new()))?,
            "report_only" => {
                argument.nothing()?;
                options.settings.push((arg.name.clone(), LitStr::new("true", arg.name.span())));
            }
            _ => match argument.function() {
                Ok(margin) if key.is_gate() => options.margin = Some((arg.name.clone(), margin)),
                _ => options.settings.push((arg.name.clone(), argument.text()?)),
            },
        }
        Ok(())
    }

    fn refuse_second(&self, key: Key, arg: &Arg) -> syn::Result<()> {
        let first_gate = self.seen.iter().find(|seen| seen.is_gate());
        let message = match first_gate {
            _ if self.has(key.name) => format!("`{}` is given twice", key.name),
            Some(first) if key.is_gate() => {
                format!("`{}` excludes `{}`: a pair has one gate", first.name, key.name)
            }
            _ => return Ok(()),
        };
        Err(syn::Error::new(arg.name.span(), message))
    }

    fn has(&self, option: &str) -> bool {
        self.seen.iter().any(|seen| seen.name == option)
    }
}

fn name(argument: &Argument<'_>) -> syn::Result<String> {
    let name = argument.string()?;
    if name.is_empty() {
        return Err(argument.error("must not be empty"));
    }
    if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(argument.error("must not contain blanks or control characters"));
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

fn consts(argument: &Argument<'_>) -> syn::Result<Vec<Expr>> {
    match argument.any()? {
        Expr::Array(list) if list.elems.is_empty() => Err(argument.error(NOT_EMPTY)),
        Expr::Array(list) => Ok(list.elems.into_iter().collect()),
        _ => Err(argument.mistyped()),
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
