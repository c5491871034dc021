//! The options as written: keys with their values, which are not interpreted yet.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{BinOp, Expr, ExprBinary, Token};

pub(crate) struct Args {
    pub(crate) options: Vec<Arg>,
    pub(crate) errors: Vec<syn::Error>,
}

pub(crate) struct Arg {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    Absent,
    Expr(Expr),
    Unreadable(TokenStream),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Absent => {}
            Self::Expr(expr) => expr.to_tokens(tokens),
            Self::Unreadable(written) => written.to_tokens(tokens),
        }
    }
}

impl Args {
    pub(crate) fn parse(tokens: TokenStream) -> Self {
        let mut args = Self { options: Vec::new(), errors: Vec::new() };
        let parsed = Parser::parse2(|input: ParseStream<'_>| args.read(input), tokens);
        args.errors.extend(parsed.err());
        args
    }

    fn read(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            if input.peek(Ident::peek_any) {
                self.options.push(read_option(input)?);
            } else {
                self.errors.push(input.error("expected the name of an option"));
                read_to_separator(input)?;
            }
            if input.parse::<Option<Token![,]>>()?.is_none() && !input.is_empty() {
                self.errors.push(input.error("expected `,` before this option"));
            }
        }
        Ok(())
    }
}

fn read_option(input: ParseStream<'_>) -> syn::Result<Arg> {
    let name = input.call(Ident::parse_any)?;
    let value = if at_separator(input) {
        Value::Absent
    } else if input.peek(Token![=]) {
        let equals: Token![=] = input.parse()?;
        read_value(input, equals)?
    } else {
        Value::Unreadable(read_to_separator(input)?)
    };
    Ok(Arg { name, value })
}

fn read_value(input: ParseStream<'_>, equals: Token![=]) -> syn::Result<Value> {
    if at_separator(input) {
        return Ok(Value::Unreadable(quote!(#equals)));
    }
    let ahead = input.fork();
    match ahead.parse::<Expr>() {
        // `f<A, B>` without its `::` would be two comparisons.
        Ok(Expr::Binary(ExprBinary { op: BinOp::Lt(_) | BinOp::Gt(_), .. })) => {
            read_to_separator(input).map(Value::Unreadable)
        }
        Ok(_) if at_separator(&ahead) || at_option(&ahead) => input.parse().map(Value::Expr),
        _ => read_to_separator(input).map(Value::Unreadable),
    }
}

fn at_separator(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// Takes everything up to the comma before the next option, so that the comma in `f::<A, B>` is part of the
/// value.
fn read_to_separator(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !at_next_option(input) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

fn at_next_option(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Token![,]>().is_ok() && (ahead.is_empty() || at_option(&ahead))
}

fn at_option(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Ident::parse_any).is_ok() && (ahead.peek(Token![=]) || at_separator(&ahead))
}
