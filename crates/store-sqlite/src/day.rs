//! Finished days of devices that are kept.

use jiff::SignedDuration;
use jiff::civil::{Date, date};
use weir_domain::DeviceKey;
use weir_domain::consumption::kept::KeptDays;
use weir_store::{DayReads, DayWrites, DayZones, DaysOf, StoreResult};

use crate::row;
use crate::tx::Tx;

/// The day that is stored as 0.
const EPOCH: Date = date(1970, 1, 1);

const HOURS: i64 = 24;

pub(crate) const FROM: &str = "SELECT day, consumption, last_reading, is_reset FROM gate.day
     WHERE device = ?1 AND day >= ?2 ORDER BY day";

pub(crate) const LAST_BEFORE: &str = "SELECT day, consumption, last_reading, is_reset FROM gate.day
     WHERE device = ?1 AND day < ?2 ORDER BY day DESC LIMIT 1";

pub(crate) const ZONES: &str = "SELECT device.key, device.days_zone, customer.timezone
     FROM gate.device AS device
     LEFT JOIN gate.customer AS customer ON customer.id = device.effective_customer_id
     WHERE device.key = ?1";

/// A date as it is stored.
pub(crate) fn number_of(date: Date) -> i64 {
    date.duration_since(EPOCH).as_hours() / HOURS
}

/// The date that a number stands for.
pub(crate) fn date_of(number: i64) -> Option<Date> {
    EPOCH.checked_add(SignedDuration::try_from_hours(number.checked_mul(HOURS)?)?).ok()
}

impl DayReads for Tx<'_> {
    fn day_zones(&mut self, devices: &[DeviceKey]) -> StoreResult<Vec<DayZones>> {
        let mut select = self.statement(ZONES)?;
        let zones = devices.iter().map(|device| select.first([device.0], row::day_zones));
        zones.filter_map(Result::transpose).collect()
    }

    fn days_kept(
        &mut self,
        device: DeviceKey,
        zone: &str,
        from: Date,
    ) -> StoreResult<Option<KeptDays>> {
        let sql = "SELECT days_until FROM gate.device WHERE key = ?1 AND days_zone = ?2";
        let until = self.first(sql, (device.0, zone), row::time("device"))?.flatten();
        let Some(until) = until else { return Ok(None) };
        let from = (device.0, number_of(from));
        let mut days = self.all(LAST_BEFORE, from, row::kept_day)?;
        days.extend(self.all(FROM, from, row::kept_day)?);
        Ok(Some(KeptDays { until, days }))
    }
}

impl DayWrites for Tx<'_> {
    fn days_keep(&mut self, days: &[DaysOf]) -> StoreResult<()> {
        let mut update = self.statement("UPDATE device SET days_zone = ?2 WHERE key = ?1")?;
        for DaysOf { device, zone, .. } in days {
            let updated = update.execute((device.0, zone))?;
            crate::expect_rows(updated, 1, || format!("device {}", device.0))?;
        }
        let mut delete = self.statement("DELETE FROM day WHERE device = ?1 AND day >= ?2")?;
        for DaysOf { device, from, .. } in days {
            delete.execute((device.0, number_of(*from)))?;
        }
        let mut insert = self.statement(
            "INSERT INTO day (device, day, consumption, last_reading, is_reset)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for DaysOf { device, days, .. } in days {
            for day in days {
                insert.execute((
                    device.0,
                    number_of(day.date),
                    day.consumption.millilitres(),
                    day.last_reading.millilitres(),
                    day.is_reset,
                ))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_numbers_and_come_back() {
        let known = [(EPOCH, 0), (date(1969, 12, 31), -1), (date(2026, 3, 1), 20_513)];
        for (date, number) in known {
            assert_eq!(number_of(date), number);
        }
        for date in [Date::MIN, date(1900, 2, 28), date(2024, 2, 29), Date::MAX] {
            assert_eq!(date_of(number_of(date)), Some(date));
        }
        let (first, last) = (number_of(Date::MIN), number_of(Date::MAX));
        for number in [first - 1, last + 1, i64::MIN, i64::MAX] {
            assert_eq!(date_of(number), None, "{number}");
        }
    }
}
