//! Readings of registered devices.

use weir_domain::{DeviceKey, Reading, Timestamp, Volume};
use weir_store::{From, ReadingReads, ReadingWrites, Span, StoreResult};

use crate::row;
use crate::tx::Tx;

pub(crate) const FROM_TIME: &str = "SELECT ts, volume, battery_uv FROM gate.reading
     WHERE device = ?1 AND ts >= ?2 ORDER BY ts, volume LIMIT ?3";

pub(crate) const AFTER: &str = "SELECT ts, volume, battery_uv FROM gate.reading
     WHERE device = ?1 AND (ts, volume) > (?2, ?3) ORDER BY ts, volume LIMIT ?4";

pub(crate) const NEWEST: &str = "SELECT volume FROM gate.reading
     WHERE device = ?1 ORDER BY ts DESC, volume DESC LIMIT ?2";

pub(crate) const BETWEEN: &str = "SELECT ts, volume, battery_uv FROM gate.reading
     WHERE device = ?1 AND ts >= ?2 AND ts < ?3 ORDER BY ts, volume";

pub(crate) const LAST_BEFORE: &str = "SELECT ts, volume, battery_uv FROM gate.reading
     WHERE device = ?1 AND ts < ?2 ORDER BY ts DESC, volume DESC LIMIT 1";

impl ReadingReads for Tx<'_> {
    fn readings_page(
        &mut self,
        device: DeviceKey,
        from: From,
        limit: u32,
    ) -> StoreResult<Vec<Reading>> {
        match from {
            From::Time(time) => self.all(FROM_TIME, (device.0, time.micros(), limit), row::reading),
            From::After(time, volume) => {
                let values = (device.0, time.micros(), volume.millilitres(), limit);
                self.all(AFTER, values, row::reading)
            }
        }
    }

    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>> {
        let mut select = self.statement(NEWEST)?;
        let newest = devices.iter().map(|device| {
            let volumes = select.all((device.0, count), row::number("reading"))?;
            Ok(volumes.into_iter().rev().map(Volume::from_millilitres).collect())
        });
        newest.collect()
    }

    fn readings_with_opening(&mut self, span: Span) -> StoreResult<Vec<Reading>> {
        Ok(self.readings_with_openings(&[span])?.concat())
    }

    fn readings_with_openings(&mut self, spans: &[Span]) -> StoreResult<Vec<Vec<Reading>>> {
        let mut select = self.statement(LAST_BEFORE)?;
        let openings = spans
            .iter()
            .map(|Span { device, from, .. }| select.all((device.0, from.micros()), row::reading));
        let mut readings: Vec<_> = openings.collect::<StoreResult<_>>()?;
        let mut select = self.statement(BETWEEN)?;
        for (Span { device, from, until }, readings) in spans.iter().zip(&mut readings) {
            let values = (device.0, from.micros(), until.micros());
            readings.extend(select.all(values, row::reading)?);
        }
        Ok(readings)
    }

    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool> {
        let sql = "SELECT 1 FROM gate.reading WHERE device = ?1 AND ts = ?2 AND volume = ?3";
        let values = (device.0, time.micros(), volume.millilitres());
        Ok(self.first(sql, values, |_| Ok(()))?.is_some())
    }
}

impl ReadingWrites for Tx<'_> {
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()> {
        let mut insert = self.statement(
            "INSERT INTO reading (device, ts, volume, battery_uv) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO NOTHING",
        )?;
        for (device, reading) in readings {
            insert.execute((
                device.0,
                reading.time.micros(),
                reading.volume.millilitres(),
                reading.battery.map(|battery| battery.microvolts()),
            ))?;
        }
        Ok(())
    }
}
