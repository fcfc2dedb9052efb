//! A name in the local network, by multicast DNS: `linecall.local` leads here.

use std::net::{IpAddr, SocketAddr};

use mdns_sd::{ServiceDaemon, ServiceInfo};

use super::addresses;

/// The name that this machine answers to.
pub const NAME: &str = "linecall.local";

/// Answers to the name until it is dropped.
pub struct NamedInNetwork(ServiceDaemon);

impl NamedInNetwork {
    /// Tells the network where the page is. What hinders it is in the answer: the addresses work all the same.
    pub fn announce(listening: SocketAddr, is_tls: bool) -> Result<NamedInNetwork, String> {
        let words = |error: mdns_sd::Error| format!("the name {NAME} cannot be announced: {error}");
        let daemon = ServiceDaemon::new().map_err(words)?;
        let own: Vec<IpAddr> = addresses(listening).iter().map(SocketAddr::ip).collect();
        let kind = if is_tls { "_https._tcp.local." } else { "_http._tcp.local." };
        let properties = [("path", "/")];
        let service = ServiceInfo::new(
            kind,
            "linecall",
            &format!("{NAME}."),
            &own[..],
            listening.port(),
            &properties[..],
        )
        .map_err(words)?;
        daemon.register(service).map_err(words)?;
        Ok(NamedInNetwork(daemon))
    }
}

impl Drop for NamedInNetwork {
    fn drop(&mut self) {
        // The name is forgotten by itself where this does not reach anybody.
        let _ = self.0.shutdown();
    }
}
