//! Where to listen, as people write it.

use std::{
    fmt,
    net::{Ipv4Addr, SocketAddr, ToSocketAddrs},
    str::FromStr,
};

/// An address to listen on: `8080` and `localhost:8080` for this machine only, `:8080` for the whole network, or an
/// address in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListenAddress(pub SocketAddr);

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let port = |text: &str| text.parse::<u16>().ok();
        if let Some(port) = port(text) {
            return Ok(Self(SocketAddr::from((Ipv4Addr::LOCALHOST, port))));
        }
        if let Some(port) = text.strip_prefix(':').and_then(port) {
            return Ok(Self(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))));
        }
        if let Ok(address) = text.parse() {
            return Ok(Self(address));
        }
        let found = text.to_socket_addrs().ok().and_then(|found| {
            let found: Vec<SocketAddr> = found.collect();
            found.iter().find(|address| address.is_ipv4()).or(found.first()).copied()
        });
        found.map(Self).ok_or_else(|| {
            format!(
                "{text:?} is no address to listen on: expected 8080 (this machine only), :8080 (the whole network), \
                 localhost:8080 or 192.168.1.5:8080"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_a_name_and_an_address_are_understood() {
        let read = |text: &str| text.parse::<ListenAddress>().map(|address| address.to_string());
        assert_eq!(read("8080").unwrap(), "127.0.0.1:8080");
        assert_eq!(read(":8080").unwrap(), "0.0.0.0:8080");
        assert_eq!(read("localhost:8080").unwrap(), "127.0.0.1:8080");
        assert_eq!(read("0.0.0.0:80").unwrap(), "0.0.0.0:80");
        assert_eq!(read("[::]:8080").unwrap(), "[::]:8080");
        for wrong in ["", "http", "99999", ":x", "127.0.0.1"] {
            assert!(read(wrong).unwrap_err().contains("8080"), "{wrong}");
        }
    }
}
