//! Turns options and a function into a pair: interprets each option and checks that it fits the others.

use std::mem;

use proc_macro2::Ident;
use syn::{Expr, ExprGroup, ExprLit, ExprParen, Lit, LitInt, LitStr, Type};

use crate::args::{Arg, Args};
use crate::function;
use crate::item::Item;
use crate::key::Key;
use crate::literal::Argument;
use crate::parsed_pair::{Amount, Check, Options, Pair};
use crate::shape;

/// The pair of these options and this item.
pub(crate) fn validate(args: Args, item: Item) -> syn::Result<Pair> {
    let Args { options: given, mut errors } = args;
    let mut written = Written::default();
    for arg in &given {
        errors.extend(written.take(arg).err());
    }
    let is_alone = !written.has("baseline");
    // The unknown option may be a misspelt `baseline`.
    if is_alone && given.iter().all(|arg| Key::of(&arg.name).is_ok()) {
        let compares = |arg: &&Arg| written.seen.iter().any(|key| arg.name == key.name && key.compares());
        given.iter().filter(compares).for_each(|arg| errors.push(needs_baseline(&arg.name)));
    }
    let function = function::check(item.head, &item.attrs, &mut errors);
    let Written { seen, mut options } = written;
    if is_alone {
        options.check = Check::Off;
    }
    let fitted = function.map(|mut function| {
        shape::inputs(&function, &options, &seen, &mut errors);
        let instances = shape::instances(&function, &mut options, &seen, &mut errors);
        let input = function.parameters.drain(..).nth(usize::from(options.setup_once.is_some()));
        let passing = input.as_ref().map(|input| input.passing);
        options.check = shape::check(&function, passing, mem::take(&mut options.check), &mut errors);
        shape::margin(&options, &mut errors);
        if input.is_none() {
            shape::work(&options, &mut errors);
        }
        (function, input, instances)
    });
    let mut errors = errors.into_iter();
    if let Some(mut all) = errors.next() {
        all.extend(errors);
        return Err(all);
    }
    let (function, input, instances) = fitted.expect("an item that is no function is an error");
    Ok(Pair {
        candidate: function.name,
        attrs: item.attrs.iter().filter_map(function::of_registration).collect(),
        input,
        instances,
        output: function.output,
        options: Options { ignore: item.ignore.or(options.ignore), ..options },
    })
}

/// The error about an option that needs a baseline.
fn needs_baseline(option: &Ident) -> syn::Error {
    let message = format!(
        "`{option}` is about two functions, and this attribute names one: name the other one with `baseline = \
         function`, or leave `{option}` out; with `--against` the limit of a function without a baseline is \
         `max_slowdown`"
    );
    syn::Error::new(option.span(), message)
}

#[derive(Default)]
struct Written {
    seen: Vec<Key>,
    options: Options,
}

impl Written {
    fn take(&mut self, arg: &Arg) -> syn::Result<()> {
        let key = Key::of(&arg.name)?;
        self.refuse_second(key, arg)?;
        self.seen.push(key);
        let argument = Argument { key, arg };
        let options = &mut self.options;
        match key.name {
            "baseline" => options.baseline = Some(argument.function()?),
            "args" => options.args = Some(argument.any()?),
            "setup" => options.setup = Some(argument.function()?),
            "setup_once" => options.setup_once = Some(argument.function()?),
            "types" => options.types = Some((arg.name.clone(), types(&argument)?)),
            "consts" => options.consts = Some((arg.name.clone(), consts(&argument)?)),
            "threads" => options.threads = threads(&argument)?,
            "check" => options.check = check(&argument)?,
            "crate" => options.harness = Some(argument.module()?),
            "name" => options.name = Some(name(&argument)?),
            "bytes" => options.bytes = Some(amount(&argument)?),
            "items" => options.items = Some(amount(&argument)?),
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
                format!("`{}` and `{}` exclude each other: keep one", first.name, key.name)
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
            Err(_) | Ok(0 | 1025..) => return error("`threads` must be between 1 and 1024"),
            Ok(number) if threads.contains(&number) => return error("`threads` has this number twice"),
            Ok(number) => threads.push(number),
        }
    }
    if threads.is_empty() { Err(argument.error(NOT_EMPTY)) } else { Ok(threads) }
}

const NOT_EMPTY: &str = "must not be empty: there would be nothing to measure";

fn check(argument: &Argument<'_>) -> syn::Result<Check> {
    Ok(match argument.bool() {
        Some(true) => Check::Equal,
        Some(false) => Check::Off,
        None => Check::Outputs(argument.function()?),
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
        number => Ok(Amount::Number(of_literals(number).unwrap_or_else(|| number.clone()))),
    }
}

/// A number that is written with literals alone, as a `u64`; a literal would be an `i32`.
fn of_literals(expr: &Expr) -> Option<Expr> {
    let mut expr = expr.clone();
    match &mut expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
            *number = LitInt::new(&format!("{number}u64"), number.span());
        }
        Expr::Binary(binary) => {
            for side in [&mut binary.left, &mut binary.right] {
                **side = of_literals(side)?;
            }
        }
        Expr::Paren(ExprParen { expr: inner, .. }) | Expr::Group(ExprGroup { expr: inner, .. }) => {
            **inner = of_literals(inner)?;
        }
        _ => return None,
    }
    Some(expr)
}
