//! Where requests come from, as proxies tell it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// The way that a request took through proxies, the client first.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Proxies that are trusted to say for whom they ask. None is the default, and then nobody is believed.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

/// The text is neither an address nor a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no address such as 192.0.2.1 and no network such as 10.0.0.0/8")]
pub struct NotANetwork(String);

impl TrustedProxies {
    /// Reads addresses (`192.0.2.1`) and networks (`10.0.0.0/8`, `fd00::/8`).
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, NotANetwork> {
        let read = |text: &str| {
            let address = IpAddr::from_str(text).map(|address| IpNet::from(address.to_canonical()));
            address.or_else(|_| IpNet::from_str(text)).map_err(|_| NotANetwork(text.to_owned()))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// The address that a request comes from: the peer's, and where that is a trusted proxy the last one
    /// on the way that is not. What stands before an untrusted address may have been made up by it.
    pub fn source(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let told = headers.get_all(FORWARDED_FOR).iter();
        let mut way: Vec<&str> = told
            .flat_map(|value| value.to_str().unwrap_or("?").split(','))
            .map(str::trim)
            .collect();
        let mut source = peer.to_canonical();
        while self.trusts(source) {
            // A proxy that cannot say it is itself where the request comes from.
            let Some(before) = way.pop().and_then(address) else { break };
            source = before;
        }
        source
    }

    /// The same of a request as the transport handed it over. Whoever comes another way is one place.
    pub fn source_of(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        self.source(peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip()), headers)
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address as proxies write it: some add the port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = IpAddr::from_str(bare).ok();
    address
        .or_else(|| Some(SocketAddr::from_str(text).ok()?.ip()))
        .map(|found| found.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn source(proxies: &[&str], peer: &str, told: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in told {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let proxies = TrustedProxies::parse(proxies.iter().copied()).unwrap();
        proxies.source(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn nobody_is_believed_who_is_not_trusted() {
        assert_eq!(source(&[], "192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(source(&["10.0.0.0/8"], "192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
    }

    #[test]
    fn the_last_untrusted_address_on_the_way_counts() {
        let trusted = ["10.0.0.0/8", "192.0.2.9", "fd00::/8"];
        let told = |told: &[&str]| source(&trusted, "10.1.2.3", told);
        assert_eq!(told(&["198.51.100.7"]), "198.51.100.7");
        assert_eq!(told(&["1.1.1.1, 198.51.100.7"]), "198.51.100.7", "what a client makes up");
        assert_eq!(told(&["198.51.100.7, 192.0.2.9,10.9.9.9"]), "198.51.100.7");
        assert_eq!(told(&["1.1.1.1", "198.51.100.7, 10.9.9.9"]), "198.51.100.7", "two headers");
        assert_eq!(told(&["2001:db8::7"]), "2001:db8::7");
        assert_eq!(told(&["198.51.100.7:4711, [fd00::1]:443"]), "198.51.100.7", "with ports");
        assert_eq!(source(&trusted, "::ffff:10.1.2.3", &["[2001:db8::7]"]), "2001:db8::7");
    }

    #[test]
    fn what_cannot_be_read_is_not_passed_over() {
        let told = |told: &[&str]| source(&["10.0.0.0/8"], "10.1.2.3", told);
        for nothing in [&[][..], &[""], &["unknown"], &["1.1.1.1, _hidden"], &["1.1.1.1, "]] {
            assert_eq!(told(nothing), "10.1.2.3", "{nothing:?}");
        }
        assert_eq!(told(&["1.1.1.1, ü, 10.4.4.4"]), "10.1.2.3");
        assert_eq!(told(&["10.5.5.5, 10.4.4.4"]), "10.5.5.5", "a client among the proxies");
    }

    #[test]
    fn networks_are_read_in_both_forms() {
        assert!(TrustedProxies::parse(["192.0.2.1", "::1", "10.0.0.0/8", "fd00::/8"]).is_ok());
        for text in ["", "proxy.example.org", "10.0.0.0/33", "10.0.0.0-10.0.0.9", "*"] {
            assert_eq!(TrustedProxies::parse([text]).unwrap_err(), NotANetwork(text.into()));
        }
    }
}
