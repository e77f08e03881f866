//! Reports, rendered behind the commit and on demand.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;
use weir_app::AppError;
use weir_app::devices::DeviceRef;
use weir_app::reports::{self, Report};
use weir_domain::DeviceId;
use weir_store::{Db, Scope};

use crate::{Archive, Format, RenderError};

/// How many requests to render may wait. What finds no place is rendered when it is asked for.
const QUEUE: usize = 1_000;

/// The reports of a service.
#[derive(Debug)]
pub struct Reports {
    archive: Archive,
    queue: mpsc::Sender<Job>,
}

/// Devices of a reseller that changed hands.
#[derive(Debug)]
struct Job {
    scope: Scope,
    devices: Vec<DeviceId>,
}

impl Reports {
    /// Renders into an archive, in a task that ends with the last owner of this value.
    pub fn start(db: Db, archive: Archive) -> Arc<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        tokio::spawn(work(db, archive.clone(), jobs));
        Arc::new(Self { archive, queue })
    }

    /// Has the newest reports of devices rendered soon. Call it after the commit of a change of hands;
    /// it never waits.
    pub fn prepare(&self, scope: &Scope, devices: impl IntoIterator<Item = DeviceId>) {
        let job = Job { scope: scope.clone(), devices: devices.into_iter().collect() };
        if !job.devices.is_empty() && self.queue.try_send(job).is_err() {
            tracing::debug!("reports wait to be rendered until they are asked for");
        }
    }

    /// A report, from the archive or rendered now.
    pub async fn read(&self, report: Report, format: Format) -> Result<Bytes, RenderError> {
        match self.archive.get(&report, format).await {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "a report is rendered instead of read"),
        }
        render(&self.archive, report, format).await
    }
}

/// Renders a report and puts it into the archive. It is good whether or not the archive takes it.
async fn render(archive: &Archive, report: Report, format: Format) -> Result<Bytes, RenderError> {
    let rendering = tokio::task::spawn_blocking(move || {
        let content = format.render(&report.facts).map(Bytes::from);
        (report, content)
    });
    let (report, content) = rendering.await.map_err(|_| RenderError::Ended)?;
    let content = content?;
    if let Err(error) = archive.put(&report, format, content.clone()).await {
        tracing::warn!(%error, "a report could not be archived");
    }
    Ok(content)
}

async fn work(db: Db, archive: Archive, mut jobs: mpsc::Receiver<Job>) {
    while let Some(Job { scope, devices }) = jobs.recv().await {
        let newest = db.read(&scope, move |tx| {
            let records = tx.ownership_newest(&devices)?.into_iter();
            let with_report = records.filter(|record| record.has_report);
            Ok::<_, AppError>(with_report.map(|one| (one.device, one.id)).collect::<Vec<_>>())
        });
        let newest = newest.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "reports wait to be rendered until they are asked for");
            Vec::new()
        });
        for (device, record) in newest {
            let found = db.read(&scope, move |tx| reports::find(tx, DeviceRef::Id(device), record));
            let Ok(report) = found.await else { continue };
            for format in Format::ALL {
                if let Ok(Some(_)) = archive.get(&report, format).await {
                    continue;
                }
                if let Err(error) = render(&archive, report.clone(), format).await {
                    tracing::error!(%error, %record, "a report cannot be rendered");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use uuid::Uuid;
    use weir_domain::OwnershipId;

    use super::*;
    use crate::Bucket;
    use crate::testing::facts;

    #[tokio::test]
    async fn a_report_is_good_although_its_bucket_is_away() {
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let bucket = Bucket {
            name: "reports".into(),
            endpoint: Some(format!("http://{gone}")),
            region: "eu-south-2".into(),
            access_key_id: "id".into(),
            secret_access_key: "key".into(),
        };
        let archive = Archive::in_bucket(&bucket).unwrap();
        let reports = Reports { archive, queue: mpsc::channel(1).0 };
        let facts = facts(3);
        let record = OwnershipId::from_uuid(Uuid::from_u128(9));
        let expected = Format::Csv.render(&facts).unwrap();
        let report = Report { device: facts.device, record, facts };
        assert_eq!(reports.read(report, Format::Csv).await.unwrap(), expected);
    }
}
