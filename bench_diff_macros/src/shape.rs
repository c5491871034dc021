//! The check that the options fit the parameters of the function: inputs, instances, comparison and margins.

use quote::ToTokens;
use syn::{ConstParam, Expr, ExprPath, GenericParam, Generics, Ident, Type};

use crate::errors::Errors;
use crate::function::{self, Function};
use crate::key::Key;
use crate::parsed_pair::{Amount, Check, Inputs, Instances, Passing, Work};

/// The options that have to fit the parameters of the function, as written.
#[derive(Default)]
pub(crate) struct WrittenInputs {
    pub(crate) args: Option<Expr>,
    pub(crate) setup: Option<ExprPath>,
    pub(crate) setup_once: Option<ExprPath>,
    pub(crate) types: Option<(Ident, Vec<Type>)>,
    pub(crate) consts: Option<(Ident, Vec<Expr>)>,
    pub(crate) check: Option<CheckWith>,
}

pub(crate) enum CheckWith {
    Nothing,
    Function(ExprPath),
}

/// The inputs of the functions, if the options fit their parameters.
pub(crate) fn inputs(
    function: &Function,
    written: &WrittenInputs,
    seen: &[Key],
    errors: &mut Errors,
) -> Inputs {
    let WrittenInputs { args, setup, setup_once, .. } = written;
    let (state, inputs) = match (setup_once, &function.parameters[..]) {
        (None, inputs) => (None, inputs),
        (Some(_), []) => (None, &[][..]),
        (Some(_), [state, inputs @ ..]) => (Some(state), inputs),
    };
    let mut refuse = |tokens: &dyn ToTokens, message: &str| {
        errors.push(syn::Error::new_spanned(tokens.to_token_stream(), message));
    };
    match (state, setup_once) {
        (None, Some(setup_once)) => refuse(setup_once, STATE_WITHOUT_PARAMETER),
        (Some(state), _) if state.passing != Passing::Ref => refuse(&state.ty, STATE_IS_BORROWED),
        _ => {}
    }
    match (inputs, setup, args) {
        ([], Some(setup), _) => refuse(setup, SETUP_WITHOUT_PARAMETER),
        ([], None, Some(args)) if setup_once.is_none() => refuse(args, ARGS_WITHOUT_PARAMETER),
        ([input], ..) if !seen.iter().any(|key| ["args", "setup"].contains(&key.name)) => {
            refuse(&input.ty, PARAMETER_WITHOUT_INPUT);
        }
        ([_, second, ..], _, _) => refuse(&second.ty, SEVERAL_PARAMETERS),
        _ => {}
    }
    Inputs {
        args: args.clone(),
        setup: setup.clone(),
        setup_once: setup_once.clone(),
        input: inputs.first().map(|input| input.passing),
        dyn_input: inputs.first().and_then(|input| function::changed_dyn(&input.ty)),
    }
}

const STATE_WITHOUT_PARAMETER: &str =
    "`setup_once` makes a state, and the function has no parameter for it: borrow it as the first one";
const STATE_IS_BORROWED: &str = "the first parameter is the state of `setup_once`: borrow it, as in `&State`";
const SETUP_WITHOUT_PARAMETER: &str = "`setup` makes an input, and the function has no parameter for it";
const ARGS_WITHOUT_PARAMETER: &str =
    "`args` needs a parameter, and the function has none; a const parameter takes `consts`";
const PARAMETER_WITHOUT_INPUT: &str = "the function has a parameter without values: \
    give them with `args = [...]`, or make them with `setup = function`";
const SEVERAL_PARAMETERS: &str = "a function takes one input, after the state of `setup_once` if there is one: \
    put several inputs into a tuple";

/// The values of the type and const parameters.
pub(crate) fn instances(
    generics: &Generics,
    written: &mut WrittenInputs,
    seen: &[Key],
    errors: &mut Errors,
) -> Instances {
    let mut instances = Instances::default();
    let is_given = |option| seen.iter().any(|key| key.name == option);
    let (mut types, mut consts) = (written.types.take(), written.consts.take());
    let (mut typed, mut sized) = (0, 0);
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(parameter) => {
                typed += 1;
                match types.take() {
                    Some((_, types)) => instances.types = Some((parameter.ident.clone(), types)),
                    None if typed > 1 => errors.push(syn::Error::new_spanned(parameter, SEVERAL_TYPES)),
                    None if is_given("types") => {}
                    None => errors.push(syn::Error::new_spanned(parameter, GENERIC)),
                }
            }
            GenericParam::Const(parameter) => {
                sized += 1;
                instances.const_is_first = typed == 0;
                let ConstParam { ident, ty, .. } = parameter;
                match consts.take() {
                    Some((_, consts)) => instances.consts = Some((ident.clone(), ty.clone(), consts)),
                    None if sized > 1 => errors.push(syn::Error::new_spanned(parameter, SEVERAL_CONSTS)),
                    None if is_given("consts") => {}
                    None => errors.push(syn::Error::new_spanned(parameter, CONST_GENERIC)),
                }
            }
        }
    }
    for (name, what) in
        [types.map(|it| (it.0, "type")), consts.map(|it| (it.0, "const"))].into_iter().flatten()
    {
        let message = format!("`{name}` needs a {what} parameter, and the function has none");
        errors.push(syn::Error::new(name.span(), message));
    }
    instances
}

const GENERIC: &str = "the function has a type parameter: list its types, as in `types = [u8, u64]`";
const CONST_GENERIC: &str = "the function has a const parameter: list its values, as in `consts = [1, 2]`";
const SEVERAL_TYPES: &str =
    "`types` sets one type parameter: measure a function with only one, which calls this one";
const SEVERAL_CONSTS: &str =
    "`consts` sets one const parameter: measure a function with only one, which calls this one";

pub(crate) fn check(
    function: &Function,
    inputs: &Inputs,
    written: Option<CheckWith>,
    errors: &mut Errors,
) -> Check {
    let output = &function.output;
    match (written, &output.hidden) {
        (None, Some(token)) => {
            errors.push(syn::Error::new_spanned(token, HIDDEN_OUTPUT));
            Check::Equal
        }
        (None, None) => Check::Equal,
        (Some(CheckWith::Nothing), _) => Check::Off,
        (Some(CheckWith::Function(path)), _) => {
            let changes = inputs.input == Some(Passing::Mut);
            if changes && (output.is_nothing || output.borrows) {
                Check::Inputs(path)
            } else {
                Check::Outputs(path)
            }
        }
    }
}

const HIDDEN_OUTPUT: &str = "`impl Trait` hides the type of the outputs, so they cannot be compared: \
    name the type, or write `check = false`";

pub(crate) fn margin(margin: Option<&(Ident, ExprPath)>, inputs: &Inputs, errors: &mut Errors) {
    if let (Some((gate, path)), None) = (margin, &inputs.args) {
        let message = format!("`{gate}` as a function needs `args`, one of which it takes");
        errors.push(syn::Error::new_spanned(path, message));
    }
}

pub(crate) fn work(work: &Work, inputs: &Inputs, errors: &mut Errors) {
    if inputs.input.is_some() {
        return;
    }
    let besides = if inputs.setup_once.is_some() { " besides the state" } else { "" };
    for (key, amount) in [("bytes", &work.bytes), ("items", &work.items)] {
        if let Some(Amount::Function(closure)) = amount {
            let message =
                format!("`{key}` as a closure needs an input, and the function takes none{besides}");
            errors.push(syn::Error::new_spanned(closure, message));
        }
    }
}
