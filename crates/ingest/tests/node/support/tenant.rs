//! A reseller, and what became of its uplinks.

use uuid::Uuid;
use weir_app::resellers;
use weir_domain::name::TenantNames;
use weir_domain::quota::QuotaFacts;
use weir_domain::{
    DeviceId, DeviceKey, Eui, Month, Name, NewDevice, Refusal, Reseller, ResellerId, Timestamp,
    Volume,
};
use weir_store::{Change, Db, From, Page, Purpose, Scope, StoreError, SystemTx};

use super::{World, at};

/// A reseller.
pub struct Tenant {
    past: Db,
    scope: Scope,
    names: TenantNames,
    reseller: Reseller,
}

/// What the store has of a device.
#[derive(Debug, PartialEq)]
pub struct Seen {
    /// The volumes of its readings, in litres.
    pub litres: Vec<i64>,
    /// How many messages came.
    pub messages: i64,
}

impl Tenant {
    /// Creates a reseller with that monthly quota.
    pub async fn create(world: &World, name: &str, quota: i64) -> Self {
        let number = name.bytes().fold(0_u128, |number, byte| number << 8 | u128::from(byte));
        let reseller = Reseller {
            id: ResellerId::from_uuid(Uuid::from_u128(number)),
            name: Name::parse(name).unwrap(),
            slug: name.to_lowercase(),
            aliases: Vec::new(),
            tier: "starter".to_owned(),
            monthly_quota: quota,
            timezone: "UTC".to_owned(),
            is_closing: false,
            created_at: at(0),
        };
        let inserted = reseller.clone();
        let insert = move |tx: &mut dyn SystemTx| {
            for key in inserted.tenant_keys() {
                tx.tenant_name_claim(&key, inserted.id)?;
            }
            tx.scoped(inserted.id)?.reseller_insert(&inserted)
        };
        world.past.system::<_, StoreError>(Purpose::Administer, insert).await.unwrap();
        let names = TenantNames::of(reseller.tenant_keys());
        Self { past: world.past.clone(), scope: granted(reseller.id), names, reseller }
    }

    pub fn id(&self) -> ResellerId {
        self.reseller.id
    }

    pub fn name(&self) -> &str {
        self.reseller.name.as_str()
    }

    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    pub fn names(&self) -> &TenantNames {
        &self.names
    }

    /// Registers the device of that EUI.
    pub async fn register(&self, eui: u64) -> DeviceKey {
        self.register_through(&self.past, eui).await
    }

    /// Registers the device of that EUI through a store of one's choice.
    pub async fn register_through(&self, db: &Db, eui: u64) -> DeviceKey {
        let device = NewDevice {
            id: DeviceId::from_uuid(Uuid::from_u128(eui.into())),
            dev_eui: Eui::from_bits(eui),
            name: Name::parse("a meter").unwrap(),
            parent: None,
            is_principal: false,
            hierarchy_level: 0,
            customer: None,
            created_at: at(0),
        };
        let reseller = self.id();
        let insert = db.write::<_, StoreError>(&self.scope, move |tx| {
            assert!(tx.eui_claim(device.dev_eui)?);
            let key = tx.device_insert(&device)?;
            tx.announce(Change::Device(reseller, device.dev_eui))?;
            Ok(key)
        });
        insert.await.unwrap()
    }

    /// Announces that something about the device of that EUI has changed.
    pub async fn touch(&self, db: &Db, eui: u64) {
        let change = Change::Device(self.id(), Eui::from_bits(eui));
        let announce = move |tx: &mut dyn weir_store::WriteTx| tx.announce(change.clone());
        db.write::<_, StoreError>(&self.scope, announce).await.unwrap();
    }

    /// Sets another monthly quota.
    pub async fn set_quota(&self, quota: i64) {
        self.change(&self.past, move |reseller| reseller.monthly_quota = quota).await;
    }

    /// Changes the reseller, through a store of one's choice.
    pub async fn change(&self, db: &Db, change: impl Fn(&mut Reseller) + Send + 'static) {
        let update = db.write::<_, StoreError>(&self.scope, move |tx| {
            let mut reseller = tx.reseller()?.unwrap();
            change(&mut reseller);
            tx.reseller_update(&reseller)?;
            tx.announce(Change::Reseller(reseller.id))
        });
        update.await.unwrap();
    }

    /// Begins to delete the reseller.
    pub async fn close(&self) {
        let named = self.id().to_string();
        let closed =
            self.past.system(Purpose::Administer, move |tx| resellers::close(tx, &named)).await;
        assert!(closed.unwrap().is_closing);
    }

    /// Deletes the closed reseller, unless something of it is under way; whether it did.
    pub async fn delete(&self) -> bool {
        let reseller = self.reseller.clone();
        let deleted = self
            .past
            .system(Purpose::Administer, move |tx| resellers::delete_closed(tx, &reseller))
            .await;
        match deleted {
            Ok(()) => true,
            Err(weir_app::AppError::Refused(Refusal::ResellerPending { .. })) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// What the store has of the device of that EUI.
    pub async fn seen(&self, eui: u64) -> Seen {
        self.seen_through(&self.past, eui).await.unwrap()
    }

    /// The same, through a store of one's choice.
    pub async fn seen_through(&self, db: &Db, eui: u64) -> Result<Seen, StoreError> {
        let eui = Eui::from_bits(eui);
        let beginning = From::Time(Timestamp::from_micros(i64::MIN));
        let looked = db.read(&self.scope, move |tx| {
            let device = tx.device_live_by_eui(eui)?.expect("a device");
            let readings = tx.readings_page(device.key, beginning, 10_000)?;
            let litres = readings.iter().map(|reading| litres(reading.volume)).collect();
            Ok(Seen { litres, messages: device.telemetry.message_count })
        });
        looked.await
    }

    /// What is remembered of EUIs that are not registered: EUI and messages.
    pub async fn sighted(&self) -> Vec<(u64, i64)> {
        let page = Page { limit: 20_000, offset: 0 };
        let looked =
            self.past.read::<_, StoreError>(&self.scope, move |tx| tx.sightings_page(page)).await;
        let sightings = looked.unwrap().into_iter();
        let mut sighted: Vec<_> = sightings
            .map(|sighting| (sighting.dev_eui.bits(), sighting.telemetry.message_count))
            .collect();
        sighted.sort_unstable();
        sighted
    }

    /// The quota of the month of [`at`].
    pub async fn quota(&self) -> QuotaFacts {
        self.quota_of(Month::of(at(0))).await
    }

    /// The quota of a month.
    pub async fn quota_of(&self, month: Month) -> QuotaFacts {
        let looked = self.past.write::<_, StoreError>(&self.scope, move |tx| tx.quota_facts(month));
        looked.await.unwrap()
    }

    /// How many spools hold leases.
    pub async fn lease_holders(&self) -> i64 {
        let looked = self.past.write::<_, StoreError>(&self.scope, |tx| tx.quota_lease_holders());
        looked.await.unwrap()
    }
}

fn litres(volume: Volume) -> i64 {
    volume.millilitres() / 1000
}

#[expect(clippy::disallowed_methods, reason = "tests play authentication")]
fn granted(reseller: ResellerId) -> Scope {
    Scope::granted(reseller, "a test")
}
