//! Somebody with a browser: keeps a cookie, asks for pages and for what they name.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Instant;

use super::figures::First;
use crate::connection::Connection;
use crate::endpoint::refused;
use crate::failure::Failure;

/// A visit of somebody who is signed in.
pub struct Visit {
    address: SocketAddr,
    connection: Connection,
    cookies: String,
}

/// A page that was asked for: how long it took in microseconds, and its content.
struct Seen {
    latency: u32,
    body: Vec<u8>,
}

impl Visit {
    /// Follows the link, and says how many milliseconds that took.
    pub async fn begin(address: SocketAddr, link: &str) -> Result<(Self, f64), Failure> {
        let sent = Instant::now();
        let connection = Connection::open(address).await?;
        let mut visit = Self { address, connection, cookies: String::new() };
        let request = visit.request(link);
        let answer = visit.connection.exchange(request.as_bytes()).await?;
        let cookies = cookies_in(answer.head);
        if answer.status != 303 || cookies.is_empty() {
            return Err(refused("GET", link, answer.status, answer.body));
        }
        visit.cookies = cookies;
        Ok((visit, sent.elapsed().as_secs_f64() * 1_000.0))
    }

    /// Asks for a page and then for all that it names.
    pub async fn see(&mut self, path: &str) -> Result<First, Failure> {
        let sent = Instant::now();
        let page = self.page(path).await?;
        let mut bytes = page.body.len();
        for file in files_in(&page.body) {
            bytes += self.get(&file).await?.body.len();
        }
        Ok(First { ms: sent.elapsed().as_secs_f64() * 1_000.0, bytes })
    }

    /// Asks for a page, and says how many microseconds that took.
    pub async fn ask(&mut self, path: &str) -> Result<u32, Failure> {
        self.page(path).await.map(|seen| seen.latency)
    }

    /// A whole page of somebody who is signed in, for a wrong one must not pass for a quick one.
    async fn page(&mut self, path: &str) -> Result<Seen, Failure> {
        let seen = self.get(path).await?;
        let text = String::from_utf8_lossy(&seen.body);
        if text.contains("/sign-out") && text.trim_end().ends_with("</html>") {
            return Ok(seen);
        }
        Err(refused("GET", path, 200, &seen.body))
    }

    async fn get(&mut self, path: &str) -> Result<Seen, Failure> {
        let request = self.request(path);
        let sent = Instant::now();
        let answer = self.connection.exchange(request.as_bytes()).await?;
        let latency = u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
        match answer.status {
            200 => Ok(Seen { latency, body: answer.body.to_vec() }),
            status => Err(refused("GET", path, status, answer.body)),
        }
    }

    fn request(&self, path: &str) -> String {
        format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: weir-bench\r\nAccept: text/html\r\n\
             Cookie: {}\r\n\r\n",
            self.address, self.cookies
        )
    }
}

/// What a browser brings along after this answer. Cookies that are taken away are empty.
fn cookies_in(head: &[u8]) -> String {
    let head = String::from_utf8_lossy(head);
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let set = lines.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    let pairs = set.filter_map(|(_, cookie)| cookie.split(';').next());
    pairs.filter(|pair| !pair.ends_with('=')).collect::<Vec<_>>().join("; ")
}

/// The styles, scripts and pictures that a page names.
fn files_in(page: &[u8]) -> BTreeSet<String> {
    let page = String::from_utf8_lossy(page);
    page.split('"').filter(|part| part.starts_with("/assets/")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_kept_as_a_browser_does() {
        let head = b"HTTP/1.1 303 See Other\r\nSet-Cookie: weir_session=a=b; HttpOnly; Path=/\r\n\
            set-cookie: weir_browser=; Max-Age=0\r\nset-cookie: weir_flash=c\r\n\r\n";
        assert_eq!(cookies_in(head), "weir_session=a=b; weir_flash=c");
        assert_eq!(cookies_in(b"HTTP/1.1 200 OK\r\n\r\n"), "");
    }

    #[test]
    fn a_file_that_is_named_twice_is_asked_for_once() {
        let page =
            b"<link href=\"/assets/1/a.css\"><img src=\"/assets/1/m.svg\"><a href=\"/devices\">\
            <link href=\"/assets/1/m.svg\">";
        assert_eq!(
            files_in(page).into_iter().collect::<Vec<_>>(),
            ["/assets/1/a.css", "/assets/1/m.svg"]
        );
    }
}
