//! The server's secret.

use weir_app::credentials::Secret;
use weir_store::{Db, Purpose};

use crate::failure::Failure;
use crate::settings::Settings;

/// The secret that the operator gives, or the one that the store keeps, made at the first need.
pub async fn find(db: &Db, settings: &Settings) -> Result<Secret, Failure> {
    if let Some(given) = settings.secret()? {
        return Ok(Secret::new(&given)?);
    }
    let mut proposal = [0; 32];
    getrandom::fill(&mut proposal)?;
    let kept = db.system(Purpose::Administer, move |tx| tx.secret_keep(&proposal)).await?;
    Ok(Secret::new(&kept)?)
}
