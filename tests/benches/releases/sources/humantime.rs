fn parse_durations(spans: &[String]) -> usize {
    spans.iter().filter(|span| release::parse_duration(span).is_ok()).count()
}

fn format_durations(numbers: &[u64]) -> String {
    release::format_duration(std::time::Duration::from_millis(numbers[3])).to_string()
}

fn format_times(numbers: &[u64]) -> String {
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(numbers[1] % 1_000_000);
    release::format_rfc3339_seconds(time).to_string()
}

fn parse_times(times: &[String]) -> usize {
    times.iter().filter(|time| release::parse_rfc3339(time).is_ok()).count()
}
