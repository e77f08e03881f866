//! Where ChirpStack v4 keeps its values.

use weir_domain::{Name, Reading};

use crate::envelope::Draft;
use crate::field::Field;
use crate::findings::Findings;
use crate::position;

/// The top-level fields of an uplink event.
#[derive(Debug)]
pub(crate) struct Event<'a, 'p> {
    pub(crate) device_info: Field<'a, 'p>,
    pub(crate) object: Field<'a, 'p>,
    pub(crate) time: Field<'a, 'p>,
}

impl<'a> Event<'a, '_> {
    pub(crate) fn read(&self, findings: &mut Findings) -> Draft<'a> {
        let [tenant, name, eui] =
            findings.members(&self.device_info, ["tenantName", "deviceName", "devEui"]);
        let tenant = findings.text(&tenant);
        let device_name = findings.optional_text(&name);
        let eui = findings.eui(&eui);
        let time = findings.time(&self.time);
        let [flow, battery, latitude, longitude, altitude] = findings.members(
            &self.object,
            ["cumulativeFlowM3", "batteryVoltage", "latitude", "longitude", "altitude"],
        );
        let volume = findings.volume(&flow);
        let battery = findings.optional_battery(&battery);
        let reading = time.zip(volume).map(|(time, volume)| Reading { time, volume, battery });
        Draft {
            tenant,
            eui,
            device_name: device_name.as_deref().and_then(Name::salvage),
            position: position::read(findings, [&latitude, &longitude, &altitude]),
            readings: reading.into_iter().collect(),
            simulated: false,
        }
    }
}
