//! The check that the options fit the parameters of the function: inputs, instances, comparison and margins.

use quote::ToTokens;
use syn::{ConstParam, GenericParam, Ident};

use crate::function::Function;
use crate::key::Key;
use crate::parsed_pair::{Amount, Check, Instances, Options, Passing};

/// Checks that the options fit the parameters of the function.
pub(crate) fn inputs(function: &Function, options: &Options, seen: &[Key], errors: &mut Vec<syn::Error>) {
    let Options { args, setup, setup_once, .. } = options;
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
}

const STATE_WITHOUT_PARAMETER: &str =
    "`setup_once` makes a state, and the function has no parameter for it: borrow it as the first one";
const STATE_IS_BORROWED: &str = "the first parameter is the state of `setup_once`: borrow it, as in `&State`";
const SETUP_WITHOUT_PARAMETER: &str = "`setup` makes an input, and the function has no parameter for it";
const ARGS_WITHOUT_PARAMETER: &str =
    "`args` needs a parameter, and the function has none; a const parameter takes `consts`";
const PARAMETER_WITHOUT_INPUT: &str = "the function has a parameter without values: \
    give them with `args = [...]`, or make them with `setup = function` or `setup_once = function`";
const SEVERAL_PARAMETERS: &str = "a function takes one input, after the state of `setup_once` if there is one: \
    put several inputs into a tuple";

/// The values of the type and const parameters.
pub(crate) fn instances(
    function: &Function,
    options: &mut Options,
    seen: &[Key],
    errors: &mut Vec<syn::Error>,
) -> Instances {
    let mut instances = Instances::default();
    let is_given = |option| seen.iter().any(|key| key.name == option);
    let (mut types, mut consts) = (options.types.take(), options.consts.take());
    let (mut typed, mut sized) = (0, 0);
    for parameter in &function.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(parameter) => {
                typed += 1;
                match types.take() {
                    Some((_, types)) => {
                        types.iter().for_each(|ty| refuse_own_name(&parameter.ident, ty, errors));
                        instances.types = Some((parameter.ident.clone(), types));
                    }
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
                    Some((_, consts)) => {
                        consts.iter().for_each(|value| refuse_own_name(ident, value, errors));
                        instances.consts = Some((ident.clone(), ty.clone(), consts));
                    }
                    None if sized > 1 => errors.push(syn::Error::new_spanned(parameter, SEVERAL_CONSTS)),
                    None if is_given("consts") => {}
                    None => errors.push(syn::Error::new_spanned(parameter, CONST_GENERIC)),
                }
            }
        }
    }
    for (name, what) in
        [types.map(|types| (types.0, "type")), consts.map(|consts| (consts.0, "const"))].into_iter().flatten()
    {
        let message = format!("`{name}` needs a {what} parameter, and the function has none");
        errors.push(syn::Error::new(name.span(), message));
    }
    instances
}

/// The name of a parameter stands for each of its values, so it hides any item of the same name.
fn refuse_own_name(parameter: &Ident, value: &impl ToTokens, errors: &mut Vec<syn::Error>) {
    if *parameter == value.to_token_stream().to_string() {
        let message = format!("`{parameter}` is the parameter: an item of that name is `self::{parameter}`");
        errors.push(syn::Error::new_spanned(value, message));
    }
}

const GENERIC: &str = "the function has a type parameter: list its types, as in `types = [u8, u64]`";
const CONST_GENERIC: &str = "the function has a const parameter: list its values, as in `consts = [1, 2]`";
const SEVERAL_TYPES: &str =
    "`types` sets one type parameter: measure a function with only one, which calls this one";
const SEVERAL_CONSTS: &str =
    "`consts` sets one const parameter: measure a function with only one, which calls this one";

/// The check as written, or of the inputs if there is a path and no output that it could compare.
pub(crate) fn check(
    function: &Function,
    passing: Option<Passing>,
    written: Check,
    errors: &mut Vec<syn::Error>,
) -> Check {
    let output = &function.output;
    if let (Check::Equal, Some(token)) = (&written, &output.hidden) {
        errors.push(syn::Error::new_spanned(token, HIDDEN_OUTPUT));
    }
    match written {
        Check::Outputs(path) if passing == Some(Passing::Mut) && (output.is_nothing || output.borrows) => {
            Check::Inputs(path)
        }
        written => written,
    }
}

const HIDDEN_OUTPUT: &str = "`impl Trait` hides the type of the outputs, so they cannot be compared: \
    name the type, or write `check = false`";

pub(crate) fn margin(options: &Options, errors: &mut Vec<syn::Error>) {
    if let (Some((gate, path)), None) = (&options.margin, &options.args) {
        let message = format!("`{gate}` as a function needs `args`, one of which it takes");
        errors.push(syn::Error::new_spanned(path, message));
    }
}

/// Checks that closures for the work of a call have an input to look at.
pub(crate) fn work(options: &Options, errors: &mut Vec<syn::Error>) {
    let besides = if options.setup_once.is_some() { " besides the state" } else { "" };
    for (key, amount) in [("bytes", &options.bytes), ("items", &options.items)] {
        if let Some(Amount::Function(closure)) = amount {
            let message =
                format!("`{key}` as a closure needs an input, and the function takes none{besides}");
            errors.push(syn::Error::new_spanned(closure, message));
        }
    }
}
