//! A process that takes uplinks in, and that can crash.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use weir_domain::Timestamp;
use weir_ingest::{Accepted, Health, Node, NotTaken, Options, Sender, Taken};
use weir_store::{Db, Settled};

use super::{PATIENCE, Tenant, at, soon, spool};

/// Options under which a slow machine refuses nobody, with segments that are read back in no time.
pub fn patient() -> Options {
    let spool = weir_ingest::spool::Options { segment_bytes: 1 << 16, ..Default::default() };
    Options { barrier: PATIENCE, spool, ..Options::default() }
}

/// A process with a runtime of its own.
pub struct Process {
    node: Option<Arc<Node>>,
    runtime: Option<Runtime>,
    directory: PathBuf,
}

impl Process {
    pub fn start(db: &Db, root: &Path, number: u128, options: Options) -> Self {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build().unwrap();
        let inside = runtime.enter();
        let node = Node::start(db.clone(), root, spool(number), options).unwrap();
        drop(inside);
        let directory = root.join(spool(number).to_string());
        Self { node: Some(Arc::new(node)), runtime: Some(runtime), directory }
    }

    fn node(&self) -> &Arc<Node> {
        self.node.as_ref().unwrap()
    }

    /// Where its spool lies.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn health(&self) -> Health {
        self.node().health()
    }

    /// What its reads wait for.
    pub fn barrier(&self) -> Arc<dyn Settled> {
        self.node().barrier()
    }

    /// Waits until everything that was acknowledged is settled.
    pub async fn settled(&self) {
        assert!(soon(self.node().barrier().wait_for_all()).await);
    }

    /// A message, admitted and taken in, at a moment.
    pub fn send<'a>(
        &self,
        tenant: &'a Tenant,
        received_at: Timestamp,
        body: Value,
    ) -> impl Future<Output = Result<Accepted, NotTaken>> + Send + use<'a> {
        let intake = self.node().intake();
        async move {
            let admission = intake.admit(tenant.scope(), received_at).await?;
            let sender = Sender { scope: tenant.scope(), tenant_names: tenant.names() };
            match intake.take(admission, sender, None, body.to_string().as_bytes()).await? {
                Taken::Accepted(accepted) => Ok(accepted),
                Taken::Ignored { reason } => panic!("ignored: {reason}"),
            }
        }
    }

    /// An uplink with one reading of that second, which shows as many litres, received then.
    pub fn uplink<'a>(
        &self,
        tenant: &'a Tenant,
        eui: u64,
        second: i64,
    ) -> impl Future<Output = Result<Accepted, NotTaken>> + Send + use<'a> {
        self.send(tenant, at(second), reading(tenant, eui, second))
    }

    /// The process dies: nothing is flushed, settled or given back.
    pub async fn crash(mut self) {
        drop(self.node.take());
        let runtime = self.runtime.take().unwrap();
        let end = move || runtime.shutdown_timeout(PATIENCE);
        tokio::task::spawn_blocking(end).await.unwrap();
    }

    /// The process is stopped in order, however long that takes.
    pub async fn stop(self) {
        self.stop_within(PATIENCE).await;
    }

    /// The process is stopped in order, and abandons what takes longer.
    pub async fn stop_within(self, patience: Duration) {
        soon(self.stop_and_stay(patience)).await;
        self.crash().await;
    }

    /// Ingestion is stopped, and the process goes on.
    pub async fn stop_and_stay(&self, patience: Duration) {
        self.node().stop(patience).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.node.take());
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A message of one reading.
pub fn reading(tenant: &Tenant, eui: u64, second: i64) -> Value {
    json!({
        "deviceInfo": {
            "tenantName": tenant.name(),
            "deviceName": "a meter",
            "devEui": format!("{eui:016x}"),
        },
        "time": at(second).to_string(),
        "object": { "cumulativeFlowM3": second as f64 / 1000.0, "batteryVoltage": 3.6 },
    })
}
