//! What the tests share: a store on either engine behind a gate, processes that can crash, resellers
//! with devices, and a look at what became of it all.

mod gate;
mod process;
mod tenant;
mod world;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

pub use gate::{Door, Way};
pub use process::{Process, patient, reading};
pub use tenant::{Seen, Tenant};
pub use world::{Store, World};

use uuid::Uuid;
use weir_domain::{SpoolId, Timestamp};

/// How long something that has to come is waited for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something that has to come.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("something that has to come does not")
}

/// Whether a future is still waiting when it is looked at once; it is dropped then.
pub async fn hangs<T>(future: impl Future<Output = T>) -> bool {
    let mut future = pin!(future);
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

/// So many seconds after noon of 2026-03-15.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_773_576_000_000_000 + seconds * 1_000_000)
}

/// A spool id.
pub fn spool(number: u128) -> SpoolId {
    SpoolId::from_uuid(Uuid::from_u128(number))
}

/// Makes a test of each store from one body.
macro_rules! on_both_stores {
    ($($(#[$meta:meta])* async fn $name:ident($world:ident) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn body($world: $crate::support::World) $body

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                body($crate::support::World::new($crate::support::Store::Sqlite).await).await;
            }

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                body($crate::support::World::new($crate::support::Store::Postgres).await).await;
            }
        }
    )*};
}

pub(crate) use on_both_stores;
