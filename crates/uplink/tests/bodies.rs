//! Bodies as both network servers post them, and what comes out of each.
//!
//! The envelopes are the servers' own and the decoded objects those that decoders of real meters
//! give; EUIs, tenants and radio figures are made up. `edge` bodies are what a server also posts, or
//! posts at its limits; `mapped` ones had `cumulativeFlowM3` added to a decoder's output.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use support::outcome;

mod support;

/// File, `event` parameter, outcome. ChirpStack names its events; what comes without the name is told
/// apart by its keys alone.
const TABLE: &[(&str, Option<&str>, &str)] = &[
    (
        "chirpstack_aqualinks-datalogger-negative",
        Some("up"),
        "fields: body.object.cumulativeFlowM3 must be a number from 0 to 1000000000 (cubic metres)",
    ),
    (
        "chirpstack_aqualinks-datalogger-temp",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0dd9603 aqualinks-datalogger-temp, 2026-03-29T00:59:58.123456+00:00 123456.789 m³",
    ),
    (
        "chirpstack_aqualinks-lowbatt",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0dd9603 aqualinks-lowbatt, 2026-03-29T00:59:58.123456+00:00 1.234 m³",
    ),
    (
        "chirpstack_aqualinks-max28bit-allalarms",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0dd9603 aqualinks-max28bit-allalarms, 2026-03-29T00:59:58.123456+00:00 268435.455 m³",
    ),
    (
        "chirpstack_aqualinks-s1-leak",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed075c247 aqualinks-s1-leak, 2026-03-29T00:59:58.123456+00:00 2 m³",
    ),
    (
        "chirpstack_aqualinks-s1-standard",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed02a3654 aqualinks-s1-standard, 2026-03-29T00:59:58.123456+00:00 1 m³",
    ),
    (
        "chirpstack_aqualinks-with-voltage",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0dd9603 aqualinks-with-voltage, 2026-03-29T00:59:58.123456+00:00 1.234 m³ 3.58 V",
    ),
    ("chirpstack_axioma-w1-hourly", Some("up"), "fields: body.object.cumulativeFlowM3 is required"),
    (
        "chirpstack_edge_1980_time",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0a1cb10 edge, 1980-01-21T23:17:20.234000+00:00 1.234 m³",
    ),
    ("chirpstack_edge_ack", Some("ack"), "ignored: The event is \"ack\", not \"up\"."),
    (
        "chirpstack_edge_ack",
        None,
        "unknown: deduplicationId time deviceInfo queueItemId acknowledged fCntDown",
    ),
    (
        "chirpstack_edge_empty_object",
        Some("up"),
        "fields: body.object.cumulativeFlowM3 is required",
    ),
    (
        "chirpstack_edge_integration_legacy",
        Some("integration"),
        "ignored: The event is \"integration\", not \"up\".",
    ),
    (
        "chirpstack_edge_integration_legacy",
        None,
        "fields: body.object.cumulativeFlowM3 is required",
    ),
    ("chirpstack_edge_join", Some("join"), "ignored: The event is \"join\", not \"up\"."),
    (
        "chirpstack_edge_join",
        None,
        "unknown: deduplicationId time deviceInfo devAddr regionConfigId",
    ),
    (
        "chirpstack_edge_location",
        Some("location"),
        "ignored: The event is \"location\", not \"up\".",
    ),
    ("chirpstack_edge_location", None, "unknown: deduplicationId time deviceInfo location"),
    ("chirpstack_edge_log", Some("log"), "ignored: The event is \"log\", not \"up\"."),
    ("chirpstack_edge_log", None, "unknown: time deviceInfo level code description context"),
    (
        "chirpstack_edge_mac_only",
        Some("up"),
        "unknown: deduplicationId time deviceInfo devAddr adr dr fCnt fPort confirmed data rxInfo txInfo regionConfigId",
    ),
    (
        "chirpstack_edge_nanos",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0a1cb10 edge, 2022-07-18T09:34:15.775023+00:00 1.234 m³",
    ),
    (
        "chirpstack_edge_no_codec",
        Some("up"),
        "unknown: deduplicationId time deviceInfo devAddr adr dr fCnt fPort confirmed data rxInfo txInfo regionConfigId",
    ),
    (
        "chirpstack_edge_no_fraction",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0a1cb10 edge, 2026-03-29T01:00:00+00:00 1.234 m³",
    ),
    (
        "chirpstack_edge_null_value",
        Some("up"),
        "fields: body.object.cumulativeFlowM3 must be a number, not null",
    ),
    ("chirpstack_edge_status", Some("status"), "ignored: The event is \"status\", not \"up\"."),
    (
        "chirpstack_edge_status",
        None,
        "unknown: deduplicationId time deviceInfo margin externalPowerSource batteryLevelUnavailable batteryLevel",
    ),
    (
        "chirpstack_edge_string_value",
        Some("up"),
        "fields: body.object.cumulativeFlowM3 must be a number, not a string",
    ),
    ("chirpstack_edge_txack", Some("txack"), "ignored: The event is \"txack\", not \"up\"."),
    (
        "chirpstack_edge_txack",
        None,
        "unknown: downlinkId time deviceInfo queueItemId fCntDown gatewayId txInfo",
    ),
    (
        "chirpstack_kamstrup-flowiq2200-hourly",
        Some("up"),
        "fields: body.object.cumulativeFlowM3 is required",
    ),
    (
        "chirpstack_mapped_arad-xtr-datalog",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0288c33 marad-xtr-datalog, 2026-03-29T00:59:58.123456+00:00 229.233 m³ 3.651 V",
    ),
    (
        "chirpstack_mapped_axioma-w1-hourly",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed027478f maxioma-w1-hourly, 2026-03-29T00:59:58.123456+00:00 103.72 m³",
    ),
    (
        "chirpstack_mapped_decentlab-dlr2-002",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed07f9746 mdecentlab-dlr2-002, 2026-03-29T00:59:58.123456+00:00 0 m³ 3.227 V",
    ),
    (
        "chirpstack_mapped_kamstrup-flowiq2200-hourly",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0080226 mkamstrup-flowiq2200-hourly, 2026-03-29T00:59:58.123456+00:00 7842.497 m³",
    ),
    (
        "chirpstack_mapped_netvox-r718h",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0a19355 mnetvox-r718h, 2026-03-29T00:59:58.123456+00:00 1 m³ 3.6 V",
    ),
    (
        "chirpstack_mapped_quandify-cubicmeter",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0f23ea3 mquandify-cubicmeter, 2026-03-29T00:59:58.123456+00:00 5.342 m³ 3.608 V",
    ),
    (
        "chirpstack_mapped_sensus-iperl-alarm",
        Some("up"),
        "Reseller One: chirpstack 70b3d57ed0c8086b msensus-iperl-alarm, 2026-03-29T00:59:58.123456+00:00 25041.978 m³",
    ),
    (
        "tts_aqualinks-s1-leak",
        None,
        "water-meters: the_things_stack 70B3D57ED075C247 eui-70b3d57ed075c247, 2026-03-29T00:59:58.395136+00:00 2 m³",
    ),
    (
        "tts_aqualinks-s1-standard",
        None,
        "water-meters: the_things_stack 70B3D57ED02A3654 eui-70b3d57ed02a3654, 2026-03-29T00:59:58.395136+00:00 1 m³",
    ),
    (
        "tts_decentlab-dlr2-002",
        None,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 is required",
    ),
    ("tts_edge_abp_no_dev_eui", None, "fields: body.end_device_ids.dev_eui is required"),
    (
        "tts_edge_downlink_failed",
        None,
        "ignored: The message is \"downlink_failed\", not an uplink.",
    ),
    (
        "tts_edge_downlink_queued",
        None,
        "ignored: The message is \"downlink_queued\", not an uplink.",
    ),
    (
        "tts_edge_empty_uplink",
        None,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 is required",
    ),
    (
        "tts_edge_fcnt0",
        None,
        "water-meters: the_things_stack 70B3D57ED0A1CB10 eui-70b3d57ed0a1cb10, 2026-03-29T00:59:58.395136+00:00 1.234 m³ 3.6 V",
    ),
    ("tts_edge_field_mask_no_ids", None, "unknown: uplink_message"),
    ("tts_edge_join_accept", None, "ignored: The message is \"join_accept\", not an uplink."),
    (
        "tts_edge_last_battery_percentage",
        None,
        "water-meters: the_things_stack 70B3D57ED0A1CB10 eui-70b3d57ed0a1cb10, 2026-03-29T00:59:58.395136+00:00 1.234 m³ 3.6 V",
    ),
    (
        "tts_edge_location_solved",
        None,
        "ignored: The message is \"location_solved\", not an uplink.",
    ),
    (
        "tts_edge_no_decoder",
        None,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 is required",
    ),
    (
        "tts_edge_normalized_multi",
        None,
        "water-meters: the_things_stack 70B3D57ED0A1CB10 eui-70b3d57ed0a1cb10, 2026-03-29T00:59:58.395136+00:00 1.234 m³ 3.6 V",
    ),
    (
        "tts_edge_normalized_only",
        None,
        "water-meters: the_things_stack 70B3D57ED0A1CB10 eui-70b3d57ed0a1cb10, 2026-03-29T00:00:00+00:00 1.234 m³ 3.6 V",
    ),
    ("tts_edge_service_data", None, "ignored: The message is \"service_data\", not an uplink."),
    (
        "tts_edge_simulated",
        None,
        "water-meters: the_things_stack 70B3D57ED0A1CB10 eui-70b3d57ed0a1cb10, 2026-03-29T00:59:58.395136+00:00 1.234 m³ 3.6 V, simulated",
    ),
    (
        "tts_edge_uplink_normalized",
        None,
        "ignored: The message is \"uplink_normalized\", not an uplink.",
    ),
    (
        "tts_mapped_arad-xtr-datalog",
        None,
        "water-meters: the_things_stack 70B3D57ED0288C33 eui-70b3d57ed0288c33, 2026-03-29T00:59:58.395136+00:00 229.233 m³ 3.651 V",
    ),
    (
        "tts_mapped_axioma-w1-hourly",
        None,
        "water-meters: the_things_stack 70B3D57ED027478F eui-70b3d57ed027478f, 2026-03-29T00:59:58.395136+00:00 103.72 m³",
    ),
    (
        "tts_mapped_decentlab-dlr2-002",
        None,
        "water-meters: the_things_stack 70B3D57ED07F9746 eui-70b3d57ed07f9746, 2026-03-29T00:59:58.395136+00:00 0 m³ 3.227 V",
    ),
    (
        "tts_mapped_kamstrup-flowiq2200-hourly",
        None,
        "water-meters: the_things_stack 70B3D57ED0080226 eui-70b3d57ed0080226, 2026-03-29T00:59:58.395136+00:00 7842.497 m³",
    ),
    (
        "tts_mapped_netvox-r718h",
        None,
        "water-meters: the_things_stack 70B3D57ED0A19355 eui-70b3d57ed0a19355, 2026-03-29T00:59:58.395136+00:00 1 m³ 3.6 V",
    ),
    (
        "tts_mapped_quandify-cubicmeter",
        None,
        "water-meters: the_things_stack 70B3D57ED0F23EA3 eui-70b3d57ed0f23ea3, 2026-03-29T00:59:58.395136+00:00 5.342 m³ 3.608 V",
    ),
    (
        "tts_mapped_sensus-iperl-alarm",
        None,
        "water-meters: the_things_stack 70B3D57ED0C8086B eui-70b3d57ed0c8086b, 2026-03-29T00:59:58.395136+00:00 25041.978 m³",
    ),
    (
        "tts_milesight-em300-di",
        None,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 is required",
    ),
    (
        "tts_quandify-cubicmeter",
        None,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 is required",
    ),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/uplinks")
}

#[test]
fn every_body_comes_out_as_the_table_says() {
    for (name, event, expected) in TABLE {
        let body = fs::read(folder().join(format!("{name}.json"))).unwrap();
        assert_eq!(&outcome(&body, *event), expected, "{name}, event {event:?}");
    }
}

#[test]
fn the_table_and_the_folder_hold_the_same_names() {
    let files: BTreeSet<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let rows: BTreeSet<_> = TABLE.iter().map(|(name, _, _)| format!("{name}.json")).collect();
    assert_eq!(files, rows);
}
