//! Where reports are kept.

use weir_report::{Archive, Bucket};

use crate::failure::Failure;
use crate::settings::Settings;

/// The archive that the settings name: a bucket, or else the folder `reports` of the data directory.
pub fn open(settings: &Settings) -> Result<Archive, Failure> {
    let archive = match bucket(settings)? {
        Some(bucket) => Archive::in_bucket(&bucket),
        None => Archive::in_directory(&settings.data_dir),
    };
    archive.map_err(|error| Failure::Said(error.to_string()))
}

fn bucket(settings: &Settings) -> Result<Option<Bucket>, Failure> {
    let Some(name) = &settings.report_bucket else { return Ok(None) };
    let key =
        settings.report_access_key_id.as_ref().zip(settings.report_secret_access_key.as_ref());
    let (id, secret) = key.ok_or_else(|| {
        Failure::Said(format!(
            "the bucket {name} for reports needs report_access_key_id and report_secret_access_key"
        ))
    })?;
    Ok(Some(Bucket {
        name: name.clone(),
        endpoint: settings.report_endpoint.clone(),
        region: settings.report_region.clone(),
        access_key_id: id.clone(),
        secret_access_key: secret.clone(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_needs_its_key() {
        let mut settings = Settings::default();
        settings.report_bucket = Some("reports".into());
        assert!(open(&settings).unwrap_err().to_string().contains("report_access_key_id"));
        settings.report_access_key_id = Some("id".into());
        settings.report_secret_access_key = Some("key".into());
        assert_eq!(bucket(&settings).unwrap().unwrap().region, "us-east-1");
        assert!(open(&settings).is_ok());
    }

    #[test]
    fn without_a_bucket_reports_lie_in_the_data_directory() {
        let dir = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.data_dir = dir.path().join("data");
        assert!(bucket(&settings).unwrap().is_none());
        open(&settings).unwrap();
        assert!(dir.path().join("data").is_dir());
    }
}
