//! The names that payloads may call a reseller by.

use serde_json::{Value, json};
use weir_app::resellers::{NewReseller, ResellerChange};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, loc};
use crate::support::*;

on_both_stores!(
    name_slug_and_aliases_count_ignoring_case_and_surrounding_space,
    a_name_counts_from_when_it_is_given_until_it_is_taken,
);

async fn name_slug_and_aliases_count_ignoring_case_and_surrounding_space(app: TestApp) {
    let aliases = vec![name("water-meters"), name("Ärger GmbH")];
    let new = NewReseller { aliases, ..reseller("Müller & Söhne Wasser") };
    let acme = app.reseller_as(new).await;
    app.reseller("Globex").await;
    acme.register(EUI).await;
    assert_eq!(acme.reseller().slug, "müller-söhne-wasser");
    for form in &FORMATS {
        let post = async |tenant: &str| {
            acme.ingest((form.uplink)(tenant, EUI, &app.clock.ago(hours(1)), 1.0)).await
        };
        for own in [
            "Müller & Söhne Wasser",
            "MÜLLER & SÖHNE WASSER",
            "müller-söhne-wasser",
            "Müller-Söhne-WASSER",
            "water-meters",
            "Water-METERS",
            " \t water-meters \n",
            "ÄRGER gmbh",
            "\u{a0}ärger gmbh",
        ] {
            post(own).await.ok();
        }
        for other in [
            "Globex",
            "globex",
            "Müller",
            "Müller  &  Söhne Wasser",
            "water meters",
            "water-meters2",
            "",
            " ",
            "muller-sohne-wasser",
            "%",
            "_",
            "*",
        ] {
            post(other).await.refused(403, "TENANT_MISMATCH");
        }
        for wrong in [Value::Null, json!(7), json!(["water-meters"]), json!({})] {
            let uplink = (form.uplink)("", EUI, &app.clock.ago(hours(1)), 1.0);
            assert_eq!(
                acme.ingest(with(uplink, form.tenant, wrong)).await.fields(),
                [loc(form.tenant)]
            );
        }
        let uplink = (form.uplink)("", EUI, &app.clock.ago(hours(1)), 1.0);
        assert_eq!(acme.ingest(without(uplink, form.tenant)).await.fields(), [loc(form.tenant)]);
    }
}

async fn a_name_counts_from_when_it_is_given_until_it_is_taken(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let form = &FORMATS[1];
    let post = async |tenant: &str| {
        acme.ingest((form.uplink)(tenant, EUI, &app.clock.ago(hours(1)), 1.0)).await
    };
    let alias = || vec![name("Water Works")];
    post("water works").await.refused(403, "TENANT_MISMATCH");
    app.change(&acme, ResellerChange { add_aliases: alias(), ..Default::default() }).await;
    post("water works").await.ok();
    app.change(&acme, ResellerChange { remove_aliases: alias(), ..Default::default() }).await;
    post("water works").await.refused(403, "TENANT_MISMATCH");
    let renamed = ResellerChange { name: Some(name("Umbrella")), ..Default::default() };
    app.change(&acme, renamed).await;
    post("umbrella").await.ok();
    post("acme").await.refused(403, "TENANT_MISMATCH");
}
