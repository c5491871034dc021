//! The pair, or the function without a baseline, that an attribute describes. The expansion works with it.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, ExprClosure, ExprPath, LitStr, Path, Type};

/// An attribute and its function after all checks, so nothing in here is invalid.
pub(crate) struct Pair {
    pub(crate) candidate: Ident,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) options: Options,
    /// The input, if there is one in addition to the state.
    pub(crate) input: Option<Parameter>,
    pub(crate) instances: Instances,
    pub(crate) output: Output,
}

impl Pair {
    /// How the input is passed.
    pub(crate) fn passing(&self) -> Option<Passing> {
        self.input.as_ref().map(|input| input.passing)
    }
}

/// The options of an attribute.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) baseline: Option<ExprPath>,
    pub(crate) harness: Option<Path>,
    pub(crate) name: Option<String>,
    pub(crate) args: Option<Expr>,
    pub(crate) setup: Option<ExprPath>,
    pub(crate) setup_once: Option<ExprPath>,
    /// The name of the option, and the list.
    pub(crate) types: Option<(Ident, Vec<Type>)>,
    pub(crate) consts: Option<(Ident, Vec<Expr>)>,
    /// The numbers of threads that call the functions at the same time; one pair for each.
    pub(crate) threads: Vec<usize>,
    /// The work of one call.
    pub(crate) bytes: Option<Amount>,
    pub(crate) items: Option<Amount>,
    pub(crate) check: Check,
    /// The gate whose margin is a function of the arg.
    pub(crate) margin: Option<(Ident, ExprPath)>,
    /// The settings of measuring and judging: names and texts, which the harness reads.
    pub(crate) settings: Vec<(Ident, LitStr)>,
    pub(crate) ignore: Option<String>,
}

pub(crate) struct Parameter {
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Value,
    Ref,
    Mut,
}

/// The amount of work in a call.
pub(crate) enum Amount {
    Number(Expr),
    /// A closure, which gets a reference to the input.
    Function(ExprClosure),
    /// A number or a function; only the compiler knows which.
    Path(ExprPath),
}

/// The types and consts for the parameters of the functions.
#[derive(Default)]
pub(crate) struct Instances {
    pub(crate) types: Option<(Ident, Vec<Type>)>,
    pub(crate) consts: Option<(Ident, Type, Vec<Expr>)>,
    /// True if the function takes the const in front of the type.
    pub(crate) const_is_first: bool,
}

/// The output of a function, or the future that it returns.
pub(crate) struct Output {
    /// The tokens of the output: `async`, or the type.
    pub(crate) tokens: TokenStream,
    /// True if the signature shows that it returns a future. If the future is a named type, only the compiler
    /// knows.
    pub(crate) is_awaited: bool,
    /// True for `()` and for a `Result` of it.
    pub(crate) is_nothing: bool,
    /// True if it borrows from an input that the function changes.
    pub(crate) borrows: bool,
    /// The `impl` of a hidden type.
    pub(crate) hidden: Option<Ident>,
}

/// How the outputs are compared.
#[derive(Default)]
pub(crate) enum Check {
    /// With `==`, if they have it. Both have the same type.
    #[default]
    Equal,
    Off,
    /// With a function that gets the outputs, or the inputs after the call.
    Outputs(ExprPath),
    Inputs(ExprPath),
}
