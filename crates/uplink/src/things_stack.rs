//! Where The Things Stack v3 keeps its values.
//!
//! Its envelope leaves out what is zero, but a decoder's output is passed on as it is: a volume that
//! is not there is unknown, never zero.

use weir_domain::{Name, Reading, Timestamp};

use crate::envelope::Draft;
use crate::field::Field;
use crate::findings::Findings;
use crate::{normalized, position};

/// The top-level fields of an uplink message.
#[derive(Debug)]
pub(crate) struct Message<'a, 'p> {
    pub(crate) end_device_ids: Field<'a, 'p>,
    pub(crate) uplink_message: Field<'a, 'p>,
    pub(crate) received_at: Field<'a, 'p>,
    pub(crate) simulated: Field<'a, 'p>,
}

impl<'a> Message<'a, '_> {
    pub(crate) fn read(&self, findings: &mut Findings) -> Draft<'a> {
        let [application, name, eui] =
            findings.members(&self.end_device_ids, ["application_ids", "device_id", "dev_eui"]);
        let [tenant] = findings.members(&application, ["application_id"]);
        let tenant = findings.text(&tenant);
        let device_name = findings.optional_text(&name);
        let eui = findings.eui(&eui);
        let received_at = findings.time(&self.received_at);
        let simulated = findings.optional_boolean(&self.simulated);

        let [decoded, normalized] =
            findings.members(&self.uplink_message, ["decoded_payload", "normalized_payload"]);
        let decoded = decoded.unless_null();
        let [flow, battery, voltage, latitude, longitude, altitude] = findings.members(
            &decoded,
            ["cumulativeFlowM3", "battery", "batteryVoltage", "latitude", "longitude", "altitude"],
        );
        let readings = if flow.is_absent() {
            let readings = normalized::read(findings, &normalized, received_at);
            readings.unwrap_or_else(|| {
                findings.miss(&flow);
                Vec::new()
            })
        } else {
            read_decoded(findings, [&flow, &battery, &voltage], received_at)
        };
        Draft {
            tenant,
            eui,
            device_name: device_name.as_deref().and_then(Name::salvage),
            position: position::read(findings, [&latitude, &longitude, &altitude]),
            readings,
            simulated: simulated.unwrap_or(false),
        }
    }
}

/// The reading in the output of the device's own decoder.
fn read_decoded(
    findings: &mut Findings,
    [flow, battery, voltage]: [&Field<'_, '_>; 3],
    received_at: Option<Timestamp>,
) -> Vec<Reading> {
    let volume = findings.volume(flow);
    let has_battery = !battery.unless_null().is_absent();
    let battery = findings.optional_battery(if has_battery { battery } else { voltage });
    let reading = received_at.zip(volume).map(|(time, volume)| Reading { time, volume, battery });
    reading.into_iter().collect()
}
