//! Where rendered reports lie.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
use weir_app::reports::{self, Report};
use weir_domain::ResellerId;

use crate::Format;

/// How long a bucket may take. A report is rendered sooner than a slow bucket is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// An S3-compatible bucket.
#[derive(Clone)]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// The address of its server, where that is not Amazon's. Over plain `http` too: the operator says so.
    pub endpoint: Option<String>,
    /// Its region.
    pub region: String,
    /// The id of the key that may read and write it.
    pub access_key_id: String,
    /// The key.
    pub secret_access_key: String,
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An archive cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Its directory cannot be made.
    #[error("the directory {path:?} for reports cannot be made: {error}")]
    Directory {
        /// The directory.
        path: std::path::PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The store behind it refuses.
    #[error("the archive of reports cannot be used: {0}")]
    Store(#[from] object_store::Error),
}

/// Rendered reports, by where the record says that they lie.
#[derive(Debug, Clone)]
pub struct Archive(Arc<dyn ObjectStore>);

impl Archive {
    /// An archive under a directory, which is made where it is missing. What was put is on the disk.
    pub fn in_directory(path: &FilePath) -> Result<Self, ArchiveError> {
        std::fs::create_dir_all(path)
            .map_err(|error| ArchiveError::Directory { path: path.to_owned(), error })?;
        Ok(Self(Arc::new(LocalFileSystem::new_with_prefix(path)?.with_fsync(true))))
    }

    /// An archive in a bucket.
    pub fn in_bucket(bucket: &Bucket) -> Result<Self, ArchiveError> {
        let allows_http = bucket.endpoint.as_ref().is_some_and(|url| url.starts_with("http:"));
        let client = ClientOptions::new()
            .with_connect_timeout(PATIENCE)
            .with_timeout(PATIENCE)
            .with_allow_http(allows_http);
        let retry =
            RetryConfig { max_retries: 1, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new()
            .with_client_options(client)
            .with_retry(retry)
            .with_bucket_name(&bucket.name)
            .with_region(&bucket.region)
            .with_access_key_id(&bucket.access_key_id)
            .with_secret_access_key(&bucket.secret_access_key);
        if let Some(endpoint) = &bucket.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        Ok(Self(Arc::new(builder.build()?)))
    }

    /// The report, if it is there.
    pub async fn get(
        &self,
        report: &Report,
        format: Format,
    ) -> Result<Option<Bytes>, ArchiveError> {
        match self.0.get(&place(report, format)).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Puts the report where it belongs, whole or not at all.
    pub async fn put(
        &self,
        report: &Report,
        format: Format,
        content: Bytes,
    ) -> Result<(), ArchiveError> {
        self.0.put(&place(report, format), content.into()).await?;
        Ok(())
    }

    /// Removes all reports of a reseller that is gone.
    pub async fn forget(&self, reseller: ResellerId) -> Result<(), ArchiveError> {
        let of_reseller = Path::from(reports::folder(reseller));
        let found = self.0.list(Some(&of_reseller)).map_ok(|object| object.location).boxed();
        self.0.delete_stream(found).try_for_each(|_| std::future::ready(Ok(()))).await?;
        Ok(())
    }
}

fn place(report: &Report, format: Format) -> Path {
    let path = reports::path(report.facts.reseller, report.record);
    Path::from(format!("{path}.{}", format.extension()))
}

#[cfg(test)]
mod tests;
