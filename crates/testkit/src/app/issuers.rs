//! Issuers that every service of the tests trusts.

use std::path::Path;
use std::sync::LazyLock;

use weir_identity::issuer::Issuer;
use weir_identity::testing::Setting;

use super::TestClock;

/// Making keys takes a moment, so they are made once.
static ISSUERS: LazyLock<Setting> = LazyLock::new(|| Setting::at(TestClock::new().now()));

/// Those who issue tokens, good ones and others, at the moment at which a test's clock begins.
pub fn issuers() -> &'static Setting {
    &ISSUERS
}

/// The same as a service knows them, by keys in files of a directory.
pub(super) fn known_issuers(directory: &Path) -> Vec<Issuer> {
    let settings = issuers().issuers(directory).expect("files with keys");
    let issuer = |(name, settings)| Issuer::new(name, settings).expect("an issuer");
    settings.iter().map(|(name, settings)| issuer((name.as_str(), settings))).collect()
}
