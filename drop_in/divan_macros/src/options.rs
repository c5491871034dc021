//! The options of the attributes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprArray, ItemFn, LitBool, Path, Token, Type, bracketed, parse_quote};

/// The attribute with the options.
#[derive(Clone, Copy)]
pub(crate) enum Of<'a> {
    Bench(&'a ItemFn),
    Group,
}

/// The options of a benchmark or a group, as written.
#[derive(Default)]
pub(crate) struct Options {
    krate: Option<Path>,
    pub(crate) name: Option<Expr>,
    pub(crate) args: Option<Expr>,
    pub(crate) types: Option<Punctuated<Type, Token![,]>>,
    pub(crate) consts: Option<Expr>,
    threads: Option<Expr>,
    sample_size: Option<Expr>,
    pub(crate) ignore: Option<Expr>,
    counters: Option<Vec<TokenStream>>,
    /// Those of [`COUNTS`] and [`SAMPLES`].
    others: Vec<(String, Expr)>,
}

/// The options about samples and time, which have no effect.
const SAMPLES: [&str; 4] = ["sample_count", "min_time", "max_time", "skip_ext_time"];

/// The options whose name is the kind of a counter.
const COUNTS: [(&str, &str); 4] = [
    ("bytes_count", "BytesCount"),
    ("chars_count", "CharsCount"),
    ("cycles_count", "CyclesCount"),
    ("items_count", "ItemsCount"),
];

impl Options {
    pub(crate) fn parse(of: Of<'_>, written: TokenStream) -> syn::Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(of, &meta)).parse2(written)?;
        Ok(options)
    }

    fn read(&mut self, of: Of<'_>, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let Some(option) = meta.path.get_ident() else {
            return Err(meta.error("expected the name of an option"));
        };
        let option = option.unraw().to_string();
        let is_new = match (&*option, of) {
            ("crate", _) => self.krate.replace(meta.value()?.parse()?).is_none(),
            ("name", _) => self.name.replace(value(meta)?).is_none(),
            ("threads", _) => self.threads.replace(value(meta)?).is_none(),
            ("sample_size", _) => self.sample_size.replace(value(meta)?).is_none(),
            ("ignore", _) => self.ignore.replace(value(meta)?).is_none(),
            ("counter", _) => self.counters.replace(vec![value(meta)?.into_token_stream()]).is_none(),
            ("counters", _) => {
                let list: ExprArray = meta.value()?.parse()?;
                let counters = list.elems.into_iter().map(ToTokens::into_token_stream);
                self.counters.replace(counters.collect()).is_none()
            }
            ("args", Of::Bench(function)) => {
                if !matches!(function.sig.inputs.len(), 1 | 2) {
                    return Err(meta.error("`args` needs a function with a parameter for them"));
                }
                self.args.replace(value(meta)?).is_none()
            }
            ("types", Of::Bench(function)) => {
                if function.sig.generics.type_params().next().is_none() {
                    return Err(meta.error("`types` needs a function with a type parameter"));
                }
                let input = meta.value()?;
                let list;
                bracketed!(list in input);
                self.types.replace(Punctuated::parse_terminated(&list)?).is_none()
            }
            ("consts", Of::Bench(function)) => {
                if function.sig.generics.const_params().next().is_none() {
                    return Err(meta.error("`consts` needs a function with a const parameter"));
                }
                self.consts.replace(value(meta)?).is_none()
            }
            (name, _) if SAMPLES.contains(&name) || COUNTS.iter().any(|(count, _)| *count == name) => {
                let is_new = self.others.iter().all(|(other, _)| other != name);
                self.others.push((name.to_owned(), value(meta)?));
                is_new
            }
            _ => return Err(meta.error(format!("`{option}` is not an option of this attribute"))),
        };
        if is_new { Ok(()) } else { Err(meta.error(format!("`{option}` is given twice"))) }
    }

    /// The path of this crate.
    pub(crate) fn krate(&self) -> Path {
        self.krate.clone().unwrap_or_else(|| parse_quote!(::divan))
    }

    /// Returns whether nothing is to be measured because `args`, `types` or `consts` is `[]`.
    pub(crate) fn has_empty_list(&self) -> bool {
        let is_empty = |list: &Option<Expr>| matches!(list, Some(Expr::Array(list)) if list.elems.is_empty());
        is_empty(&self.args)
            || is_empty(&self.consts)
            || self.types.as_ref().is_some_and(Punctuated::is_empty)
    }

    /// The function that returns whether the benchmark is ignored, if the attribute says so.
    pub(crate) fn is_ignored(&self, has_attribute: bool) -> TokenStream {
        let ignored = match &self.ignore {
            None if has_attribute => Some(quote!(true)),
            ignored => ignored.as_ref().map(ToTokens::to_token_stream),
        };
        let ignored = optional(ignored.as_ref());
        quote!(|| #ignored)
    }

    /// The settings that affect measuring.
    pub(crate) fn settings(&self, private: &TokenStream) -> TokenStream {
        let krate = self.krate();
        let (threads, sample_size) = (self.threads.iter(), self.sample_size.iter());
        let counters = self.counters.iter().flatten();
        let counts = self.others.iter().filter_map(|(name, number)| {
            let (_, counter) = COUNTS.iter().find(|(count, _)| count == name)?;
            let counter = Ident::new(counter, Span::call_site());
            Some(quote!(<#krate::counter::#counter as ::std::convert::From<_>>::from(#number)))
        });
        let samples =
            self.others.iter().filter(|(name, _)| SAMPLES.contains(&name.as_str())).map(|(_, value)| value);
        quote! {{
            // Items in an option without effect still count as used.
            #(let _ = || #samples;)*
            #private::Settings::new()
                #(.threads(#private::IntoThreads::into_threads(#threads)))*
                #(.sample_size(#sample_size))*
                #(.counter(#counters))*
                #(.counter(#counts))*
        }}
    }
}

/// The value of an option; `true` if there is none.
fn value(meta: &ParseNestedMeta<'_>) -> syn::Result<Expr> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse();
    }
    let span = meta.path.get_ident().map_or_else(Span::call_site, Ident::span);
    let yes = LitBool::new(true, span);
    Ok(parse_quote!(#yes))
}

/// A variable that cannot collide with the user's names.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

pub(crate) fn optional(value: Option<&impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::std::option::Option::Some(#value)),
        None => quote!(::std::option::Option::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(function: &str, options: &str) -> Option<String> {
        let function = syn::parse_str(function).unwrap();
        let (of, options) = match options.strip_prefix("group: ") {
            Some(options) => (Of::Group, options),
            None => (Of::Bench(&function), options),
        };
        Options::parse(of, options.parse().unwrap()).err().map(|error| error.to_string())
    }

    #[test]
    fn an_option_that_does_not_fit_is_an_error() {
        for (function, options, expected) in [
            ("fn f() {}", "sample_time = 3", "`sample_time` is not an option of this attribute"),
            ("fn f() {}", "max_time = 3, max_time = 4", "`max_time` is given twice"),
            ("fn f() {}", "counter = a, counters = [b]", "`counters` is given twice"),
            ("fn f() {}", "bytes_count = 1, r#bytes_count = 2", "`bytes_count` is given twice"),
            ("fn f() {}", "args = [1]", "`args` needs a function with a parameter for them"),
            ("fn f<const N: u8>() {}", "types = [u8]", "`types` needs a function with a type parameter"),
            ("fn f<T>() {}", "consts = [1]", "`consts` needs a function with a const parameter"),
            ("fn f() {}", "group: args = [1]", "`args` is not an option of this attribute"),
        ] {
            assert_eq!(error(function, options).as_deref(), Some(expected), "{function} {options}");
        }
    }

    #[test]
    fn all_options_of_divan_are_accepted() {
        for (function, options) in [
            ("fn f() {}", ""),
            (
                "fn f() {}",
                "crate = ::sofa, r#name = \"x\", sample_count = 1, sample_size = N, min_time = 0.1",
            ),
            (
                "fn f() {}",
                "max_time = 1, skip_ext_time, ignore, threads, cycles_count = 1u8, chars_count = n()",
            ),
            ("fn f<const N: u8, T>(b: Bencher, n: &u8) {}", "args = all(), types = [u8, &str], consts = A"),
            ("fn f() {}", "group: name = \"x\", ignore = false, threads = 0..=8, counters = [a(), B],"),
        ] {
            assert_eq!(error(function, options), None, "{function} {options}");
        }
    }
}
