//! Finished days of devices.

use jiff::civil::Date;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::DeviceKey;
use weir_domain::consumption::kept::KeptDays;
use weir_store::{DayReads, DayWrites, DayZones, DaysOf, StoreResult};

use crate::row::{self, Columns, day_number};
use crate::tx::Tx;

/// The days of how many devices one statement keeps; each may bring some hundred.
const DEVICES_AT_ONCE: usize = 200;

impl DayReads for Tx<'_> {
    fn day_zones(&mut self, devices: &[DeviceKey]) -> StoreResult<Vec<DayZones>> {
        let reseller = self.reseller()?;
        let keys: Vec<i64> = devices.iter().map(|device| device.0).collect();
        let sql = "SELECT d.key, d.days_zone, c.timezone FROM device d
            LEFT JOIN customer c ON c.reseller_id = $1 AND c.id = d.effective_customer_id
            WHERE d.reseller_id = $1 AND d.key = ANY($2)";
        let rows = self.rows(sql, &[&reseller, &keys])?;
        let zones = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            let device = DeviceKey(columns.take()?);
            Ok(DayZones { device, kept: columns.take()?, customer: columns.take()? })
        });
        zones.collect()
    }

    fn days_kept(
        &mut self,
        device: DeviceKey,
        zone: &str,
        from: Date,
    ) -> StoreResult<Option<KeptDays>> {
        let reseller = self.reseller()?;
        let until = "SELECT days_until FROM device
            WHERE reseller_id = $1 AND key = $2 AND days_zone = $3 AND days_until IS NOT NULL";
        let days = "SELECT day, consumption, last_reading, is_reset FROM day
            WHERE reseller_id = $1 AND device = $2 AND day >= coalesce(
                (SELECT max(before.day) FROM day before
                 WHERE before.reseller_id = $1 AND before.device = $2 AND before.day < $3), $3)
            ORDER BY day";
        let [until, days] = self.rows_of_both([
            (until, &[&reseller, &device.0, &zone]),
            (days, &[&reseller, &device.0, &day_number(from)]),
        ])?;
        let Some(until) = until.first() else { return Ok(None) };
        let days: StoreResult<_> = days.iter().map(row::kept_day).collect();
        Ok(Some(KeptDays { until: Columns::of(until).time()?, days: days? }))
    }
}

impl DayWrites for Tx<'_> {
    fn days_keep(&mut self, days: &[DaysOf]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        for some in days.chunks(DEVICES_AT_ONCE) {
            let columns = DayColumns::of(some);
            let sql = "UPDATE device d SET days_zone = s.zone
                FROM unnest($2::bigint[], $3::text[]) AS s (key, zone)
                WHERE d.reseller_id = $1 AND d.key = s.key";
            let stored = self.execute(sql, &[&reseller, &columns.devices, &columns.zones])?;
            crate::expect_rows(stored, some.len(), "devices with days to be kept")?;
            let sql = "DELETE FROM day USING unnest($2::bigint[], $3::int[]) AS s (device, first)
                WHERE day.reseller_id = $1 AND day.device = s.device AND day.day >= s.first";
            self.execute(sql, &[&reseller, &columns.devices, &columns.firsts])?;
            // Without the clause Citus would copy the rows, which row-level security does not allow.
            let sql = "INSERT INTO day
                    (reseller_id, device, day, consumption, last_reading, is_reset)
                SELECT $1, s.* FROM unnest($2::bigint[], $3::int[], $4::bigint[], $5::bigint[],
                    $6::boolean[]) AS s
                ON CONFLICT DO NOTHING";
            let kept = self.execute(sql, &columns.params(&reseller))?;
            crate::expect_rows(kept, columns.days.len(), "new days")?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct DayColumns<'a> {
    devices: Vec<i64>,
    zones: Vec<&'a str>,
    firsts: Vec<i32>,
    owners: Vec<i64>,
    days: Vec<i32>,
    consumptions: Vec<i64>,
    last_readings: Vec<i64>,
    are_resets: Vec<bool>,
}

impl<'a> DayColumns<'a> {
    fn of(all: &'a [DaysOf]) -> Self {
        let mut columns = Self::default();
        for one in all {
            columns.devices.push(one.device.0);
            columns.zones.push(&one.zone);
            columns.firsts.push(day_number(one.from));
            for day in &one.days {
                columns.owners.push(one.device.0);
                columns.days.push(day_number(day.date));
                columns.consumptions.push(day.consumption.millilitres());
                columns.last_readings.push(day.last_reading.millilitres());
                columns.are_resets.push(day.is_reset);
            }
        }
        columns
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 6] {
        [
            reseller,
            &self.owners,
            &self.days,
            &self.consumptions,
            &self.last_readings,
            &self.are_resets,
        ]
    }
}
