//! The fleet as a whole.

use std::ops::Range;

use weir_domain::{Battery, DeviceId, Volume};
use weir_store::{FleetDay, FleetReads, KeptSpan, StoreResult};

use crate::row::{self, Columns, day_number};
use crate::tx::Tx;

impl FleetReads for Tx<'_> {
    fn fleet_days(&mut self, span: KeptSpan) -> StoreResult<Vec<FleetDay>> {
        let reseller = self.reseller()?;
        // The sum is cut where it is beyond all measure.
        let sql =
            "SELECT day.day, least(sum(day.consumption), 9223372036854775807)::bigint, count(*)
            FROM device d JOIN day ON day.reseller_id = $1 AND day.device = d.key
            WHERE d.reseller_id = $1 AND d.parent_id IS NULL AND d.deleted_at IS NULL
              AND day.day >= $2 AND day.day < $3
              AND (day.day + 1)::bigint * 86400000000 <= d.days_until + $4
            GROUP BY day.day ORDER BY day.day";
        let (from, until) = (day_number(span.from), day_number(span.until));
        let rows = self.rows(sql, &[&reseller, &from, &until, &span.ahead])?;
        let day = |row: &_| {
            let mut columns = Columns::of(row);
            let date = row::date(columns.take()?)?;
            let consumption = Volume::from_millilitres(columns.take()?);
            Ok(FleetDay { date, consumption, meters: columns.take::<i64>()?.unsigned_abs() })
        };
        rows.iter().map(day).collect()
    }

    fn fleet_resets(&mut self, span: KeptSpan, limit: u32) -> StoreResult<Vec<DeviceId>> {
        let reseller = self.reseller()?;
        let sql = "SELECT d.id
            FROM device d JOIN day ON day.reseller_id = $1 AND day.device = d.key
            WHERE d.reseller_id = $1 AND d.deleted_at IS NULL AND day.is_reset
              AND day.day >= $2 AND day.day < $3
              AND (day.day + 1)::bigint * 86400000000 <= d.days_until + $4
            GROUP BY d.id ORDER BY max(day.day) DESC, d.id LIMIT $5";
        let (from, until) = (day_number(span.from), day_number(span.until));
        let limit = i64::from(limit);
        let rows = self.rows(sql, &[&reseller, &from, &until, &span.ahead, &limit])?;
        rows.iter().map(device_id).collect()
    }

    fn fleet_batteries(
        &mut self,
        [one, other]: [Range<Battery>; 2],
        limit: u32,
    ) -> StoreResult<Vec<DeviceId>> {
        let reseller = self.reseller()?;
        let sql = "SELECT id FROM device
            WHERE reseller_id = $1 AND deleted_at IS NULL
              AND (battery_uv >= $2 AND battery_uv < $3 OR battery_uv >= $4 AND battery_uv < $5)
            ORDER BY battery_uv, id LIMIT $6";
        let [from, until] = [one.start.microvolts(), one.end.microvolts()];
        let [other_from, other_until] = [other.start.microvolts(), other.end.microvolts()];
        let limit = i64::from(limit);
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
            [&reseller, &from, &until, &other_from, &other_until, &limit];
        let rows = self.rows(sql, &values)?;
        rows.iter().map(device_id).collect()
    }
}

fn device_id(row: &tokio_postgres::Row) -> StoreResult<DeviceId> {
    Ok(DeviceId::from_uuid(Columns::of(row).take()?))
}
