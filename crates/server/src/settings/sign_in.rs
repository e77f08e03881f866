//! Settings of signing in: where the service is, whom it trusts, its mail server, its proxies.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use weir_api::source::TrustedProxies;
use weir_app::SystemClock;
use weir_identity::issuer::Issuer;
use weir_identity::mail::{LogPostman, NotUsable, Postman, Security, SmtpPostman, SmtpSettings};
use weir_identity::provider::PublicUrl;
use weir_identity::token::Verifier;

use super::{Settings, SettingsError};

impl Settings {
    /// Where people and other services find this one: as it is given, else where it listens.
    pub fn public_url(&self, listening: SocketAddr) -> Result<PublicUrl, SettingsError> {
        let text = self.public_url.clone().unwrap_or_else(|| match listening.ip() {
            // Everywhere is no place that a link can lead to.
            ip if ip.is_unspecified() => format!("http://localhost:{}", listening.port()),
            _ => format!("http://{listening}"),
        });
        PublicUrl::parse(&text).map_err(|error| senseless("public_url", error.to_string()))
    }

    /// The proxies that are trusted to say for whom they ask.
    pub fn trusted_proxies(&self) -> Result<TrustedProxies, SettingsError> {
        let texts = self.trusted_proxies.iter().map(String::as_str).filter(|text| !text.is_empty());
        TrustedProxies::parse(texts)
            .map_err(|error| senseless("trusted_proxies", format!("makes no sense: {error}")))
    }

    /// Who delivers sign-in links: a mail server, else the log.
    pub fn postman(&self) -> Result<Arc<dyn Postman>, SettingsError> {
        let Some(smtp) = self.smtp()? else { return Ok(Arc::new(LogPostman)) };
        let postman = SmtpPostman::new(&smtp).map_err(|error| {
            let name = match error {
                NotUsable::From => "smtp_from",
                NotUsable::Clear | NotUsable::Tls(_) => "smtp_security",
                NotUsable::CaFile(_) => "smtp_ca_file",
            };
            senseless(name, error.to_string())
        })?;
        Ok(Arc::new(postman))
    }

    /// The issuers of tokens that are trusted beside this service.
    pub fn issuers(&self) -> Result<Vec<Issuer>, SettingsError> {
        let issuers = self.issuers.iter().map(|(name, settings)| Issuer::new(name, settings));
        Ok(issuers.collect::<Result<_, _>>()?)
    }

    /// Whether all of these make sense.
    pub fn check_sign_in(&self) -> Result<(), SettingsError> {
        let url = self.public_url((Ipv4Addr::LOCALHOST, 0).into())?;
        self.trusted_proxies()?;
        let issuers = self.issuers()?;
        if let Some(issuer) = issuers.iter().find(|issuer| issuer.url() == url.as_str()) {
            let reason = format!("is also the address of the issuer {}", issuer.name());
            return Err(senseless("public_url", reason));
        }
        Verifier::new(issuers, Arc::new(SystemClock))?;
        self.postman().map(drop)
    }

    /// The mail server that is configured, if one is.
    fn smtp(&self) -> Result<Option<SmtpSettings>, SettingsError> {
        let Some(host) = self.smtp_host.clone() else {
            // A misspelt host would otherwise send links to the log without a word.
            let given = [
                ("smtp_port", self.smtp_port.is_some()),
                ("smtp_security", self.smtp_security.is_some()),
                ("smtp_username", self.smtp_username.is_some()),
                ("smtp_password", self.smtp_password.is_some()),
                ("smtp_from", self.smtp_from.is_some()),
                ("smtp_ca_file", self.smtp_ca_file.is_some()),
            ];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((name, _)) => Err(senseless(name, "is of no use without smtp_host".into())),
                None => Ok(None),
            };
        };
        let security = match self.smtp_security.as_deref() {
            None | Some("starttls") => Security::Starttls,
            Some("tls") => Security::Tls,
            Some("none") => Security::None,
            Some(_) => {
                return Err(senseless("smtp_security", "must be starttls, tls or none".into()));
            }
        };
        let credentials = match (self.smtp_username.clone(), self.smtp_password.clone()) {
            (Some(user), Some(password)) => Some((user, password.into())),
            (None, None) => None,
            (Some(_), None) => {
                return Err(senseless(
                    "smtp_username",
                    "is of no use without smtp_password".into(),
                ));
            }
            (None, Some(_)) => {
                return Err(senseless(
                    "smtp_password",
                    "is of no use without smtp_username".into(),
                ));
            }
        };
        let from = self.smtp_from.clone();
        let from = from.ok_or_else(|| senseless("smtp_from", "is needed with smtp_host".into()))?;
        let port = self.smtp_port.unwrap_or(security.usual_port());
        let ca_file = self.smtp_ca_file.clone();
        Ok(Some(SmtpSettings { host, port, security, credentials, from, ca_file }))
    }
}

fn senseless(name: &'static str, reason: String) -> SettingsError {
    SettingsError::Senseless { name, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_mail(change: impl FnOnce(&mut Settings)) -> Settings {
        let mut settings = Settings {
            smtp_host: Some("mail.example.org".into()),
            smtp_from: Some("Weir <weir@example.org>".into()),
            ..Settings::default()
        };
        change(&mut settings);
        settings
    }

    fn complaint(settings: &Settings) -> String {
        settings.check_sign_in().unwrap_err().to_string()
    }

    #[test]
    fn nothing_has_to_be_said() {
        let settings = Settings::default();
        settings.check_sign_in().unwrap();
        let address = "127.0.0.1:8080".parse().unwrap();
        assert_eq!(settings.public_url(address).unwrap().as_str(), "http://127.0.0.1:8080");
        assert!(settings.smtp().unwrap().is_none());
    }

    #[test]
    fn a_mail_server_is_met_over_tls_at_its_usual_port() {
        let smtp = |settings: Settings| {
            let smtp = settings.smtp().unwrap().unwrap();
            (smtp.security, smtp.port)
        };
        assert_eq!(smtp(with_mail(|_| {})), (Security::Starttls, 587));
        let tls = with_mail(|settings| settings.smtp_security = Some("tls".into()));
        assert_eq!(smtp(tls), (Security::Tls, 465));
        let other = with_mail(|settings| settings.smtp_port = Some(2525));
        assert_eq!(smtp(other), (Security::Starttls, 2525));
        let here = with_mail(|settings| {
            settings.smtp_security = Some("none".into());
            settings.smtp_host = Some("localhost".into());
        });
        here.check_sign_in().unwrap();
        assert_eq!(smtp(here), (Security::None, 25));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        type Case = (&'static str, fn(&mut Settings));
        let cases: [Case; 11] = [
            ("public_url", |settings| settings.public_url = Some("weir.example.org".into())),
            ("trusted_proxies", |settings| settings.trusted_proxies = vec!["proxy".into()]),
            ("smtp_security", |settings| settings.smtp_security = Some("STARTTLS".into())),
            ("smtp_security", |settings| settings.smtp_security = Some("none".into())),
            ("smtp_username", |settings| settings.smtp_username = Some("weir".into())),
            ("smtp_password", |settings| settings.smtp_password = Some("hunter2".into())),
            ("smtp_from", |settings| settings.smtp_from = None),
            ("smtp_from", |settings| settings.smtp_from = Some("weir".into())),
            ("smtp_from", |settings| settings.smtp_host = None),
            ("smtp_ca_file", |settings| settings.smtp_ca_file = Some("absent.pem".into())),
            ("smtp_port", |settings| {
                *settings = Settings { smtp_port: Some(25), ..Settings::default() };
            }),
        ];
        for (name, change) in cases {
            let said = complaint(&with_mail(change));
            assert!(said.contains(name) && !said.contains("hunter2"), "{name}: {said}");
        }
    }
}
