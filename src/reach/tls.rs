//! HTTPS: with files that are given, or with a certificate of our own making.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{CertificateParams, DnType, KeyPair, date_time_ymd};
use tokio_rustls::rustls::{
    self, ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use super::NAME;
use crate::home::{DataFolder, DataFolderError};

/// A certificate and its key, as PEM files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// What a server needs to speak HTTPS.
#[derive(Clone)]
pub struct Tls(pub Arc<ServerConfig>);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("cannot use the certificate {}: {reason}; expected PEM, the server's own certificate first", path.display())]
    Certificate { path: PathBuf, reason: String },
    #[error("cannot use the key {}: {reason}; expected an unencrypted PEM key", path.display())]
    Key { path: PathBuf, reason: String },
    #[error("the certificate and the key do not belong together: {0}")]
    Pair(rustls::Error),
    #[error("no certificate could be made: {0}")]
    Make(#[from] rcgen::Error),
    #[error(transparent)]
    Keep(#[from] DataFolderError),
}

impl Tls {
    pub fn of_files(files: &TlsFiles) -> Result<Tls, TlsError> {
        let certificate = |reason: String| TlsError::Certificate { path: files.certificate.clone(), reason };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(&files.certificate)
            .map_err(|error| certificate(error.to_string()))?
            .collect::<Result<_, _>>()
            .map_err(|error| certificate(error.to_string()))?;
        if chain.is_empty() {
            return Err(certificate("it holds no certificate".to_owned()));
        }
        let key = PrivateKeyDer::from_pem_file(&files.key)
            .map_err(|error| TlsError::Key { path: files.key.clone(), reason: error.to_string() })?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Pair)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(TlsError::Pair)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Tls(Arc::new(config)))
    }

    /// A certificate of our own making, kept in the data folder, and made anew before it runs out or when the
    /// addresses of this machine are others. Browsers ask once whether to trust it.
    pub fn own(data: &DataFolder, addresses: &[IpAddr]) -> Result<Tls, TlsError> {
        let folder = data.tls_folder();
        let files = TlsFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") };
        let names = names(addresses);
        let of = folder.join("names.txt");
        let now = jiff::Zoned::now().date();
        let wanted = format!("{}\n{}", now.year(), names.join("\n"));
        if std::fs::read_to_string(&of).is_ok_and(|made| made == wanted)
            && let Ok(tls) = Tls::of_files(&files)
        {
            return Ok(tls);
        }
        make(data, &files, names, i32::from(now.year()))?;
        data.write(&of, wanted.as_bytes(), false)?;
        Tls::of_files(&files)
    }
}

fn names(addresses: &[IpAddr]) -> Vec<String> {
    let fixed = [NAME.to_owned(), "localhost".to_owned(), "127.0.0.1".to_owned()];
    let mut names: Vec<String> = fixed.into_iter().chain(addresses.iter().map(IpAddr::to_string)).collect();
    names.sort();
    names.dedup();
    names
}

fn make(data: &DataFolder, files: &TlsFiles, names: Vec<String>, year: i32) -> Result<(), TlsError> {
    let key = KeyPair::generate()?;
    let mut parameters = CertificateParams::new(names)?;
    parameters.distinguished_name.push(DnType::CommonName, "linecall on this computer");
    // Made anew every year; Apple's browsers take none that is good for longer.
    parameters.not_before = date_time_ymd(year - 1, 12, 1);
    parameters.not_after = date_time_ymd(year + 1, 3, 1);
    let certificate = parameters.self_signed(&key)?;
    let write = |path: &Path, text: &str, private| data.write(path, text.as_bytes(), private);
    write(&files.key, &key.serialize_pem(), true)?;
    write(&files.certificate, &certificate.pem(), false)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_made_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::open(Some(folder.path())).unwrap();
        let here = [IpAddr::from([192, 168, 1, 20])];
        Tls::own(&data, &here).unwrap();
        let made = std::fs::read(data.tls_folder().join("certificate.pem")).unwrap();
        Tls::own(&data, &here).unwrap();
        assert_eq!(std::fs::read(data.tls_folder().join("certificate.pem")).unwrap(), made);
        Tls::own(&data, &[IpAddr::from([10, 0, 0, 7])]).unwrap();
        assert_ne!(std::fs::read(data.tls_folder().join("certificate.pem")).unwrap(), made);
    }

    #[test]
    fn files_that_are_no_certificate_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("a.pem"), folder.path().join("b.pem"));
        std::fs::write(&certificate, "hello").unwrap();
        std::fs::write(&key, "hello").unwrap();
        let error = Tls::of_files(&TlsFiles { certificate, key }).unwrap_err().to_string();
        assert!(error.contains("a.pem") && error.contains("PEM"), "{error}");
    }
}
