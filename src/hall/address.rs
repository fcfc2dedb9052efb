//! A broker's address with the hall's name in it: `mqtts://user:password@broker:8883/club`.

use std::{fmt, path::PathBuf, sync::Arc};

use rumqttc::{MqttOptions, TlsConfiguration, Transport};

/// Why an address or a name cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error(
        "{0:?} is no hall: expected mqtt://BROKER/HALL or mqtts://BROKER/HALL, for example mqtts://broker.local/club"
    )]
    Form(String),
    #[error(
        "{found:?} cannot name a {what}: expected 1 to 64 letters a to z, digits, - and _, for example {example:?}"
    )]
    Name { what: &'static str, found: String, example: &'static str },
    #[error("{port:?} is no port of {address}")]
    Port { address: String, port: String },
    #[error("cannot read the certificate {}: {why}", path.display())]
    Certificate { path: PathBuf, why: String },
}

/// A broker and the hall on it.
#[derive(Clone, PartialEq, Eq)]
pub struct HallAddress {
    /// Host and port; several of a cluster, tried one after the other.
    pub brokers: Vec<(String, u16)>,
    pub is_tls: bool,
    pub hall: String,
    credentials: Option<(String, String)>,
    /// The certificate of the authority that the broker's is checked against; the system's own where none is given.
    ca: Option<Arc<Vec<u8>>>,
}

// An address may have a password in it.
impl fmt::Debug for HallAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for HallAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_tls { "mqtts" } else { "mqtt" };
        let broker = |(host, port): &(String, u16)| match host.contains(':') {
            true => format!("[{host}]:{port}"),
            false => format!("{host}:{port}"),
        };
        let brokers: Vec<String> = self.brokers.iter().map(broker).collect();
        write!(f, "{scheme}://{}/{}", brokers.join(","), self.hall)
    }
}

impl std::str::FromStr for HallAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<HallAddress, AddressError> {
        let wrong = || AddressError::Form(without_password(text));
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let is_tls = match scheme {
            "mqtt" => false,
            "mqtts" => true,
            _ => return Err(wrong()),
        };
        let (authority, hall) = rest.split_once('/').ok_or_else(wrong)?;
        let hall = checked(hall.trim_end_matches('/'), "hall", "club")?;
        let (credentials, places) = match authority.rsplit_once('@') {
            Some((who, place)) => {
                let (user, password) = who.split_once(':').unwrap_or((who, ""));
                (Some((unescaped(user).ok_or_else(wrong)?, unescaped(password).ok_or_else(wrong)?)), place)
            }
            None => (None, authority),
        };
        let broker = |place: &str| {
            let (host, port) = host_and_port(place).ok_or_else(wrong)?;
            let port = match port {
                Some(port) => {
                    let no_port =
                        || AddressError::Port { address: without_password(text), port: port.to_owned() };
                    port.parse().ok().filter(|port| *port > 0).ok_or_else(no_port)?
                }
                None if is_tls => 8883,
                None => 1883,
            };
            Ok((host.to_owned(), port))
        };
        let brokers = places.split(',').map(broker).collect::<Result<Vec<_>, AddressError>>()?;
        Ok(HallAddress { brokers, is_tls, hall, credentials, ca: None })
    }
}

impl HallAddress {
    /// The broker's certificate is checked against this authority's, in PEM.
    pub fn with_ca(mut self, path: &std::path::Path) -> Result<HallAddress, AddressError> {
        let failed = |why: String| AddressError::Certificate { path: path.to_owned(), why };
        let pem = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
        if !pem.windows(11).any(|part| part == b"-----BEGIN ") {
            return Err(failed("expected a certificate in PEM".to_owned()));
        }
        self.ca = Some(Arc::new(pem));
        Ok(self)
    }

    /// How the broker is reached, as the client of that name; another one of several with each attempt.
    pub(super) fn options(&self, client_id: &str, attempt: usize) -> Result<MqttOptions, String> {
        let (host, port) =
            self.brokers.get(attempt % self.brokers.len().max(1)).ok_or("no broker is named")?;
        let mut options = MqttOptions::new(client_id, (host.as_str(), *port));
        if self.is_tls {
            let tls = match &self.ca {
                Some(ca) => TlsConfiguration::Simple { ca: ca.to_vec(), alpn: None, client_auth: None },
                None => TlsConfiguration::try_default_rustls()
                    .map_err(|error| format!("this system's certificates cannot be used: {error}"))?,
            };
            options.set_transport(Transport::Tls(tls));
        }
        if let Some((user, password)) = &self.credentials {
            options.set_credentials(user.clone(), password.clone());
        }
        Ok(options)
    }
}

/// A name that can stand in a topic: of a table, a hall or a pairing.
pub fn name_of(text: &str) -> Result<String, AddressError> {
    checked(text, "table", "table-3")
}

fn checked(text: &str, what: &'static str, example: &'static str) -> Result<String, AddressError> {
    if is_name(text) {
        return Ok(text.to_owned());
    }
    Err(AddressError::Name { what, found: text.to_owned(), example })
}

/// Topics of every broker can hold it: dots and blanks are none of NATS's.
pub(super) fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    (1..=64).contains(&text.len()) && text.chars().all(allowed)
}

fn host_and_port(place: &str) -> Option<(&str, Option<&str>)> {
    let (host, port) = match place.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']')?;
            (host, after.strip_prefix(':'))
        }
        None => match place.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (place, None),
        },
    };
    (!host.is_empty()).then_some((host, port))
}

/// Percent signs as in every address.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

fn without_password(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_address_names_broker_and_hall() {
        let address: HallAddress = "mqtts://ann:s%40cret@broker.local/club".parse().unwrap();
        assert_eq!((&address.brokers, address.is_tls), (&vec![("broker.local".to_owned(), 8883)], true));
        assert_eq!(address.credentials, Some(("ann".to_owned(), "s@cret".to_owned())));
        assert_eq!(format!("{address:?}"), "mqtts://broker.local:8883/club");
        let address: HallAddress = "mqtt://[::1]:1884/club".parse().unwrap();
        assert_eq!(address.to_string(), "mqtt://[::1]:1884/club");
        let cluster: HallAddress = "mqtt://a,b:1884/club".parse().unwrap();
        assert_eq!(cluster.to_string(), "mqtt://a:1883,b:1884/club");
    }

    #[test]
    fn what_is_no_address_is_said_without_its_password() {
        for wrong in [
            "",
            "club",
            "http://a/club",
            "mqtt://a",
            "mqtt:///club",
            "mqtt://a/Club",
            "mqtt://a/b/c",
            "mqtt://a:0/b",
        ] {
            assert!(wrong.parse::<HallAddress>().is_err(), "{wrong}");
        }
        let said = "mqtt://ann:s3cret@broker:x/club".parse::<HallAddress>().unwrap_err().to_string();
        assert!(said.contains("broker") && !said.contains("s3cret"), "{said}");
    }
}
