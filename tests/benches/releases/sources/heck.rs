fn snake(text: &str) -> String {
    release::ToSnakeCase::to_snake_case(text)
}

fn camel(text: &str) -> String {
    release::ToUpperCamelCase::to_upper_camel_case(text)
}

fn kebab(text: &str) -> String {
    release::ToKebabCase::to_kebab_case(text)
}

fn title(text: &str) -> String {
    release::ToTitleCase::to_title_case(text)
}
