//! How phones, televisions and other computers reach the page: addresses, a name in the network, a code to scan, a
//! certificate.
//!
//! In: where to listen. Out: what to type or scan elsewhere. Nothing here serves anything.

mod addresses;
mod code;
mod listen;
mod name;
mod tls;

pub use addresses::{addresses, links};
pub use code::{code_svg, code_text};
pub use listen::ListenAddress;
pub use name::{NAME, NamedInNetwork};
pub use tls::{Tls, TlsError, TlsFiles};
