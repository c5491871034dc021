fn request(head: &str) -> usize {
    let mut headers = [release::EMPTY_HEADER; 16];
    let mut request = release::Request::new(&mut headers);
    request.parse(head.as_bytes()).unwrap();
    request.headers.len()
}

fn response(answer: &str) -> usize {
    let mut headers = [release::EMPTY_HEADER; 16];
    let mut response = release::Response::new(&mut headers);
    response.parse(answer.as_bytes()).unwrap();
    response.headers.len()
}

fn headers(answer: &str) -> usize {
    let mut headers = [release::EMPTY_HEADER; 16];
    let (_, rest) = answer.split_once("\r\n").unwrap();
    release::parse_headers(rest.as_bytes(), &mut headers).map_or(0, |parsed| parsed.is_complete().into())
}

fn chunk_size(chunk: &str) -> u64 {
    release::parse_chunk_size(chunk.as_bytes()).map_or(0, |parsed| parsed.unwrap().1)
}
