//! The head of a report: who, what, when, and how much.

use weir_app::reports::ReportFacts;
use weir_domain::{Calendar, Timestamp, Volume};

use super::ink::{Align, Colour, Pen};
use super::{LEFT, RIGHT};
use crate::format::cubic_metres;

const MIDDLE: f32 = (LEFT + RIGHT) / 2.0 + 8.0;
const COLUMN: f32 = RIGHT - MIDDLE;

/// Draws it, and says where it ends.
pub(super) fn draw(pen: &mut Pen<'_>, facts: &ReportFacts) -> f32 {
    pen.rectangle([LEFT, 50.0], [28.0, 3.0], Colour::Water);
    let reseller = pen.fitted(facts.reseller_name.as_str(), 10.0, true, RIGHT - LEFT);
    pen.text([LEFT, 72.0], &reseller, 10.0, true, Colour::Muted, Align::Left);
    pen.text([LEFT, 98.0], "Water consumption report", 20.0, true, Colour::Ink, Align::Left);

    let meter = pen.lines(facts.device_name.as_str(), 11.0, true, COLUMN, 2);
    let customer = facts.customer_name.as_ref().map(|name| name.as_str());
    let customer = customer.map(|name| pen.fitted(name, 9.0, false, COLUMN));
    let about = [Some(format!("EUI {}", facts.dev_eui)), customer];
    let about: Vec<_> = about.into_iter().flatten().collect();
    let left = block(pen, [LEFT, 130.0], "METER", &meter, &about);
    let owner = pen.lines(facts.owner_name.as_str(), 11.0, true, COLUMN, 2);
    let email = facts.owner_email.as_ref().map(|email| pen.fitted(email, 9.0, false, COLUMN));
    let right = block(pen, [MIDDLE, 130.0], "OWNER", &owner, email.as_slice());

    let y = left.max(right) + 26.0;
    let period =
        format!("{} – {}", moment(facts, facts.period_start), moment(facts, facts.period_end));
    let zone = format!("Times of {}", facts.timezone);
    let y = block(pen, [LEFT, y], "PERIOD OF OWNERSHIP", &[period], &[zone]);
    figures(pen, facts, y + 14.0)
}

/// A heading, what it is about, and details; says where it ends.
fn block(
    pen: &mut Pen<'_>,
    [x, mut y]: [f32; 2],
    heading: &str,
    names: &[String],
    details: &[String],
) -> f32 {
    pen.text([x, y], heading, 7.0, true, Colour::Water, Align::Left);
    for name in names {
        y += 15.0;
        pen.text([x, y], name, 11.0, true, Colour::Ink, Align::Left);
    }
    for detail in details {
        y += 15.0;
        pen.text([x, y], detail, 9.0, false, Colour::Muted, Align::Left);
    }
    y
}

fn moment(facts: &ReportFacts, at: Timestamp) -> String {
    let calendar = Calendar::named(&facts.timezone).unwrap_or(Calendar::UTC);
    calendar.clocks_at(at).strftime("%-d %B %Y, %H:%M").to_string()
}

/// The three figures that a bill is made of.
fn figures(pen: &mut Pen<'_>, facts: &ReportFacts, top: f32) -> f32 {
    let width = (RIGHT - LEFT - 24.0) / 3.0;
    let shown = |volume: Option<Volume>| volume.map_or_else(|| "–".to_owned(), metres);
    for (at, (heading, figure, colour)) in [
        ("Opening index", shown(facts.opening), Colour::Ink),
        ("Closing index", shown(facts.closing), Colour::Ink),
        ("Consumption", metres(facts.total), Colour::Water),
    ]
    .into_iter()
    .enumerate()
    {
        let x = LEFT + at as f32 * (width + 12.0);
        pen.rectangle([x, top], [width, 54.0], Colour::Pale);
        pen.text([x + 12.0, top + 19.0], heading, 8.5, false, Colour::Muted, Align::Left);
        let figure = pen.fitted(&figure, 15.0, true, width - 20.0);
        pen.text([x + 12.0, top + 41.0], &figure, 15.0, true, colour, Align::Left);
    }
    let mut y = top + 54.0;
    let remarks = [
        (facts.opening.is_none(), "Nothing was read within the period."),
        (
            facts.is_reset,
            "The meter was replaced within the period. The consumption adds up what each meter counted.",
        ),
    ];
    for (_, remark) in remarks.into_iter().filter(|(applies, _)| *applies) {
        y += 16.0;
        pen.text([LEFT, y], remark, 8.5, false, Colour::Muted, Align::Left);
    }
    y
}

fn metres(volume: Volume) -> String {
    format!("{} m³", cubic_metres(volume))
}
