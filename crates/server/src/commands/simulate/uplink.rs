//! Bodies as the two network servers post them.

use serde_json::{Value, json};
use weir_domain::Battery;

use super::meter::{Meter, Network};
use crate::household::chance;

/// The body that carries one of a meter's readings.
pub fn body(tenant: &str, meter: &Meter, turn: usize) -> String {
    match meter.network {
        Network::ChirpStack => chirpstack(tenant, meter, turn).to_string(),
        Network::TheThingsStack => things_stack(tenant, meter, turn).to_string(),
    }
}

/// How well a gateway heard an uplink, from -120 to -80 dBm.
fn signal(meter: &Meter, turn: usize) -> i64 {
    -80 - (chance(meter.eui.bits(), turn as u64) % 41) as i64
}

/// What the meter's decoder makes of a reading, the same for both servers.
fn decoded(meter: &Meter, turn: usize) -> Value {
    let reading = &meter.readings[turn];
    json!({
        "type": "standard",
        "datalogger": false,
        "alarm_active": false,
        "alarm_burst": false,
        "alarm_leakage": false,
        "alarm_low_battery": false,
        "alarm_overflow": false,
        "alarm_reverse_flow": false,
        "alarm_wrong_installation": false,
        "battery_status": "OK",
        "batteryVoltage": reading.battery.map(Battery::volts),
        "cumulativeFlow": reading.volume.litres(),
        "cumulativeFlowM3": reading.volume.cubic_metres(),
        "water": reading.volume.cubic_metres(),
    })
}

fn chirpstack(tenant: &str, meter: &Meter, turn: usize) -> Value {
    let (eui, time) = (meter.eui.as_str(), meter.readings[turn].time.to_string());
    json!({
        "deduplicationId": format!("31c688cc-a7ca-49cc-a831-{:012x}", meter.eui.bits() & 0xffff_ffff_ffff),
        "time": time,
        "deviceInfo": {
            "tenantId": "e3b98a4d-a31a-427d-abde-6e43033f66ba",
            "tenantName": tenant,
            "applicationId": "ca978112-ca1b-4dca-aac2-31b39a23dc4d",
            "applicationName": "water-meters",
            "deviceProfileId": "420b1a76-bacc-49bd-af32-4eddfe34b8e6",
            "deviceProfileName": "ultrasonic-dn20-hourly",
            "deviceName": format!("simulated-{}", &eui[12..]),
            "devEui": eui,
            "deviceClassEnabled": "CLASS_A",
            "tags": { "site": "B1" },
        },
        "devAddr": format!("01{}", &eui[10..]),
        "adr": true,
        "dr": 5,
        "fCnt": turn,
        "fPort": 1,
        "confirmed": false,
        "data": "RdIEAAAAAAAA",
        "object": decoded(meter, turn),
        "rxInfo": [{
            "gatewayId": "0016c001f153a14c",
            "uplinkId": 4_217_106_255_u32,
            "nsTime": time,
            "rssi": signal(meter, turn),
            "snr": 6.5,
            "channel": 2,
            "location": { "latitude": 52.37, "longitude": 4.91 },
            "context": "E3OWOQ==",
            "crcStatus": "CRC_OK",
        }],
        "txInfo": {
            "frequency": 868_100_000,
            "modulation": {
                "lora": { "bandwidth": 125_000, "spreadingFactor": 7, "codeRate": "CR_4_5" },
            },
        },
        "regionConfigId": "eu868",
    })
}

fn things_stack(tenant: &str, meter: &Meter, turn: usize) -> Value {
    let (eui, time) = (meter.eui.as_str(), meter.readings[turn].time.to_string());
    json!({
        "end_device_ids": {
            "device_id": format!("eui-{eui}"),
            "application_ids": { "application_id": tenant },
            "dev_eui": eui.to_uppercase(),
            "join_eui": "800000000000000C",
            "dev_addr": format!("27{}", eui[10..].to_uppercase()),
        },
        "correlation_ids": ["gs:uplink:01JRZ767CVCHBZW1Y8YG9PZ3TS"],
        "received_at": time,
        "uplink_message": {
            "session_key_id": "AXA50tHUGUucuzS/bCGMNw==",
            "f_port": 1,
            "f_cnt": turn,
            "frm_payload": "UNAHAAAAAAAB",
            "decoded_payload": decoded(meter, turn),
            "rx_metadata": [{
                "gateway_ids": { "gateway_id": "gtw1", "eui": "9C5C8E00001A05C4" },
                "time": time,
                "timestamp": 2_463_457_000_u32,
                "rssi": signal(meter, turn),
                "channel_rssi": signal(meter, turn),
                "snr": 6.5,
                "uplink_token": "ChIKEAoEZ3R3MRIInFyOAAAaBcQQ6L3Vlgk=",
                "received_at": time,
            }],
            "settings": {
                "data_rate": {
                    "lora": { "bandwidth": 125_000, "spreading_factor": 7, "coding_rate": "4/5" },
                },
                "frequency": "868100000",
                "timestamp": 2_463_457_000_u32,
            },
            "received_at": time,
            "consumed_airtime": "0.061696s",
            "network_ids": {
                "net_id": "000013",
                "ns_id": "EC656E0000000181",
                "tenant_id": "ttn",
                "cluster_id": "eu1",
                "cluster_address": "eu1.cloud.thethings.network",
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use weir_domain::Timestamp;
    use weir_uplink::{Format, Message};

    use super::*;
    use crate::commands::simulate::fleet::Block;

    #[test]
    fn the_service_understands_what_is_sent() {
        let now = Timestamp::parse("2026-11-15T08:30:00.123456Z").unwrap();
        for (number, format) in [(0x12a, Format::ChirpStack), (0xfffd, Format::TheThingsStack)] {
            let eui = Block::of("Reseller One").eui(number);
            let meter = Meter::new((number, eui), 0, None, 5, now);
            for turn in 0..5 {
                let body = body("Reseller One", &meter, turn);
                assert!((1_200..1_700).contains(&body.len()), "{}: {body}", body.len());
                let Ok(Message::Uplink(envelope)) = weir_uplink::read(body.as_bytes(), None) else {
                    panic!("no uplink: {body}")
                };
                assert_eq!(envelope.format(), format);
                assert_eq!(envelope.tenant(), Ok("Reseller One"));
                let uplink = envelope.uplink().unwrap();
                assert_eq!(uplink.eui, meter.eui);
                assert_eq!(uplink.readings, [meter.readings[turn]]);
                assert!(!uplink.simulated && uplink.device_name.is_some());
            }
        }
    }
}
