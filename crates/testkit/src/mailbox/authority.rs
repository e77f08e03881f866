//! A certificate authority that lives as long as a test.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use tempfile::TempDir;

/// A certificate authority, and a certificate from it for `localhost` and 127.0.0.1.
#[derive(Debug)]
pub struct Authority {
    directory: TempDir,
    file: PathBuf,
}

impl Authority {
    /// An authority that nobody has heard of.
    pub fn new() -> Self {
        Self::try_new().unwrap_or_else(|error| panic!("no certificate authority: {error}"))
    }

    fn try_new() -> Result<Self, Box<dyn std::error::Error>> {
        let key = KeyPair::generate()?;
        let mut own = CertificateParams::default();
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        own.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        own.distinguished_name.push(DnType::CommonName, "An authority of the tests");
        let certificate = own.self_signed(&key)?;

        let server_key = KeyPair::generate()?;
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let server = CertificateParams::new(names)?;
        let server = server.signed_by(&server_key, &Issuer::new(own, key))?;

        let directory = tempfile::tempdir()?;
        let file = directory.path().join("authority.pem");
        fs::write(&file, certificate.pem())?;
        let identity = server_key.serialize_pem() + &server.pem();
        fs::write(identity_file(&directory), identity)?;
        Ok(Self { directory, file })
    }

    /// Its own certificate, in a PEM file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The server's key and certificate, in a PEM file.
    pub(super) fn identity_file(&self) -> PathBuf {
        identity_file(&self.directory)
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

fn identity_file(directory: &TempDir) -> PathBuf {
    directory.path().join("identity.pem")
}
