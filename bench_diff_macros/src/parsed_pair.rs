//! The pair, or the function without a baseline, that an attribute describes, as the expansion gets it.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, ExprClosure, ExprPath, LitStr, Path, Type};

/// An attribute and its function after every check: nothing in here can be wrong any more.
pub(crate) struct Pair {
    pub(crate) candidate: Ident,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) options: Options,
    /// The input, if there is one besides the state.
    pub(crate) input: Option<Parameter>,
    pub(crate) instances: Instances,
    pub(crate) output: Output,
    /// Of the work that it is to do.
    pub(crate) digest: u64,
}

impl Pair {
    /// The way in which the input is passed.
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
    /// The name of the option, and what it lists.
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
    pub(crate) same_work: Option<String>,
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

/// The amount of work of a call.
pub(crate) enum Amount {
    Number(Expr),
    /// A closure, which gets a reference to the input.
    Function(ExprClosure),
    /// Of a number or of a function: only the compiler knows.
    Path(ExprPath),
}

/// The types and consts that the parameters of the functions stand for.
#[derive(Default)]
pub(crate) struct Instances {
    pub(crate) types: Option<(Ident, Vec<Type>)>,
    pub(crate) consts: Option<(Ident, Type, Vec<Expr>)>,
    /// True if the function takes the const in front of the type.
    pub(crate) const_is_first: bool,
}

/// The output of a function, or the future that it returns.
pub(crate) struct Output {
    /// The tokens in its place: `async`, or the type.
    pub(crate) tokens: TokenStream,
    /// True if the signature says that it returns a future. A future with a name of its own is known to the
    /// compiler only.
    pub(crate) is_awaited: bool,
    pub(crate) is_nothing: bool,
    /// True if it borrows from an input that the function changes.
    pub(crate) borrows: bool,
    /// The `impl` of a hidden type.
    pub(crate) hidden: Option<Ident>,
}

/// The way in which the outputs are compared.
#[derive(Default)]
pub(crate) enum Check {
    /// With `==`, where they have it. They have one type.
    #[default]
    Equal,
    Off,
    /// With a function: of the outputs, or of the inputs after the call.
    Outputs(ExprPath),
    Inputs(ExprPath),
}
