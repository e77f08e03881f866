//! The request that is sent over and over: an uplink as ChirpStack posts it, with a few places that
//! are overwritten before each sending. Everything keeps its width, so nothing is ever built anew.

use std::ops::Range;

use jiff::tz::Offset;
use weir_domain::Timestamp;

use crate::endpoint::Endpoint;
use crate::fleet::Meter;
use crate::hourly::INSTALLED;

/// Where uplinks are posted.
pub const PATH: &str = "/api/v1/ingest/water-consumption";

/// How many meters can be told apart by the last digits of their EUIs.
pub const MOST_METERS: i64 = 1 << 24;

/// The body up to, between and after the places that are overwritten: the time, the tenant, the
/// number in the device's name, the number in its EUI, and the volume.
const TEXT: [&str; 6] = [
    r#"{"deduplicationId":"5b1f0d9c-7a52-4c3e-9a44-0c2f6a1be870","time":""#,
    r#"+00:00","deviceInfo":{"tenantId":"0e8f4c52-61d7-4b0a-8f0d-3a9b7c25d1e4","tenantName":""#,
    r#"","applicationId":"9d2c6b7e-3f18-47aa-b1c5-6e0d84f2a913","applicationName":"metering","deviceProfileId":"c47a1e60-85b3-4d2f-9e76-12fa0b93d85c","deviceProfileName":"ultrasonic DN20 hourly","deviceName":"meter "#,
    r#"","devEui":"70b3d57ed1"#,
    r#"","deviceClassEnabled":"CLASS_A","tags":{"district":"north","building":"14b"}},"devAddr":"01a4c39e","adr":true,"dr":4,"fCnt":8124,"fPort":2,"confirmed":false,"data":"AwAPQkAB9A0CEQAAAAB9","object":{"batteryVoltage":3.612,"cumulativeFlowM3":"#,
    r#","flowRateLph":142.5,"temperatureC":11.8,"leak":false,"burst":false,"reverseFlow":false,"dry":false},"rxInfo":[{"gatewayId":"0016c001ff1a52d3","uplinkId":2718281828,"nsTime":"2026-01-05T06:00:01.117402+00:00","rssi":-103,"snr":4.2,"channel":3,"rfChain":1,"location":{"latitude":48.2082,"longitude":16.3738,"altitude":171.0},"context":"kJ2vHg==","crcStatus":"CRC_OK"},{"gatewayId":"0016c001ff1a6b07","uplinkId":1618033988,"nsTime":"2026-01-05T06:00:01.121935+00:00","rssi":-115,"snr":-3.8,"channel":3,"location":{"latitude":48.2114,"longitude":16.3655,"altitude":184.0},"context":"kJ3CTA==","crcStatus":"CRC_OK"}],"txInfo":{"frequency":867500000,"modulation":{"lora":{"bandwidth":125000,"spreadingFactor":8,"codeRate":"CR_4_5"}}},"regionConfigId":"eu868"}"#,
];

/// How wide these places are.
const WIDTHS: [usize; 5] =
    ["2026-01-05T06:00:00.250731".len(), "Bench".len(), 6, 6, "100000.000".len()];

/// Whose uplink it is said to be. Both names have the same length, and so have the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tenant {
    /// The reseller's own name.
    Right,
    /// Nobody's name.
    Wrong,
}

impl Tenant {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Right => "Bench",
            Self::Wrong => "Stray",
        }
    }
}

/// How long every body is.
pub fn body_size() -> usize {
    TEXT.iter().map(|text| text.len()).sum::<usize>() + WIDTHS.iter().sum::<usize>()
}

/// A request that posts an uplink.
#[derive(Debug)]
pub struct Request {
    bytes: Vec<u8>,
    places: [Range<usize>; 5],
}

impl Request {
    /// A request to this service, whose places are still to be written.
    pub fn new(endpoint: &Endpoint) -> Self {
        let mut bytes = endpoint.head("POST", PATH, body_size()).into_bytes();
        let [first, others @ ..] = TEXT;
        bytes.extend_from_slice(first.as_bytes());
        let mut places = WIDTHS.map(|width| 0..width);
        for (place, text) in places.iter_mut().zip(others) {
            *place = bytes.len()..bytes.len() + place.len();
            bytes.resize(place.end, b'0');
            bytes.extend_from_slice(text.as_bytes());
        }
        Self { bytes, places }
    }

    /// The whole request.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes the time of the reading, to the microsecond.
    pub fn set_time(&mut self, time: Timestamp) {
        let instant = jiff::Timestamp::from_microsecond(time.micros()).unwrap_or_default();
        let at = Offset::UTC.to_datetime(instant);
        let place = self.place(0);
        place.copy_from_slice(b"0000-00-00T00:00:00.000000");
        write_number::<10>(&mut place[..4], u32::from(at.year().unsigned_abs()));
        let parts = [at.month(), at.day(), at.hour(), at.minute(), at.second()];
        for (pair, part) in place[5..].chunks_mut(3).zip(parts) {
            write_number::<10>(&mut pair[..2], u32::from(part.unsigned_abs()));
        }
        write_number::<10>(&mut place[20..], at.subsec_nanosecond().unsigned_abs() / 1_000);
    }

    /// Writes the tenant's name.
    pub fn set_tenant(&mut self, tenant: Tenant) {
        self.place(1).copy_from_slice(tenant.name().as_bytes());
    }

    /// Writes which meter sends it.
    pub fn set_meter(&mut self, Meter(number): Meter) {
        write_number::<16>(self.place(2), number);
        write_number::<16>(self.place(3), number);
    }

    /// Writes what the meter shows: so many litres since it was installed.
    pub fn set_volume(&mut self, litres: u32) {
        let litres = INSTALLED.saturating_add(litres);
        let place = self.place(4);
        write_number::<10>(&mut place[..6], litres / 1_000);
        place[6] = b'.';
        write_number::<10>(&mut place[7..], litres % 1_000);
    }

    fn place(&mut self, index: usize) -> &mut [u8] {
        &mut self.bytes[self.places[index].clone()]
    }
}

/// Fills a place with the last digits of a number, in lower case.
fn write_number<const BASE: u32>(place: &mut [u8], mut number: u32) {
    for digit in place.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number % BASE) as usize];
        number /= BASE;
    }
}

#[cfg(test)]
mod tests {
    use weir_uplink::{Format, Message};

    use super::*;

    fn request() -> Request {
        let address = "127.0.0.1:8080".parse().unwrap();
        Request::new(&Endpoint { address, api_key: "weir_key".into() })
    }

    fn body(request: &Request) -> &str {
        std::str::from_utf8(request.bytes()).unwrap().split_once("\r\n\r\n").unwrap().1
    }

    #[test]
    fn the_service_understands_what_is_sent() {
        let mut request = request();
        let time = Timestamp::parse("2031-12-09T23:05:47.008091Z").unwrap();
        let meter = Meter(0xabc_def);
        request.set_time(time);
        request.set_tenant(Tenant::Right);
        request.set_meter(meter);
        request.set_volume(1_234_567);
        let Ok(Message::Uplink(envelope)) = weir_uplink::read(body(&request).as_bytes(), None)
        else {
            panic!("no uplink: {}", body(&request))
        };
        assert_eq!(envelope.format(), Format::ChirpStack);
        assert_eq!(envelope.tenant().unwrap(), "Bench");
        let uplink = envelope.uplink().unwrap();
        assert_eq!(uplink.eui, meter.eui());
        assert_eq!(uplink.readings[0].time, time);
        assert_eq!(uplink.readings[0].volume.litres(), 101_234_567.0);
        let json: serde_json::Value = serde_json::from_str(body(&request)).unwrap();
        assert_eq!(json["deviceInfo"]["deviceName"], "meter abcdef");
    }

    #[test]
    fn all_bodies_have_the_size_of_a_real_one_and_tell_it() {
        let (mut right, mut wrong) = (request(), request());
        right.set_tenant(Tenant::Right);
        wrong.set_tenant(Tenant::Wrong);
        assert_ne!(body(&right), body(&wrong));
        let length = body_size();
        assert_eq!((body(&right).len(), body(&wrong).len()), (length, length));
        assert!((1_380..1_500).contains(&length), "{length}");
        let head = String::from_utf8(right.bytes().to_vec()).unwrap();
        assert!(head.contains(&format!("Content-Length: {length}\r\n\r\n{{")), "{head}");
    }
}
