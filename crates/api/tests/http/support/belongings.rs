//! What is somebody's: one of everything.

use std::sync::atomic::{AtomicUsize, Ordering};

use uuid::Uuid;
use weir_testkit::app::{Actor, TestApp, chirpstack};

use super::*;

/// What is somebody's, as pairs of a name in braces and what it stands for.
pub struct Belongings(Vec<(String, String)>);

static NUMBER: AtomicUsize = AtomicUsize::new(0);

fn unused_eui() -> String {
    eui(NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn unused_id() -> String {
    Uuid::from_u128(NUMBER.fetch_add(1, Ordering::Relaxed) as u128).to_string()
}

impl Belongings {
    /// Gives an owner one of everything. What is spare, nothing else refers to; the member is known by
    /// `{dev_eui}@example.org`, and another one as `{dev_eui}` of [`ISSUER`].
    pub async fn of(app: &TestApp, owner: &Actor) -> Self {
        let tenant = owner.reseller().name.as_str();
        let [dev_eui, unregistered, deleted_eui, spare_eui] = [(); 4].map(|()| unused_eui());
        let device = owner.register(&dev_eui).await;
        let uplink = |eui: &str| chirpstack(tenant, eui, &app.clock.ago(hours(1)), 1.5);
        owner.ingest(uplink(&dev_eui)).await.ok();
        owner.ingest(uplink(&unregistered)).await.refused(404, "DEVICE_NOT_FOUND");
        let deleted = owner.register(&deleted_eui).await;
        delete(owner, &deleted).await.ok();
        let customer_id = customer(owner, "North").await;
        let ada = end_user(owner, "Ada", Some(&customer_id)).await;
        assign(owner, &device, Some(&ada)).await;
        assign(owner, &device, None).await;
        let reported = |record: &&Value| record["report_generated"] == true;
        let record = ownership(owner, &device).await.iter().find(reported).map(id).unwrap();
        assign(owner, &device, Some(&ada)).await;
        let known = json!({ "email": format!("{dev_eui}@example.org") });
        let member = id(&owner.post(MEMBERS, known).await.ok());
        let known = json!({ "issuer": ISSUER, "subject": dev_eui });
        owner.post(MEMBERS, known).await.ok();
        let owned = [
            ("{device_id}", device),
            ("{dev_eui}", dev_eui),
            ("{spare_device_id}", owner.register(&spare_eui).await),
            ("{spare_dev_eui}", spare_eui),
            ("{deleted_device_id}", deleted),
            ("{deleted_dev_eui}", deleted_eui),
            ("{unregistered_eui}", unregistered),
            ("{free_eui}", unused_eui()),
            ("{customer_id}", customer_id),
            ("{spare_customer_id}", customer(owner, "South").await),
            ("{end_user_id}", ada),
            ("{spare_end_user_id}", end_user(owner, "Bob", None).await),
            ("{record_id}", record),
            ("{member_id}", member),
        ];
        Self(owned.map(|(name, own)| (name.to_owned(), own)).into())
    }

    /// The same, named as what is the asker's.
    pub fn my_own(self) -> Self {
        let mine = |(name, own): (String, String)| (name.replace('{', "{my_"), own);
        Self(self.0.into_iter().map(mine).collect())
    }

    /// The same names for what nobody has.
    pub fn of_nobody(&self) -> Self {
        let absent = |(name, own): &(String, String)| {
            (name.clone(), if own.len() == 36 { unused_id() } else { unused_eui() })
        };
        Self(self.0.iter().map(absent).collect())
    }

    /// A text with everything put in.
    pub fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, own)| text.replace(name, own))
    }

    /// A text with everything taken out again.
    pub fn strike(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, own)| text.replace(own.as_str(), name))
    }
}

/// Everything that an owner can see.
pub async fn look_at_all(owner: &Actor, own: &Belongings) -> Vec<Value> {
    let mut seen = Vec::new();
    for path in [
        DEVICES,
        "/api/v1/devices/stats",
        "/api/v1/devices/{device_id}/children",
        "/api/v1/devices/{device_id}/consumption",
        "/api/v1/devices/{device_id}/ownership-history",
        "/api/v1/devices/{deleted_device_id}/consumption",
        UNREGISTERED,
        CUSTOMERS,
        END_USERS,
        MEMBERS,
        "/api/v1/reseller/billing",
    ] {
        seen.push(owner.get(&own.fill(path)).await.ok());
    }
    seen
}
