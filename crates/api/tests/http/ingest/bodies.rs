//! Bodies as both network servers post them, through the whole of the service.

use std::collections::BTreeSet;
use std::path::PathBuf;

use weir_app::resellers::NewReseller;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

/// What becomes of a body.
enum Outcome {
    /// A reading of so many litres.
    Stored(f64),
    /// No uplink, and no error.
    Ignored,
    /// Fields are missing or wrong.
    Fields,
    /// The keys of no format.
    Unknown,
}

use Outcome::{Fields, Ignored, Stored, Unknown};

/// The name of the file, the event that ChirpStack says it is, and what becomes of it.
const TABLE: &[(&str, &str, Outcome)] = &[
    ("chirpstack_aqualinks-datalogger-negative", "up", Fields),
    ("chirpstack_aqualinks-datalogger-temp", "up", Stored(123_456_789.0)),
    ("chirpstack_aqualinks-lowbatt", "up", Stored(1234.0)),
    ("chirpstack_aqualinks-max28bit-allalarms", "up", Stored(268_435_455.0)),
    ("chirpstack_aqualinks-s1-leak", "up", Stored(2000.0)),
    ("chirpstack_aqualinks-s1-standard", "up", Stored(1000.0)),
    ("chirpstack_aqualinks-with-voltage", "up", Stored(1234.0)),
    ("chirpstack_axioma-w1-hourly", "up", Fields),
    ("chirpstack_edge_1980_time", "up", Stored(1234.0)),
    ("chirpstack_edge_ack", "ack", Ignored),
    ("chirpstack_edge_ack", "", Unknown),
    ("chirpstack_edge_empty_object", "up", Fields),
    ("chirpstack_edge_integration_legacy", "integration", Ignored),
    ("chirpstack_edge_integration_legacy", "", Fields),
    ("chirpstack_edge_join", "join", Ignored),
    ("chirpstack_edge_join", "", Unknown),
    ("chirpstack_edge_location", "location", Ignored),
    ("chirpstack_edge_log", "log", Ignored),
    ("chirpstack_edge_mac_only", "up", Unknown),
    ("chirpstack_edge_nanos", "up", Stored(1234.0)),
    ("chirpstack_edge_no_codec", "up", Unknown),
    ("chirpstack_edge_no_fraction", "up", Stored(1234.0)),
    ("chirpstack_edge_null_value", "up", Fields),
    ("chirpstack_edge_status", "status", Ignored),
    ("chirpstack_edge_string_value", "up", Fields),
    ("chirpstack_edge_txack", "txack", Ignored),
    ("chirpstack_kamstrup-flowiq2200-hourly", "up", Fields),
    ("chirpstack_mapped_arad-xtr-datalog", "up", Stored(229_233.0)),
    ("chirpstack_mapped_axioma-w1-hourly", "up", Stored(103_720.0)),
    ("chirpstack_mapped_decentlab-dlr2-002", "up", Stored(0.0)),
    ("chirpstack_mapped_kamstrup-flowiq2200-hourly", "up", Stored(7_842_497.0)),
    ("chirpstack_mapped_netvox-r718h", "up", Stored(1000.0)),
    ("chirpstack_mapped_quandify-cubicmeter", "up", Stored(5342.0)),
    ("chirpstack_mapped_sensus-iperl-alarm", "up", Stored(25_041_978.0)),
    ("tts_aqualinks-s1-leak", "", Stored(2000.0)),
    ("tts_aqualinks-s1-standard", "", Stored(1000.0)),
    ("tts_decentlab-dlr2-002", "", Fields),
    ("tts_edge_abp_no_dev_eui", "", Fields),
    ("tts_edge_downlink_failed", "", Ignored),
    ("tts_edge_downlink_queued", "", Ignored),
    ("tts_edge_empty_uplink", "", Fields),
    ("tts_edge_fcnt0", "", Stored(1234.0)),
    ("tts_edge_field_mask_no_ids", "", Unknown),
    ("tts_edge_join_accept", "", Ignored),
    ("tts_edge_last_battery_percentage", "", Stored(1234.0)),
    ("tts_edge_location_solved", "", Ignored),
    ("tts_edge_no_decoder", "", Fields),
    ("tts_edge_normalized_multi", "", Stored(1234.0)),
    ("tts_edge_normalized_only", "", Stored(1234.0)),
    ("tts_edge_service_data", "", Ignored),
    ("tts_edge_simulated", "", Stored(1234.0)),
    ("tts_edge_uplink_normalized", "", Ignored),
    ("tts_mapped_arad-xtr-datalog", "", Stored(229_233.0)),
    ("tts_mapped_axioma-w1-hourly", "", Stored(103_720.0)),
    ("tts_mapped_decentlab-dlr2-002", "", Stored(0.0)),
    ("tts_mapped_kamstrup-flowiq2200-hourly", "", Stored(7_842_497.0)),
    ("tts_mapped_netvox-r718h", "", Stored(1000.0)),
    ("tts_mapped_quandify-cubicmeter", "", Stored(5342.0)),
    ("tts_mapped_sensus-iperl-alarm", "", Stored(25_041_978.0)),
    ("tts_milesight-em300-di", "", Fields),
    ("tts_quandify-cubicmeter", "", Fields),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../uplink/tests/uplinks")
}

on_both_stores!(every_body_ends_as_the_table_says,);

async fn every_body_ends_as_the_table_says(app: TestApp) {
    let aliases = vec![name("water-meters")];
    let reseller = app.reseller_as(NewReseller { aliases, ..reseller("Reseller One") }).await;
    let mut registered = BTreeSet::new();
    for (file, event, outcome) in TABLE {
        let body = std::fs::read(folder().join(format!("{file}.json"))).unwrap();
        let path = match *event {
            "" => INGEST.to_owned(),
            event => format!("{INGEST}?event={event}"),
        };
        let post = async || reseller.post_raw(&path, body.clone()).await;
        match outcome {
            Stored(litres) => {
                let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
                let eui =
                    body.pointer("/deviceInfo/devEui").or(body.pointer("/end_device_ids/dev_eui"));
                let eui = eui.unwrap().as_str().unwrap();
                if registered.insert(eui.to_lowercase()) {
                    post().await.refused(404, "DEVICE_NOT_FOUND");
                    reseller.register(eui).await;
                }
                let result = post().await.ok();
                assert_eq!(result["consumption_liters"], *litres, "{file}");
                let format =
                    if file.starts_with("tts") { "the_things_stack" } else { "chirpstack" };
                assert_eq!(result["format"], format, "{file}");
                assert_eq!(result["time_replaced"] == true, file.contains("1980"), "{file}");
                assert_eq!(result["simulated"] == true, file.contains("simulated"), "{file}");
            }
            Ignored => assert_eq!(post().await.ok()["ignored"], true, "{file}"),
            Fields => assert!(!post().await.fields().is_empty(), "{file}"),
            Unknown => drop(post().await.refused(400, "INVALID_PAYLOAD_FORMAT")),
        }
    }
    assert_eq!(reseller.get(UNREGISTERED).await.ok(), serde_json::json!([]));
}

#[test]
fn the_table_and_the_folder_hold_the_same_names() {
    let files = std::fs::read_dir(folder()).unwrap();
    let files: BTreeSet<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let rows: BTreeSet<_> = TABLE.iter().map(|(name, ..)| format!("{name}.json")).collect();
    assert_eq!(files, rows);
}
