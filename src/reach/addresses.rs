//! The addresses of this machine that others can open.

use std::net::{IpAddr, SocketAddr};

/// The addresses under which others reach what listens at `listening`, the likeliest first.
pub fn addresses(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let wanted = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local(),
        // Those of a link need its name as well, which nobody types.
        IpAddr::V6(ip) => listening.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
    };
    // Containers and virtual machines have networks of their own, where no phone is.
    let is_virtual =
        |name: &str| ["docker", "br-", "veth", "virbr", "tun", "tap"].iter().any(|p| name.starts_with(p));
    let mut found: Vec<(bool, bool, IpAddr)> = interfaces
        .iter()
        .map(|interface| (is_virtual(&interface.name), interface.ip().is_ipv6(), interface.ip()))
        .filter(|(_, _, ip)| wanted(ip))
        .collect();
    found.sort();
    found.dedup();
    let mut all: Vec<SocketAddr> =
        found.into_iter().map(|(.., ip)| SocketAddr::new(ip, listening.port())).collect();
    if all.is_empty() {
        // No network: this machine at least.
        all.push(SocketAddr::from(([127, 0, 0, 1], listening.port())));
    }
    all
}

/// The same as links; `name` is one that the network knows this machine by.
pub fn links(listening: SocketAddr, scheme: &str, name: Option<&str>) -> Vec<String> {
    let named = name.filter(|_| listening.ip().is_unspecified());
    let named = named.map(|name| format!("{scheme}://{name}:{}", listening.port()));
    let numbered = addresses(listening).into_iter().map(|address| format!("{scheme}://{address}"));
    numbered.chain(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_has_real_addresses() {
        let all = addresses(SocketAddr::from(([0, 0, 0, 0], 8120)));
        assert!(!all.is_empty());
        assert!(
            all.iter().all(|address| !address.ip().is_unspecified() && address.port() == 8120),
            "{all:?}"
        );
        let one = SocketAddr::from(([127, 0, 0, 1], 80));
        assert_eq!(addresses(one), [one]);
        assert_eq!(links(one, "http", Some("linecall.local")), ["http://127.0.0.1:80"]);
    }
}
