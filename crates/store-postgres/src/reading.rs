//! Readings of registered devices.

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{DeviceKey, Reading, Timestamp, Volume};
use weir_store::{From, ReadingReads, ReadingWrites, StoreResult};

use crate::row::{self, Columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many readings one statement adds.
const READINGS_AT_ONCE: usize = 2_000;

impl ReadingReads for Tx<'_> {
    fn readings_page(
        &mut self,
        device: DeviceKey,
        from: From,
        limit: u32,
    ) -> StoreResult<Vec<Reading>> {
        let reseller = self.reseller()?;
        let limit = i64::from(limit);
        let rows = match from {
            From::Time(time) => self.rows(
                "SELECT ts, volume, battery_uv FROM reading
                 WHERE reseller_id = $1 AND device = $2 AND ts >= $3
                 ORDER BY ts, volume LIMIT $4",
                &[&reseller, &device.0, &time.micros(), &limit],
            ),
            // The bound on the time alone is what partitions are chosen by.
            From::After(time, volume) => self.rows(
                "SELECT ts, volume, battery_uv FROM reading
                 WHERE reseller_id = $1 AND device = $2 AND ts >= $3 AND (ts, volume) > ($3, $4)
                 ORDER BY ts, volume LIMIT $5",
                &[&reseller, &device.0, &time.micros(), &volume.millilitres(), &limit],
            ),
        };
        rows?.iter().map(row::reading).collect()
    }

    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>> {
        let reseller = self.reseller()?;
        let keys: Vec<i64> = devices.iter().map(|device| device.0).collect();
        // One short walk down the index for each device, however long its history is.
        let sql = "SELECT d.place, ARRAY(
                SELECT r.volume FROM reading r WHERE r.reseller_id = $1 AND r.device = d.key
                ORDER BY r.ts DESC, r.volume DESC LIMIT $3
            ) FROM unnest($2::bigint[]) WITH ORDINALITY AS d (key, place) ORDER BY d.place";
        let rows = self.rows(sql, &[&reseller, &keys, &i64::from(count)])?;
        let newest = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            columns.take::<i64>()?;
            let newest_first: Vec<i64> = columns.take()?;
            Ok(newest_first.into_iter().rev().map(Volume::from_millilitres).collect())
        });
        newest.collect()
    }

    fn readings_with_opening(
        &mut self,
        device: DeviceKey,
        from: Timestamp,
        until: Timestamp,
    ) -> StoreResult<Vec<Reading>> {
        let reseller = self.reseller()?;
        let opening = "SELECT ts, volume, battery_uv FROM reading
            WHERE reseller_id = $1 AND device = $2 AND ts < $3
            ORDER BY ts DESC, volume DESC LIMIT 1";
        let within = "SELECT ts, volume, battery_uv FROM reading
            WHERE reseller_id = $1 AND device = $2 AND ts >= $3 AND ts < $4
            ORDER BY ts, volume";
        let (from, until) = (from.micros(), until.micros());
        let [opening, within] = self.rows_of_both([
            (opening, &[&reseller, &device.0, &from]),
            (within, &[&reseller, &device.0, &from, &until]),
        ])?;
        opening.iter().chain(&within).map(row::reading).collect()
    }

    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "SELECT 1 FROM reading
            WHERE reseller_id = $1 AND device = $2 AND ts = $3 AND volume = $4";
        let params: Params<'_> = &[&reseller, &device.0, &time.micros(), &volume.millilitres()];
        Ok(self.row(sql, params)?.is_some())
    }
}

impl ReadingWrites for Tx<'_> {
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = readings.chunks(READINGS_AT_ONCE).map(ReadingColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 5]>::as_slice).collect();
        let sql = "INSERT INTO reading (reseller_id, device, ts, volume, battery_uv)
            SELECT $1, r.* FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::int[]) AS r
            ON CONFLICT DO NOTHING";
        self.execute_each(sql, &params)?;
        Ok(())
    }
}

struct ReadingColumns {
    devices: Vec<i64>,
    times: Vec<i64>,
    volumes: Vec<i64>,
    batteries: Vec<Option<i32>>,
}

impl ReadingColumns {
    fn of(readings: &[(DeviceKey, Reading)]) -> Self {
        Self {
            devices: readings.iter().map(|(device, _)| device.0).collect(),
            times: readings.iter().map(|(_, reading)| reading.time.micros()).collect(),
            volumes: readings.iter().map(|(_, reading)| reading.volume.millilitres()).collect(),
            batteries: readings.iter().map(|(_, r)| r.battery.map(|b| b.microvolts())).collect(),
        }
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 5] {
        [reseller, &self.devices, &self.times, &self.volumes, &self.batteries]
    }
}
