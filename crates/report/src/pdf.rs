//! Reports for people: A4, in the order in which one reads them. Who and what, the three figures, a
//! chart, and the days.

mod chart;
mod daily;
mod ink;
mod summary;

use krilla::Document;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use weir_app::reports::ReportFacts;

use crate::format::RenderError;
use ink::{Align, Colour, Pen, Typefaces};

const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const LEFT: f32 = 56.0;
const RIGHT: f32 = WIDTH - LEFT;
const FOOT: f32 = HEIGHT - 36.0;

/// Writes a report as PDF.
pub(crate) fn render(facts: &ReportFacts) -> Result<Vec<u8>, RenderError> {
    let typefaces = Typefaces::load()?;
    let pages = daily::pages(&facts.days);
    let mut document = Document::new();
    document.set_metadata(metadata(facts));
    for (at, days) in pages.iter().enumerate() {
        let size = PageSettings::from_wh(WIDTH, HEIGHT)
            .ok_or_else(|| RenderError::Pdf("a page has no size".to_owned()))?;
        let mut page = document.start_page_with(size);
        let mut pen = Pen::new(page.surface(), &typefaces);
        let top = if at == 0 {
            let below = summary::draw(&mut pen, facts);
            chart::draw(&mut pen, &facts.days, below)
        } else {
            daily::NEXT_TOP
        };
        daily::draw(&mut pen, days, top);
        footer(&mut pen, facts, at + 1, pages.len());
        pen.finish();
        page.finish();
    }
    document.finish().map_err(|error| RenderError::Pdf(format!("{error:?}")))
}

fn metadata(facts: &ReportFacts) -> Metadata {
    Metadata::new()
        .title(format!("Water consumption of {}", facts.device_name))
        .authors(vec![facts.reseller_name.to_string()])
        .creator("Weir".to_owned())
        .language("en".to_owned())
}

fn footer(pen: &mut Pen<'_>, facts: &ReportFacts, page: usize, pages: usize) {
    pen.line([LEFT, FOOT - 14.0], [RIGHT, FOOT - 14.0], Colour::Pale);
    let whose = format!("{} · meter {}", facts.reseller_name, facts.dev_eui);
    let whose = pen.fitted(&whose, 7.5, false, RIGHT - LEFT - 80.0);
    pen.text([LEFT, FOOT], &whose, 7.5, false, Colour::Muted, Align::Left);
    let number = format!("Page {page} of {pages}");
    pen.text([RIGHT, FOOT], &number, 7.5, false, Colour::Muted, Align::Right);
}

#[cfg(test)]
mod tests;
