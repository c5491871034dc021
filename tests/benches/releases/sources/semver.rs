fn parse(versions: &[String]) -> usize {
    versions.iter().filter(|version| release::Version::parse(version).is_ok()).count()
}

fn parse_requirement(versions: &[String]) -> usize {
    versions.iter().filter(|version| release::VersionReq::parse(version).is_ok()).count()
}

fn matches(versions: &[String]) -> usize {
    let required = release::VersionReq::parse(">=1.2.3, <1.8.0").unwrap();
    versions.iter().filter_map(|version| release::Version::parse(version).ok()).filter(|it| required.matches(it)).count()
}

fn largest(versions: &[String]) -> u64 {
    versions.iter().filter_map(|version| release::Version::parse(version).ok()).max().unwrap().minor
}

fn format(numbers: &[u64]) -> String {
    release::Version::new(numbers[1], numbers[2], numbers[3]).to_string()
}
