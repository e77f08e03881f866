//! Sightings.

use rusqlite::params;
use weir_domain::{Eui, Reading};
use weir_store::{Page, Sighting, SightingReading, SightingReads, SightingWrites, StoreResult};

use crate::row::{self, Columns};
use crate::tx::Tx;

/// A sighting, in the order in which [`row::sighting`] takes the columns.
macro_rules! select_sighting {
    ($rest:literal) => {
        concat!(
            "SELECT dev_eui, device_name, battery_uv, last_reading_at, newest_reading_at,
                    first_seen_at, last_seen_at, message_count, latitude, longitude, altitude
             FROM gate.sighting ",
            $rest
        )
    };
}

pub(crate) const PAGE: &str =
    select_sighting!("ORDER BY last_seen_at DESC, eui < 0, eui LIMIT ?1 OFFSET ?2");

/// The other way round: who makes way first.
pub(crate) const LEAST_RECENT: &str = "SELECT eui FROM gate.sighting
     ORDER BY last_seen_at, eui < 0 DESC, eui DESC LIMIT ?1";

pub(crate) const OLDEST_READINGS: &str = "SELECT eui, ts, volume FROM gate.sighting_reading
     ORDER BY received_at, eui, ts, volume LIMIT ?1";

impl SightingReads for Tx<'_> {
    fn sightings_page(&mut self, page: Page) -> StoreResult<Vec<Sighting>> {
        self.all(PAGE, (page.limit, super::offset(page)), row::sighting)
    }

    fn sightings_count(&mut self) -> StoreResult<u64> {
        Ok(self.tally()?.0)
    }
}

impl SightingWrites for Tx<'_> {
    fn sightings_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Sighting>> {
        let mut select = self.statement(select_sighting!("WHERE eui = ?1"))?;
        let sightings = euis
            .iter()
            .map(|eui| select.first([eui.bits().cast_signed()], row::sighting).transpose());
        sightings.flatten().collect()
    }

    fn sightings_store(&mut self, sightings: &[Sighting]) -> StoreResult<()> {
        let mut store = self.statement(
            "INSERT INTO sighting
                 (reseller_id, eui, dev_eui, device_name, battery_uv, last_reading_at,
                  newest_reading_at, first_seen_at, last_seen_at, message_count, latitude,
                  longitude, altitude)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
             ON CONFLICT DO UPDATE SET
                 dev_eui = excluded.dev_eui, device_name = excluded.device_name,
                 battery_uv = excluded.battery_uv, last_reading_at = excluded.last_reading_at,
                 newest_reading_at = excluded.newest_reading_at,
                 first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
                 message_count = excluded.message_count, latitude = excluded.latitude,
                 longitude = excluded.longitude, altitude = excluded.altitude",
        )?;
        for Sighting { dev_eui, telemetry } in sightings {
            store.execute(params![
                dev_eui.bits().cast_signed(),
                dev_eui.as_str(),
                telemetry.device_name.as_ref().map(|name| name.as_str()),
                telemetry.battery.map(|battery| battery.microvolts()),
                telemetry.last_reading_at.map(|at| at.micros()),
                telemetry.newest_reading_at.map(|at| at.micros()),
                telemetry.first_seen_at.map(|at| at.micros()),
                telemetry.last_seen_at.map(|at| at.micros()),
                telemetry.message_count,
                telemetry.position.latitude,
                telemetry.position.longitude,
                telemetry.position.altitude,
            ])?;
        }
        Ok(())
    }

    fn sighting_readings_append(&mut self, readings: &[SightingReading]) -> StoreResult<()> {
        let mut insert = self.statement(
            "INSERT INTO sighting_reading (reseller_id, eui, ts, volume, battery_uv, received_at)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
        )?;
        for SightingReading { eui, reading, received_at } in readings {
            insert.execute((
                eui.bits().cast_signed(),
                reading.time.micros(),
                reading.volume.millilitres(),
                reading.battery.map(|battery| battery.microvolts()),
                received_at.micros(),
            ))?;
        }
        Ok(())
    }

    fn sighting_take(&mut self, eui: Eui) -> StoreResult<Option<(Sighting, Vec<Reading>)>> {
        let eui = eui.bits().cast_signed();
        let sql = select_sighting!("WHERE eui = ?1");
        let Some(sighting) = self.first(sql, [eui], row::sighting)? else { return Ok(None) };
        let sql = "SELECT ts, volume, battery_uv FROM gate.sighting_reading
                   WHERE eui = ?1 ORDER BY ts, volume";
        let readings = self.all(sql, [eui], row::reading)?;
        self.sighting_forget(eui)?;
        Ok(Some((sighting, readings)))
    }

    fn sightings_evict(&mut self, euis: u64, readings: u64) -> StoreResult<()> {
        let surplus = surplus(self.tally()?.0, euis);
        if surplus > 0 {
            for eui in self.all(LEAST_RECENT, [surplus], row::number("sighting"))? {
                self.sighting_forget(eui)?;
            }
        }
        let surplus = self::surplus(self.tally()?.1, readings);
        if surplus > 0 {
            self.sighting_readings_evict(surplus)?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    /// How many EUIs and how many readings are remembered.
    fn tally(&self) -> StoreResult<(u64, u64)> {
        let tally = self.first("SELECT euis, readings FROM gate.sighting_tally", [], |row| {
            let mut columns = Columns::of("sighting_tally", row);
            Ok((columns.take::<i64>()?, columns.take::<i64>()?))
        })?;
        let (euis, readings) = tally.unwrap_or_default();
        Ok((euis.cast_unsigned(), readings.cast_unsigned()))
    }

    fn sighting_forget(&self, eui: i64) -> StoreResult<()> {
        for sql in [
            "DELETE FROM sighting_reading WHERE reseller_id = current_reseller() AND eui = ?1",
            "DELETE FROM sighting WHERE reseller_id = current_reseller() AND eui = ?1",
        ] {
            self.execute(sql, [eui])?;
        }
        Ok(())
    }

    fn sighting_readings_evict(&self, surplus: i64) -> StoreResult<()> {
        let oldest: Vec<(i64, i64, i64)> = self.all(OLDEST_READINGS, [surplus], |row| {
            let mut columns = Columns::of("sighting_reading", row);
            Ok((columns.take()?, columns.take()?, columns.take()?))
        })?;
        let mut delete = self.statement(
            "DELETE FROM sighting_reading
             WHERE reseller_id = current_reseller() AND eui = ?1 AND ts = ?2 AND volume = ?3",
        )?;
        oldest.into_iter().try_for_each(|reading| delete.execute(reading).map(drop))
    }
}

fn surplus(present: u64, kept: u64) -> i64 {
    i64::try_from(present.saturating_sub(kept)).unwrap_or(i64::MAX)
}
