mod reader;

use weir_domain::Name;

use super::*;
use crate::testing::facts;
use reader::texts;

#[test]
fn a_report_says_who_what_when_and_how_much() {
    let facts = facts(31);
    let pages = texts(&render(&facts).unwrap());
    assert_eq!(pages.len(), 1);
    for said in [
        "Aguas del Sur",
        "Flat 3B, cold water",
        "70B3D57ED02A3654",
        "Residencial Los Álamos",
        "Zoë Núñez",
        "zoe@example.org",
        "1 March 2025, 10:15",
        "31 March 2025, 18:00",
        "Europe/Madrid",
        "812.457 m³",
        "Page 1 of 1",
        "31 Mar 2025",
        "no reading",
    ] {
        assert!(pages[0].contains(said), "{said} is not in {}", pages[0]);
    }
    assert!(pages[0].contains(&crate::format::cubic_metres(facts.total)));
    assert!(!pages[0].contains("replaced"));
}

#[test]
fn every_day_is_on_one_of_the_pages() {
    for days in [1, 51, 52, 210, 211, 450] {
        let facts = facts(days);
        let pages = texts(&render(&facts).unwrap());
        let rows = (days as usize).saturating_sub(51).div_ceil(159);
        assert_eq!(pages.len(), 1 + rows, "{days}");
        let all = pages.join(" ");
        for day in &facts.days {
            assert!(all.contains(&day.date.strftime("%-d %b %Y").to_string()), "{}", day.date);
        }
        for (at, page) in pages.iter().enumerate() {
            assert!(page.contains(&format!("Page {} of {}", at + 1, pages.len())));
        }
    }
}

#[test]
fn the_same_facts_make_the_same_bytes() {
    assert_eq!(render(&facts(40)).unwrap(), render(&facts(40)).unwrap());
}

#[test]
fn a_replaced_meter_and_one_that_was_never_read_are_told() {
    let mut facts = facts(3);
    facts.is_reset = true;
    assert!(texts(&render(&facts).unwrap())[0].contains("replaced"));
    (facts.opening, facts.closing, facts.is_reset) = (None, None, false);
    facts.days.iter_mut().for_each(|day| day.consumption = None);
    assert!(texts(&render(&facts).unwrap())[0].contains("Nothing was read"));
}

#[test]
fn no_name_breaks_the_page() {
    for name in
        ["x".repeat(255), "very long ".repeat(25), "שלום".into(), "水".repeat(9), "🚿".into()]
    {
        let mut facts = facts(2);
        facts.owner_name = Name::stored(name.clone());
        facts.device_name = Name::stored(name.clone());
        facts.reseller_name = Name::stored(name.clone());
        facts.customer_name = Some(Name::stored(name.clone()));
        facts.owner_email = Some(name);
        assert_eq!(texts(&render(&facts).unwrap()).len(), 1);
    }
}
