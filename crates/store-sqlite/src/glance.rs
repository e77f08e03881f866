//! The fleet as a whole.

use std::ops::Range;

use weir_domain::{Battery, DeviceId};
use weir_store::{FleetDay, FleetReads, KeptSpan, StoreResult};

use crate::day::number_of;
use crate::row;
use crate::tx::Tx;

/// The sum is a rounded one where it is beyond all measure.
pub(crate) const DAYS: &str = "SELECT day.day, CAST(total(day.consumption) AS INTEGER), count(*)
     FROM gate.device AS device CROSS JOIN gate.day AS day ON day.device = device.key
     WHERE device.parent_id IS NULL AND device.deleted_at IS NULL
       AND day.day >= ?1 AND day.day < ?2
       AND (day.day + 1) * 86400000000 <= device.days_until + ?3
     GROUP BY day.day ORDER BY day.day";

pub(crate) const RESETS: &str = "SELECT device.id
     FROM gate.device AS device CROSS JOIN gate.day AS day ON day.device = device.key
     WHERE device.deleted_at IS NULL AND day.is_reset
       AND day.day >= ?1 AND day.day < ?2
       AND (day.day + 1) * 86400000000 <= device.days_until + ?3
     GROUP BY device.id ORDER BY max(day.day) DESC, device.id LIMIT ?4";

const BATTERIES: &str = "SELECT id FROM gate.device
     WHERE deleted_at IS NULL
       AND (battery_uv >= ?1 AND battery_uv < ?2 OR battery_uv >= ?3 AND battery_uv < ?4)
     ORDER BY battery_uv, id LIMIT ?5";

impl FleetReads for Tx<'_> {
    fn fleet_days(&mut self, span: KeptSpan) -> StoreResult<Vec<FleetDay>> {
        let values = (number_of(span.from), number_of(span.until), span.ahead);
        self.all(DAYS, values, row::fleet_day)
    }

    fn fleet_resets(&mut self, span: KeptSpan, limit: u32) -> StoreResult<Vec<DeviceId>> {
        let values = (number_of(span.from), number_of(span.until), span.ahead, limit);
        self.all(RESETS, values, row::device_id)
    }

    fn fleet_batteries(
        &mut self,
        [one, other]: [Range<Battery>; 2],
        limit: u32,
    ) -> StoreResult<Vec<DeviceId>> {
        let values = (
            one.start.microvolts(),
            one.end.microvolts(),
            other.start.microvolts(),
            other.end.microvolts(),
            limit,
        );
        self.all(BATTERIES, values, row::device_id)
    }
}
