//! Turns a written option into a typed value, or into an error on its tokens.

use std::fmt::Display;

use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, LitStr, Path, Token, Type, UnOp, bracketed};

use crate::args::{Arg, Value};
use crate::key::Key;

/// A written option that is being turned into a typed value.
pub(crate) struct Argument<'a> {
    pub(crate) key: Key,
    pub(crate) arg: &'a Arg,
}

impl Argument<'_> {
    pub(crate) fn nothing(&self) -> syn::Result<()> {
        if matches!(self.arg.value, Value::Absent) { Ok(()) } else { Err(self.mistyped()) }
    }

    pub(crate) fn function(&self) -> syn::Result<ExprPath> {
        match self.expr() {
            Some(Expr::Path(path)) if path.attrs.is_empty() => Ok(path.clone()),
            // Rustc suggests a closure if a parameter differs by a borrow.
            Some(Expr::Closure(_)) => {
                Err(self.error(format_args!("takes {}: write a function around the closure", self.key.takes)))
            }
            _ => Err(self.mistyped()),
        }
    }

    pub(crate) fn any(&self) -> syn::Result<Expr> {
        self.expr().cloned().ok_or_else(|| self.mistyped())
    }

    pub(crate) fn types(&self) -> syn::Result<Vec<Type>> {
        let types = list_of_types.parse2(self.arg.value.to_token_stream());
        types.map(|types| types.into_iter().collect()).map_err(|_| self.mistyped())
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.literal() {
            Some((Lit::Bool(literal), false)) => Some(literal.value),
            _ => None,
        }
    }

    pub(crate) fn module(&self) -> syn::Result<Path> {
        let path = self.any()?.into_token_stream();
        Path::parse_mod_style.parse2(path).map_err(|_| self.mistyped())
    }

    pub(crate) fn string(&self) -> syn::Result<String> {
        match self.literal() {
            Some((Lit::Str(text), false)) if text.suffix().is_empty() => Ok(text.value()),
            _ => Err(self.mistyped()),
        }
    }

    /// The text of a setting: a string, or a number written without an exponent.
    pub(crate) fn text(&self) -> syn::Result<LitStr> {
        let (lit, negative) = self.literal().ok_or_else(|| self.mistyped())?;
        let number = match lit {
            Lit::Str(text) if text.suffix().is_empty() && !negative => return Ok(text.clone()),
            Lit::Float(number) => format!("{}{}", number.base10_parse::<f64>()?, number.suffix()),
            Lit::Int(number) => format!("{}{}", number.base10_digits(), number.suffix()),
            _ => return Err(self.mistyped()),
        };
        let sign = if negative { "-" } else { "" };
        Ok(LitStr::new(&format!("{sign}{number}"), lit.span()))
    }

    pub(crate) fn whole_number(&self) -> syn::Result<i128> {
        self.expr().and_then(whole_number).ok_or_else(|| self.mistyped())
    }

    /// Any expression except literals that are not whole numbers.
    pub(crate) fn integer(&self) -> syn::Result<&Expr> {
        match self.literal() {
            Some((Lit::Int(_), _)) | None => self.expr().ok_or_else(|| self.mistyped()),
            Some(_) => Err(self.mistyped()),
        }
    }

    /// One number or a list, each with its expression.
    pub(crate) fn whole_numbers(&self) -> syn::Result<Vec<(i128, &Expr)>> {
        let numbers = match self.expr().ok_or_else(|| self.mistyped())? {
            Expr::Array(list) => list.elems.iter().collect(),
            expr => vec![expr],
        };
        let numbers = numbers.into_iter().map(|expr| Some((whole_number(expr)?, expr)));
        numbers.collect::<Option<_>>().ok_or_else(|| self.mistyped())
    }

    /// An error about the value. The text continues after the name of the option.
    pub(crate) fn error(&self, predicate: impl Display) -> syn::Error {
        let message = format!("`{}` {predicate}", self.key.name);
        match &self.arg.value {
            Value::Absent => syn::Error::new(self.arg.name.span(), message),
            value => syn::Error::new_spanned(value, message),
        }
    }

    pub(crate) fn mistyped(&self) -> syn::Error {
        self.error(format_args!("takes {}", self.key.takes))
    }

    fn expr(&self) -> Option<&Expr> {
        match &self.arg.value {
            Value::Expr(expr) => Some(ungrouped(expr)),
            Value::Absent | Value::Unreadable(_) => None,
        }
    }

    fn literal(&self) -> Option<(&Lit, bool)> {
        self.expr().and_then(literal)
    }
}

/// A literal, and whether it is negated.
fn literal(expr: &Expr) -> Option<(&Lit, bool)> {
    match ungrouped(expr) {
        Expr::Lit(ExprLit { lit, .. }) => Some((lit, false)),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match ungrouped(expr) {
            Expr::Lit(ExprLit { lit, .. }) => Some((lit, true)),
            _ => None,
        },
        _ => None,
    }
}

fn list_of_types(input: ParseStream<'_>) -> syn::Result<Punctuated<Type, Token![,]>> {
    let content;
    bracketed!(content in input);
    Punctuated::parse_terminated(&content)
}

fn whole_number(expr: &Expr) -> Option<i128> {
    match literal(expr)? {
        (Lit::Int(number), negative) if number.suffix().is_empty() => {
            let number = number.base10_parse().unwrap_or(i128::MAX);
            Some(if negative { -number } else { number })
        }
        _ => None,
    }
}

/// A fragment of a `macro_rules!` arrives inside an invisible group.
fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        expr => expr,
    }
}
